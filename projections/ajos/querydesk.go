package ajos

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/query"
)

// Odd is what is unusual about a payment of an ajo, bit by bit.
type Odd int32

// The oddities.
const (
	Late          Odd = 1 << iota // Paid after its due date.
	PaidByAnother                 // Paid by another member.
	GivenBack                     // It was given back later.
)

const odd = `(CASE WHEN p.kind IN ('DUE', 'COVER', 'GIFT') AND p.effective_at >= d.over THEN 1 ELSE 0 END
	| CASE WHEN p.paid_by NOT IN ('', p.user_id) THEN 2 ELSE 0 END
	| CASE WHEN p.kind <> 'RETURNED' AND EXISTS (SELECT 1 FROM rm_ajo_payments r WHERE r.ajo_id = p.ajo_id AND r.pos > p.pos AND r.kind = 'RETURNED'
		AND r.cycle = p.cycle AND r.seat = p.seat AND r.user_id = p.user_id) THEN 4 ELSE 0 END)`

// OnDesk narrows the payments of several ajo to those that one of their validators looks at; empty means all.
type OnDesk struct {
	Ajos     []Ajo
	Not      string // Whoever made a payment, or had one made for them, does not audit it.
	Marks    []nairav1.Mark
	Odd      Odd         // Something of it.
	Answered bool        // Of which the last word is the member's.
	Events   []uuid.UUID // Of these alone, where it is not nil.
	Places   []int64     // Likewise, by their positions.
	Kinds    []string
	User     string // Whose payment it is.
	Min, Max money.Kobo
	Channel  nairav1.Channel
	From, To time.Time // From a moment on, and before one.
}

// overs are when the dues of the ajo are late, column by column: by ajo and cycle.
func (d OnDesk) overs() (ajos []string, cycles []int32, overs []time.Time) {
	for _, a := range d.Ajos {
		if a.State.FirstDue == "" { // It has not started.
			continue
		}
		for cycle := range len(a.State.Order) {
			due := a.State.Due(cycle + 1)
			over := time.Date(due.Year(), due.Month(), due.Day()+1, 0, 0, 0, 0, lagos.Zone)
			ajos, cycles, overs = append(ajos, a.ID), append(cycles, int32(cycle+1)), append(overs, over)
		}
	}
	return ajos, cycles, overs
}

// page is the statement that finds the payments after a position, the oldest first, and its arguments.
func (d OnDesk) page(after int64, limit int) (string, []any) {
	ids := make([]string, len(d.Ajos))
	for i, a := range d.Ajos {
		ids[i] = a.ID
	}
	args := []any{ids, d.Marks, d.Not, after, limit}
	where := strings.Builder{}
	and := func(present bool, condition string, arg any) {
		if present {
			args = append(args, arg)
			fmt.Fprintf(&where, " AND "+condition, len(args))
		}
	}
	and(d.Events != nil, "p.event_id = ANY($%d)", d.Events)
	and(d.Answered, "p.answered = $%d", true)
	and(d.Places != nil, "p.pos = ANY($%d)", d.Places)
	and(d.Kinds != nil, "p.kind = ANY($%d)", d.Kinds)
	and(d.User != "", "p.user_id = $%d", d.User)
	const amount = "p.kobo + coalesce((SELECT kobo FROM rm_ajo_payments o WHERE o.ajo_id = p.ajo_id AND o.pos = p.pos AND o.n = 1), 0)"
	and(d.Min > 0, amount+" >= $%d", int64(d.Min))
	and(d.Max > 0, amount+" <= $%d", int64(d.Max))
	and(d.Channel != nairav1.Channel_CHANNEL_UNSPECIFIED, "CASE p.channel WHEN 0 THEN 3 ELSE p.channel END = $%d", int16(d.Channel))
	and(!d.From.IsZero(), "p.effective_at >= $%d", d.From)
	and(!d.To.IsZero(), "p.effective_at < $%d", d.To)
	dues := ""
	if d.Odd != 0 {
		ajos, cycles, overs := d.overs()
		args = append(args, ajos, cycles, overs)
		n := len(args)
		dues = fmt.Sprintf(" LEFT JOIN unnest($%d::text[], $%d::integer[], $%d::timestamptz[]) AS d (ajo_id, cycle, over) USING (ajo_id, cycle)", n-2, n-1, n)
		and(true, odd+" & $%d <> 0", int32(d.Odd))
	}
	return `SELECT p.ajo_id, p.pos FROM rm_ajo_payments p` + dues + ` WHERE p.ajo_id = ANY($1) AND p.mark = ANY($2) AND p.n = 0 AND p.pos > $4
		AND $3 NOT IN (p.user_id, p.paid_by, p.to_user)
		AND NOT EXISTS (SELECT 1 FROM rm_ajo_payments o WHERE o.ajo_id = p.ajo_id AND o.pos = p.pos AND o.n = 1 AND o.user_id = $3)
		AND p.kind IN ` + audited + where.String() + " ORDER BY p.pos LIMIT $5", args
}

// Payments reads them after a position (0: from the first), oldest first.
func (d OnDesk) Payments(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Payment, error) {
	if len(d.Ajos) == 0 {
		return nil, nil
	}
	page, args := d.page(after, limit)
	return list[Payment](pool.Query(ctx, "WITH page AS MATERIALIZED ("+page+") "+auditColumns+
		" AND (p.ajo_id, p.pos) IN (SELECT ajo_id, pos FROM page) ORDER BY p.pos", args...))
}

// Count is how many there are, up to a number at which counting ends.
func (d OnDesk) Count(most int) query.Of[int] {
	page, args := d.page(0, most)
	return query.New(func(rows pgx.Rows) (int, error) { return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int]) },
		"SELECT count(*) FROM ("+page+") p", args...)
}

// ValidatedBy reads the ajo of which a user is the validator, newest first.
func ValidatedBy(ctx context.Context, pool *pgxpool.Pool, user string) ([]Ajo, error) {
	all, err := OfUser(ctx, pool, user)
	return slices.DeleteFunc(all, func(a Ajo) bool { return a.State.Validator != user }), err
}
