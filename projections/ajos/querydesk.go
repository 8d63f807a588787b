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

// Odd is the unusual features of a payment of an ajo, bit by bit.
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

// Narrowing filters payments on any desk; empty means all.
type Narrowing struct {
	Odd      Odd     // Has any of these oddities.
	Answered bool    // The member had the last word.
	Places   []int64 // Only these positions, unless nil.
	Kinds    []string
	User     string // The payment's owner.
	Min, Max money.Kobo
	Channel  nairav1.Channel
	From, To time.Time // From a moment on, and before one.
}

// OnDesk filters the payments of several ajo for one of their validators; empty means all.
type OnDesk struct {
	Narrowing
	Ajos   []Ajo
	Not    string // Leaves out the payments that this user made, or that were made for them: they do not audit those.
	Marks  []nairav1.Mark
	Events []uuid.UUID // Only these, unless nil.
}

// overs are the times from which the dues of some ajo are late, column by column: by ajo and cycle.
func overs(of ...Ajo) (ajos []string, cycles []int32, overs []time.Time) {
	for _, a := range of {
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

// conditions are the filter's conditions on the payments p of some ajo, each beginning with AND, the joins for them,
// and the arguments, added to the given ones.
func (n Narrowing) conditions(args []any, of ...Ajo) (join, where string, _ []any) {
	text := strings.Builder{}
	and := func(present bool, condition string, arg any) {
		if present {
			args = append(args, arg)
			fmt.Fprintf(&text, " AND "+condition, len(args))
		}
	}
	and(n.Answered, "p.answered = $%d", true)
	and(n.Places != nil, "p.pos = ANY($%d)", n.Places)
	and(n.Kinds != nil, "p.kind = ANY($%d)", n.Kinds)
	and(n.User != "", "p.user_id = $%d", n.User)
	const amount = "p.kobo + coalesce((SELECT kobo FROM rm_ajo_payments o WHERE o.ajo_id = p.ajo_id AND o.pos = p.pos AND o.n = 1), 0)"
	and(n.Min > 0, amount+" >= $%d", int64(n.Min))
	and(n.Max > 0, amount+" <= $%d", int64(n.Max))
	and(n.Channel != nairav1.Channel_CHANNEL_UNSPECIFIED, "CASE p.channel WHEN 0 THEN 3 ELSE p.channel END = $%d", int16(n.Channel))
	and(!n.From.IsZero(), "p.effective_at >= $%d", n.From)
	and(!n.To.IsZero(), "p.effective_at < $%d", n.To)
	if n.Odd != 0 {
		ajos, cycles, late := overs(of...)
		args = append(args, ajos, cycles, late)
		to := len(args)
		join = fmt.Sprintf(" LEFT JOIN unnest($%d::text[], $%d::integer[], $%d::timestamptz[]) AS d (ajo_id, cycle, over) USING (ajo_id, cycle)", to-2, to-1, to)
		and(true, odd+" & $%d <> 0", int32(n.Odd))
	}
	return join, text.String(), args
}

// page is the statement that finds the payments after a position, the oldest first, and its arguments.
func (d OnDesk) page(after int64, limit int) (string, []any) {
	ids := make([]string, len(d.Ajos))
	for i, a := range d.Ajos {
		ids[i] = a.ID
	}
	join, where, args := d.conditions([]any{ids, d.Marks, d.Not, after, limit}, d.Ajos...)
	if d.Events != nil {
		args = append(args, d.Events)
		where += fmt.Sprintf(" AND p.event_id = ANY($%d)", len(args))
	}
	return `SELECT p.ajo_id, p.pos FROM rm_ajo_payments p` + join + ` WHERE p.ajo_id = ANY($1) AND p.mark = ANY($2) AND p.n = 0 AND p.pos > $4
		AND $3 NOT IN (p.user_id, p.paid_by, p.to_user)
		AND NOT EXISTS (SELECT 1 FROM rm_ajo_payments o WHERE o.ajo_id = p.ajo_id AND o.pos = p.pos AND o.n = 1 AND o.user_id = $3)
		AND p.kind IN ` + audited + where + " ORDER BY p.pos LIMIT $5", args
}

// Payments reads the payments after a position (0: from the first), oldest first.
func (d OnDesk) Payments(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Payment, error) {
	if len(d.Ajos) == 0 {
		return nil, nil
	}
	page, args := d.page(after, limit)
	return list[Payment](pool.Query(ctx, "WITH page AS MATERIALIZED ("+page+") "+auditColumns+
		" AND (p.ajo_id, p.pos) IN (SELECT ajo_id, pos FROM page) ORDER BY p.pos", args...))
}

// Count is the number of payments; it stops counting at most.
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
