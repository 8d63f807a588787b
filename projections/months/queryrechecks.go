package months

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// RechecksOf reads the positions of a group's or ajo's payments that wait for the owner to check them again.
func RechecksOf(ctx context.Context, pool *pgxpool.Pool, place string) ([]int64, error) {
	return rechecked(ctx, pool, place, nairav1.Mark_MARK_VALIDATED)
}

// Rechecks counts, for some groups and ajo, the payments that wait for the owner to check them again.
func Rechecks(ctx context.Context, pool *pgxpool.Pool, places []string) (map[string]int, error) {
	rows, err := pool.Query(ctx, "SELECT place_id, count(*) FROM rm_rechecks WHERE place_id = ANY($1) AND agreed_at IS NULL AND mark = $2 GROUP BY place_id", places, nairav1.Mark_MARK_VALIDATED)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	var (
		place string
		n     int
	)
	_, err = pgx.ForEachRow(rows, []any{&place, &n}, func() error { counts[place] = n; return nil })
	return counts, err
}

// QueriedOf reads the positions of those that were queried, which the owner has to resolve.
func QueriedOf(ctx context.Context, pool *pgxpool.Pool, place string) ([]int64, error) {
	return rechecked(ctx, pool, place, nairav1.Mark_MARK_QUERIED)
}

func rechecked(ctx context.Context, pool *pgxpool.Pool, place string, mark nairav1.Mark) ([]int64, error) {
	rows, err := pool.Query(ctx, "SELECT pos FROM rm_rechecks WHERE place_id = $1 AND agreed_at IS NULL AND mark = $2", place, mark)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// AgreedBy reads the people who checked some payments of a group or ajo again and agreed, by position.
func AgreedBy(ctx context.Context, pool *pgxpool.Pool, place string, payments []int64) (map[int64]string, error) {
	agreed := map[int64]string{}
	rows, err := pool.Query(ctx, "SELECT pos, agreed_by FROM rm_rechecks WHERE place_id = $1 AND pos = ANY($2) AND agreed_at IS NOT NULL", place, payments)
	if err != nil {
		return nil, err
	}
	var (
		pos int64
		by  string
	)
	_, err = pgx.ForEachRow(rows, []any{&pos, &by}, func() error { agreed[pos] = by; return nil })
	return agreed, err
}
