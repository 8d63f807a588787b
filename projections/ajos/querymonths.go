package ajos

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/projections/query"
)

// returned reads later returns of the place's due in the cycle; givenBack is whether there is one.
const (
	returned = `FROM rm_ajo_payments r WHERE p.kind <> 'RETURNED' AND r.ajo_id = p.ajo_id AND r.pos > p.pos AND r.kind = 'RETURNED'
		AND r.cycle = p.cycle AND r.seat = p.seat AND r.user_id = p.user_id`
	givenBack = `EXISTS (SELECT ` + returned + `)`
)

// Listed reads the payments of a month's list by position. The calendar of the ajo at the same position decides which
// of them were late.
func Listed(ctx context.Context, pool *pgxpool.Pool, ajoID string, l query.ListOf) (listed []query.Listed, err error) {
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		a, err := byID(ctx, tx, ajoID)
		if err != nil {
			return err
		}
		ajos, cycles, overs := overs(a)
		listed, err = list[query.Listed](tx.Query(ctx, `SELECT p.pos, p.event_id, p.effective_at, p.kind = 'PAYOUT' OR `+odd+` <> 0, p.mark, back.at IS NOT NULL, coalesce(back.at, 0),
				(SELECT min(pos) FROM projections WHERE name = 'ajos')
			FROM rm_ajo_payments p LEFT JOIN unnest($6::text[], $7::integer[], $8::timestamptz[]) AS d (ajo_id, cycle, over) USING (ajo_id, cycle),
				LATERAL (SELECT min(r.pos) AS at `+returned+`) back
			WHERE p.ajo_id = $1 AND p.n = 0 AND p.kind IN `+audited+` AND p.pos <= $2 AND p.effective_at < $3 AND (p.effective_at >= $4 OR p.pos > $5) ORDER BY p.pos`,
			a.ID, l.Upto, l.End, l.Since, l.ToldLateAfter, ajos, cycles, overs))
		return err
	})
	return listed, err
}

// Changes reads the changes of the lists of several months, in their order.
func Changes(ctx context.Context, pool *pgxpool.Pool, ajoID string, lists []query.ListOf) ([]query.Change, error) {
	upto, since, end, late, said := query.Bounds(lists)
	return list[query.Change](pool.Query(ctx, `SELECT count(*) FILTER (WHERE p.queried_at > m.said), count(*) FILTER (WHERE p.mark = 0), count(*) FILTER (WHERE `+givenBack+`)
		FROM unnest($2::bigint[], $3::timestamptz[], $4::timestamptz[], $5::bigint[], $6::timestamptz[]) WITH ORDINALITY AS m (upto, since, ends, late, said, n)
		LEFT JOIN rm_ajo_payments p ON p.ajo_id = $1 AND p.n = 0 AND p.kind IN `+audited+` AND p.pos <= m.upto AND p.effective_at < m.ends
			AND (p.effective_at >= m.since OR p.pos > m.late)
		GROUP BY m.n ORDER BY m.n`, ajoID, upto, since, end, late, said))
}
