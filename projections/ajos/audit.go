package ajos

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/engine"
)

// markHandlers note the marks that auditors give payments.
var markHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoPaymentMarkedV2) {
		f.marked(m, m.GetMark(), m.GetMarkedBy(), m.GetReason(), &e.EffectiveAt)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaymentUnmarked) {
		f.marked(m, nairav1.Mark_MARK_UNSPECIFIED, "", "", nil)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAnswered) { f.answered(m, true) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionFileAdded) { f.answered(m, true) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAskedV2) {
		f.answered(m, false)
		f.tell(m.GetOtherUserId())
	}),
}

// marked records a payment's new mark.
func (f *folding) marked(m interface {
	GetAjoId() string
	GetPosition() int64
	GetUserIds() []string
}, mark nairav1.Mark, by, reason string, at *time.Time,
) {
	f.last = append(f.last, func() {
		f.batch.Queue(`UPDATE rm_ajo_payments SET mark = $3, marked_by = $4, marked_at = $5, reason = $6, answered = false,
			queried_at = CASE $3::smallint WHEN 2 THEN $5::timestamptz WHEN 3 THEN queried_at END WHERE ajo_id = $1 AND pos = $2 AND n = 0`,
			m.GetAjoId(), m.GetPosition(), int16(mark), by, at, reason)
	})
	f.told(*f.ajos[m.GetAjoId()].state)
	f.tell(m.GetUserIds()...)
}

// answered notes whether the member had the last word about a queried payment.
func (f *folding) answered(m interface {
	GetAjoId() string
	GetPosition() int64
	GetUserId() string
}, answered bool,
) {
	if m.GetAjoId() == "" { // Of a group.
		return
	}
	f.last = append(f.last, func() {
		f.batch.Queue("UPDATE rm_ajo_payments SET answered = $3 WHERE ajo_id = $1 AND pos = $2 AND n = 0", m.GetAjoId(), m.GetPosition(), answered)
	})
	f.told(*f.ajos[m.GetAjoId()].state)
	f.tell(m.GetUserId())
}

// Payment is a payment that an auditor marks: a due, a due paid for another member, a returned due, or a pot that was
// paid out.
type Payment struct {
	Event                 uuid.UUID
	Pos                   int64
	AjoID                 string
	Cycle, Seat           int
	User, PaidBy, To, And string // Its owner, payer and receiver, and the receiver of a pot's other part; empty for none.
	Kind                  string
	Amount                money.Kobo
	Channel               nairav1.Channel
	At                    time.Time
	PaymentID             string
	Returned              bool // A due of the place in the cycle was given back later.
	Mark                  nairav1.Mark
	MarkedBy              string
	MarkedAt              *time.Time
	Reason                string
	Answered              bool // It is queried, and the member had the last word.
}

// Users are the people whom the payment concerns.
func (p Payment) Users() []string {
	users := []string{}
	for _, user := range []string{p.User, p.PaidBy, p.To, p.And} {
		if user != "" {
			users = append(users, user)
		}
	}
	return users
}

// audited are the kinds that are marked.
const audited = "('DUE', 'COVER', 'GIFT', 'RETURNED', 'PAYOUT')"

const auditColumns = `SELECT p.event_id, p.pos, p.ajo_id, p.cycle, p.seat, p.user_id, p.paid_by, p.to_user, coalesce(o.user_id, ''), p.kind,
	p.kobo + coalesce(o.kobo, 0), p.channel, p.effective_at, p.payment_id,
	p.kind <> 'RETURNED' AND EXISTS (SELECT 1 FROM rm_ajo_payments r WHERE r.ajo_id = p.ajo_id AND r.pos > p.pos AND r.kind = 'RETURNED'
		AND r.cycle = p.cycle AND r.seat = p.seat AND r.user_id = p.user_id),
	p.mark, p.marked_by, p.marked_at, p.reason, p.answered
	FROM rm_ajo_payments p LEFT JOIN rm_ajo_payments o ON o.ajo_id = p.ajo_id AND o.pos = p.pos AND o.n = 1
	WHERE p.n = 0 AND p.kind IN ` + audited

// Which filters the payments of an ajo; empty means all.
type Which struct {
	Narrowing
	Mark  *nairav1.Mark // MARK_UNSPECIFIED means the payments without a mark.
	Cycle int
}

// Payments reads the payments of an ajo that are audited, after a position (0: from the first), oldest first.
func Payments(ctx context.Context, pool *pgxpool.Pool, a Ajo, w Which, after int64, limit int) ([]Payment, error) {
	join, where, args := w.conditions([]any{a.ID, after, w.Mark, w.Cycle, limit}, a)
	return list[Payment](pool.Query(ctx, `WITH page AS MATERIALIZED (SELECT p.pos FROM rm_ajo_payments p`+join+` WHERE p.ajo_id = $1 AND p.pos > $2
		AND ($3::smallint IS NULL OR p.mark = $3) AND ($4 = 0 OR p.cycle = $4) AND p.n = 0 AND p.kind IN `+audited+where+` ORDER BY p.pos LIMIT $5)
		`+auditColumns+" AND p.ajo_id = $1 AND p.pos IN (SELECT pos FROM page) ORDER BY p.pos", args...))
}

// AskedOf reads the payments about which a member is or was asked (queried, and unless open is set also resolved),
// before a position (0: from the newest), newest first: those that the member paid or got back, and their pots.
func AskedOf(ctx context.Context, pool *pgxpool.Pool, user string, open bool, before int64, limit int) ([]Payment, error) {
	return list[Payment](pool.Query(ctx, auditColumns+` AND (CASE p.kind WHEN 'RETURNED' THEN p.to_user WHEN 'PAYOUT' THEN p.user_id ELSE p.paid_by END) = $1
		AND p.mark IN (2, 3) AND (p.mark = 2 OR NOT $2) AND ($3 = 0 OR p.pos < $3) ORDER BY p.pos DESC LIMIT $4`, user, open, before, limit))
}

// PaymentAt reads the payment at a position of the ledger; ErrNone if there is none, or it is not folded yet.
func PaymentAt(ctx context.Context, pool *pgxpool.Pool, ajoID string, pos int64) (Payment, error) {
	found, err := list[Payment](pool.Query(ctx, auditColumns+" AND p.ajo_id = $1 AND p.pos = $2", ajoID, pos))
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Payment{}, err
	}
	return found[0], nil
}

// Places answers the positions of payments by their events' ids; ids of other events are absent.
func Places(ctx context.Context, pool *pgxpool.Pool, ajoID string, events []uuid.UUID) ([]int64, error) {
	rows, err := pool.Query(ctx, "SELECT pos FROM rm_ajo_payments WHERE ajo_id = $1 AND event_id = ANY($2) AND n = 0 AND kind IN "+audited, ajoID, events)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[int64])
}

// Coverage is the audited part of an ajo's payments in a month (YYYY-MM, Lagos).
type Coverage struct {
	Group, Month                        string // The ajo, in the place of the group.
	Total, Validated, Queried, Resolved int
}

// Coverages reads the coverage month by month, the newest first.
func Coverages(ctx context.Context, pool *pgxpool.Pool, ajoID string) ([]Coverage, error) {
	return list[Coverage](pool.Query(ctx, `SELECT ajo_id, to_char(effective_at AT TIME ZONE INTERVAL '1 hour', 'YYYY-MM') AS month, count(*),
		count(*) FILTER (WHERE mark = $2), count(*) FILTER (WHERE mark = $3), count(*) FILTER (WHERE mark = $4)
		FROM rm_ajo_payments WHERE ajo_id = $1 AND n = 0 AND kind IN `+audited+` GROUP BY ajo_id, month ORDER BY month DESC`,
		ajoID, nairav1.Mark_MARK_VALIDATED, nairav1.Mark_MARK_QUERIED, nairav1.Mark_MARK_RESOLVED))
}
