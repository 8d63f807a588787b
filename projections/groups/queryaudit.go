package groups

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/query"
)

// Payment is a payment with its mark.
type Payment struct {
	Event                   uuid.UUID
	Pos                     int64
	Group, SubAccount, User string
	PaidBy                  string // Another person, for a cover.
	Kind                    string
	Amount                  money.Kobo
	Channel                 nairav1.Channel
	At                      time.Time
	Settled                 string // JSON of Parts.
	PaymentID               string // The gateway's payment it came with, or the request that it paid.
	Odd                     Odd
	Mark                    nairav1.Mark
	MarkedBy                string
	MarkedAt                *time.Time
	Reason                  string
	Answered                bool // It is queried, and the member had the last word.
}

// Parts are the dues that the payment settled.
func (p Payment) Parts() []Part { return partsOf(p.Settled) }

const auditColumns = "SELECT id, pos, group_id, sub_account_id, user_id, paid_by, kind, abs(kobo), channel, effective_at, settled, payment_id, odd, mark, coalesce(marked_by, ''), marked_at, coalesce(reason, ''), answered FROM rm_contributions "

// Which filters the payments of a group; empty means all.
type Which struct {
	Narrowing
	Mark       *nairav1.Mark // MARK_UNSPECIFIED means the payments without a mark.
	SubAccount string
}

// After is the end of the page before: odd payments come first.
type After struct {
	Plain bool
	Pos   int64
}

// Payments reads payments of a group after a place, odd ones first, then the oldest first.
func Payments(ctx context.Context, pool *pgxpool.Pool, groupID string, w Which, after After, limit int) ([]Payment, error) {
	// One index has a group's payments by their mark, so the query reads each mark separately.
	marks := []int16{}
	for mark := range nairav1.Mark_name {
		if w.Mark == nil || mark == int32(*w.Mark) {
			marks = append(marks, int16(mark))
		}
	}
	where, args := w.conditions([]any{groupID, marks, w.SubAccount, after.Plain, after.Pos, limit})
	rows, err := pool.Query(ctx, `WITH page AS MATERIALIZED (SELECT p.pos FROM unnest($2::smallint[]) AS m (mark), LATERAL (
			SELECT odd, pos FROM rm_contributions c WHERE group_id = $1 AND c.mark = m.mark AND ($3 = '' OR sub_account_id = $3)
			AND ((odd = 0), pos) > ($4, $5)`+where+` ORDER BY (odd = 0), pos LIMIT $6) p ORDER BY (p.odd = 0), p.pos LIMIT $6)
		`+auditColumns+"WHERE group_id = $1 AND pos = ANY(ARRAY(SELECT pos FROM page)) ORDER BY (odd = 0), pos", args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Payment])
}

func orNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// AskedOf reads the payments about which a member is or was asked (queried, and unless open is set also resolved),
// before a position (0: from the newest), newest first: those that the member paid, for another too, and got.
func AskedOf(ctx context.Context, pool *pgxpool.Pool, user string, open bool, before int64, limit int) ([]Payment, error) {
	rows, err := pool.Query(ctx, auditColumns+`WHERE (CASE WHEN paid_by <> '' THEN paid_by ELSE user_id END) = $1 AND mark IN (2, 3) AND (mark = 2 OR NOT $2)
		AND ($3 = 0 OR pos < $3) ORDER BY pos DESC LIMIT $4`, user, open, before, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Payment])
}

// Places answers the positions of payments by their events' ids; ids of other events are absent.
func Places(ctx context.Context, pool *pgxpool.Pool, groupID string, events []uuid.UUID) (map[uuid.UUID]int64, error) {
	rows, err := pool.Query(ctx, "SELECT id, pos FROM rm_contributions WHERE group_id = $1 AND id = ANY($2) AND mark <> -1", groupID, events)
	if err != nil {
		return nil, err
	}
	places := map[uuid.UUID]int64{}
	var id uuid.UUID
	var pos int64
	_, err = pgx.ForEachRow(rows, []any{&id, &pos}, func() error { places[id] = pos; return nil })
	return places, err
}

// Marks answers the marks of payments, by their events' ids; ids of other events are absent.
func Marks(ctx context.Context, pool *pgxpool.Pool, events []uuid.UUID) (map[uuid.UUID]nairav1.Mark, error) {
	rows, err := pool.Query(ctx, "SELECT id, mark FROM rm_contributions WHERE id = ANY($1) AND mark <> -1", events)
	if err != nil {
		return nil, err
	}
	marks := map[uuid.UUID]nairav1.Mark{}
	var id uuid.UUID
	var mark int32
	_, err = pgx.ForEachRow(rows, []any{&id, &mark}, func() error { marks[id] = nairav1.Mark(mark); return nil })
	return marks, err
}

// PaymentOf reads a payment by its event's id; nil where it is no payment of a group, or is not folded yet.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, event uuid.UUID) (*Payment, error) {
	rows, err := pool.Query(ctx, auditColumns+"WHERE id = $1 AND mark <> -1", event)
	if err != nil {
		return nil, err
	}
	p, err := pgx.CollectExactlyOneRow(rows, pgx.RowToAddrOfStructByPos[Payment])
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, nil
	}
	return p, err
}

// Coverage is the audited part of a group's payments in a month (YYYY-MM, Lagos).
type Coverage struct {
	Group, Month                        string
	Total, Validated, Queried, Resolved int
}

// Reviewed is how many count as audited.
func (c Coverage) Reviewed() int { return c.Validated + c.Resolved }

// Coverages reads the coverage month by month, the newest first.
func Coverages(groupIDs ...string) query.Of[[]Coverage] {
	where, arg := query.In("group_id", groupIDs)
	return query.List[Coverage]("SELECT group_id, month, audited, validated, queried, resolved FROM rm_group_months WHERE "+where+" AND audited > 0 ORDER BY group_id, month DESC", arg)
}
