package ajoaccess

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/money"
)

// Ask is a waiting request.
type Ask struct {
	User, ID  string
	Pos       int64
	Salary    money.Kobo
	AskedAt   time.Time
	HasAccess bool // They have access already and ask for more.
}

// Page reads requests made after a position, oldest first.
func Page(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Ask, error) {
	rows, err := pool.Query(ctx, "SELECT user_id, ask_id, pos, kobo, asked_at, has_access FROM rm_ajo_asks WHERE pos > $1 ORDER BY pos LIMIT $2", after, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Ask])
}

// Count is the number of waiting requests.
func Count(ctx context.Context, pool *pgxpool.Pool) (count int, err error) {
	err = pool.QueryRow(ctx, "SELECT count(*) FROM rm_ajo_asks").Scan(&count)
	return count, err
}
