package groups

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/query"
)

// ValidatedBy reads the groups of which a user is the validator, newest first.
func ValidatedBy(ctx context.Context, pool *pgxpool.Pool, user string) ([]Group, error) {
	return query.List[Group]("SELECT "+groupColumns+` FROM rm_groups g JOIN rm_members m ON m.group_id = g.id AND m.user_id = g.validator_id
		WHERE g.validator_id = $1 AND g.validator_id <> '' AND m.status IN ('ACTIVE', 'INACTIVE') ORDER BY g.pos DESC`, user).Read(ctx, pool)
}

// Narrowing filters payments on any desk; empty means all.
type Narrowing struct {
	Odd      Odd     // Has any of these oddities.
	Answered bool    // The member had the last word.
	Places   []int64 // Only these positions, unless nil.
	Kind     string
	User     string // The payment's owner.
	Min, Max money.Kobo
	Channel  nairav1.Channel
	From, To time.Time // From a moment on, and before one.
}

// conditions are the filter's conditions, each beginning with AND, and the arguments, added to the given ones.
func (n Narrowing) conditions(args []any) (string, []any) {
	where := strings.Builder{}
	and := func(present bool, condition string, arg any) {
		if present {
			args = append(args, arg)
			fmt.Fprintf(&where, " AND "+condition, len(args))
		}
	}
	and(n.Odd != 0, "odd & $%d <> 0", int16(n.Odd))
	and(n.Answered, "answered = $%d", true)
	and(n.Places != nil, "pos = ANY($%d)", n.Places)
	if n.Kind == PaidOut {
		where.WriteString(" AND kind = 'PAYOUT'") // The index of payouts has the same condition.
	} else {
		and(n.Kind != "", "kind = $%d", n.Kind)
	}
	and(n.User != "", "user_id = $%d", n.User)
	and(n.Min > 0, "abs(kobo) >= $%d", int64(n.Min))
	and(n.Max > 0, "abs(kobo) <= $%d", int64(n.Max))
	and(n.Channel != nairav1.Channel_CHANNEL_UNSPECIFIED, "channel = $%d", int16(n.Channel))
	and(!n.From.IsZero(), "effective_at >= $%d", n.From)
	and(!n.To.IsZero(), "effective_at < $%d", n.To)
	return where.String(), args
}

// OnDesk filters the payments of several groups for one of their validators; empty means all.
type OnDesk struct {
	Narrowing
	Groups []string
	Not    string // Leaves out the payments that this user made, or that were made for them: they do not audit those.
	Marks  []nairav1.Mark
	Events []uuid.UUID // Only these, unless nil.
}

// page is the statement that finds the payments after a position, the oldest first, and its arguments. It reads each
// group's payments by mark and oddity, in the order of the index.
func (d OnDesk) page(after int64, limit int) (string, []any) {
	where, args := d.conditions([]any{d.Groups, codes(d.Marks), plain(d.Odd), d.Not, after, limit})
	if d.Events != nil {
		args = append(args, d.Events)
		where += fmt.Sprintf(" AND id = ANY($%d)", len(args))
	}
	return `SELECT p.group_id, p.pos FROM unnest($1::text[]) AS g (id), unnest($2::smallint[]) AS m (mark), unnest($3::boolean[]) AS o (plain), LATERAL (
		SELECT group_id, pos FROM rm_contributions WHERE group_id = g.id AND mark = m.mark AND (odd = 0) = o.plain AND pos > $5
		AND user_id <> $4 AND paid_by <> $4` + where + " ORDER BY pos LIMIT $6) p ORDER BY p.pos LIMIT $6", args
}

// plain is which payments to read: those without anything odd, those with, or both.
func plain(odd Odd) []bool {
	if odd != 0 {
		return []bool{false}
	}
	return []bool{false, true}
}

func codes(marks []nairav1.Mark) []int16 {
	list := make([]int16, len(marks))
	for i, mark := range marks {
		list[i] = int16(mark)
	}
	return list
}

// Payments reads the payments after a position (0: from the first), oldest first.
func (d OnDesk) Payments(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Payment, error) {
	if len(d.Groups) == 0 {
		return nil, nil
	}
	page, args := d.page(after, limit)
	rows, err := pool.Query(ctx, "WITH page AS MATERIALIZED ("+page+") "+auditColumns+
		"WHERE (group_id, pos) IN (SELECT group_id, pos FROM page) ORDER BY pos", args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Payment])
}

// Count is the number of payments; it stops counting at most.
func (d OnDesk) Count(most int) query.Of[int] {
	page, args := d.page(0, most)
	return query.New(func(rows pgx.Rows) (int, error) { return pgx.CollectExactlyOneRow(rows, pgx.RowTo[int]) },
		"SELECT count(*) FROM ("+page+") p", args...)
}
