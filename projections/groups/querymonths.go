package groups

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/projections/query"
)

// Listed reads the payments of a month's list by position.
func Listed(ctx context.Context, pool *pgxpool.Pool, groupID string, l query.ListOf) ([]query.Listed, error) {
	rows, err := pool.Query(ctx, `SELECT pos, id, effective_at, kind LIKE 'PAYOUT%' OR odd <> 0, mark, reversed, 0::bigint,
		(SELECT min(pos) FROM projections WHERE name = 'groups') FROM rm_contributions
		WHERE group_id = $1 AND mark <> -1 AND pos <= $2 AND effective_at < $3 AND (effective_at >= $4 OR pos > $5) ORDER BY pos`,
		groupID, l.Upto, l.End, l.Since, l.ToldLateAfter)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[query.Listed])
}

// Changes reads the changes of the lists of several months, in their order.
func Changes(ctx context.Context, pool *pgxpool.Pool, groupID string, lists []query.ListOf) ([]query.Change, error) {
	upto, since, end, late, said := query.Bounds(lists)
	rows, err := pool.Query(ctx, `SELECT count(*) FILTER (WHERE c.queried_at > m.said), count(*) FILTER (WHERE c.mark = 0), count(*) FILTER (WHERE c.reversed)
		FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::timestamptz[]) WITH ORDINALITY AS m (upto, since, ends, late, said, n)
		LEFT JOIN rm_contributions c ON c.group_id = $1 AND c.mark <> -1 AND c.pos <= m.upto AND c.effective_at < m.ends AND (c.effective_at >= m.since OR c.pos > m.late)
		GROUP BY m.n ORDER BY m.n`, groupID, upto, since, end, late, said)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[query.Change])
}
