package groups

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/engine/write"
)

// Odd is the unusual features of a payment, bit by bit.
type Odd int32

// The oddities.
const (
	Unlike        Odd = 1 << iota // Of another size than the member's others.
	Twice                         // Within minutes of another payment of the member.
	PaidByAnother                 // Paid by another person.
	Late                          // For a due that was over.
	Refunded                      // The bank reversed the payment behind it.
)

// The limits of what is usual.
const (
	unlikeTimes  = 3 // This many times the mean of the others, or less than that fraction of it.
	unlikeAfter  = 3 // Only after this many others.
	twiceMinutes = 10 * time.Minute
)

type payer struct{ sub, user string }

// paying is a member's earlier payments into a sub-account.
type paying struct {
	payments, kobo, lastPos int64
	lastAt                  time.Time
}

// audited is the data that a batch's payments are compared with.
type audited struct {
	frequencies map[string]nairav1.PaymentFrequency // By sub-account.
	payers      map[payer]paying
	twice       []place // Payments of earlier batches that were soon followed by another.
}

// place is a payment's position and group.
type place struct {
	group string
	pos   int64
}

// auditing reads that data.
func auditing(ctx context.Context, tx pgx.Tx, events []engine.Event) (*audited, error) {
	a := &audited{frequencies: map[string]nairav1.PaymentFrequency{}, payers: map[payer]paying{}}
	var subs, users []string
	for _, e := range events {
		if m, ok := e.Message.(contributed); ok {
			subs, users = append(subs, m.GetSubAccountId()), append(users, m.GetUserId())
		}
	}
	if len(subs) == 0 {
		return a, nil
	}
	var (
		batch     pgx.Batch
		of        payer
		p         paying
		frequency int32
		at        *time.Time
	)
	batch.Queue("SELECT id, payment_frequency FROM rm_sub_accounts WHERE id = ANY($1)", distinct(subs)).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&of.sub, &frequency}, func() error {
			a.frequencies[of.sub] = nairav1.PaymentFrequency(frequency)
			return nil
		})
		return err
	})
	batch.Queue(`SELECT c.sub_account_id, c.user_id, c.payments, c.paid_kobo, c.last_pos, c.last_at FROM rm_contributors c
		JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS k (sub, who)) k ON k.sub = c.sub_account_id AND k.who = c.user_id
		WHERE c.payments > 0`, subs, users).Query(func(rows pgx.Rows) error {
		_, err := pgx.ForEachRow(rows, []any{&of.sub, &of.user, &p.payments, &p.kobo, &p.lastPos, &at}, func() error {
			p.lastAt = *at
			a.payers[of] = p
			return nil
		})
		return err
	})
	return a, tx.SendBatch(ctx, &batch).Close()
}

func distinct(ids []string) []string {
	ids = slices.Clone(ids)
	slices.Sort(ids)
	return slices.Compact(ids)
}

// dueOver is the moment from which a due is late: the end of its period, which its first day (YYYY-MM-DD) names. It is
// zero if the due is never late. Periods made of months start with a month.
func dueOver(period string, frequency nairav1.PaymentFrequency) time.Time {
	start, err := time.ParseInLocation(time.DateOnly, period, lagos.Zone)
	if err != nil {
		return time.Time{}
	}
	switch frequency {
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY:
		return start.AddDate(0, 0, 1)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY:
		return start.AddDate(0, 0, 7)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY:
		return start.AddDate(0, 0, 14)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME:
		return start.AddDate(0, 1, 0)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_QUARTERLY:
		return start.AddDate(0, 3, 0)
	case nairav1.PaymentFrequency_PAYMENT_FREQUENCY_YEARLY:
		return start.AddDate(1, 0, 0)
	default:
		return time.Time{}
	}
}

// oddities finds the unusual features of a contribution by comparing it with the earlier ones, and counts it among
// them.
func (f *folding) oddities(e engine.Event, m interface {
	contributed
	GetAmountKobo() int64
	GetSettled() []*nairav1.Settlement
},
) Odd {
	key, kobo, odd := payer{m.GetSubAccountId(), m.GetUserId()}, m.GetAmountKobo(), Odd(0)
	before := f.audit.payers[key]
	if n := before.payments; n >= unlikeAfter && (kobo*n > before.kobo*unlikeTimes || kobo*n*unlikeTimes < before.kobo) {
		odd |= Unlike
	}
	if before.payments > 0 && e.EffectiveAt.Sub(before.lastAt).Abs() <= twiceMinutes {
		odd |= Twice
		f.alsoTwice(m.GetGroupId(), before.lastPos)
	}
	for _, s := range m.GetSettled() {
		if over := dueOver(s.GetPeriod(), f.audit.frequencies[m.GetSubAccountId()]); !over.IsZero() && !e.EffectiveAt.Before(over) {
			odd |= Late
		}
	}
	f.audit.payers[key] = paying{before.payments + 1, before.kobo + kobo, e.Pos, e.EffectiveAt}
	return odd
}

// alsoTwice marks the first of two such payments.
func (f *folding) alsoTwice(group string, pos int64) {
	i, here := slices.BinarySearchFunc(f.rows, pos, func(c contribution, pos int64) int { return cmp.Compare(c.event.Pos, pos) })
	if here {
		f.rows[i].odd |= Twice
	} else {
		f.audit.twice = append(f.audit.twice, place{group, pos})
	}
}

func (a *audited) flush(batch *write.Batch) {
	if len(a.twice) == 0 {
		return
	}
	groups, positions := make([]string, len(a.twice)), make([]int64, len(a.twice))
	for i, p := range a.twice {
		groups[i], positions[i] = p.group, p.pos
	}
	batch.Queue(`UPDATE rm_contributions c SET odd = c.odd | $3 FROM unnest($1::text[], $2::bigint[]) AS p (group_id, pos)
		WHERE c.group_id = p.group_id AND c.pos = p.pos AND c.odd & $3 = 0`, groups, positions, int16(Twice))
}

// markHandlers note later marks of a payment: by its auditor, or by the bank.
var markHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentMarkedV2) {
		f.marked(m, m.GetMark(), m.GetReason(), &e.EffectiveAt)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentUnmarked) {
		f.marked(m, nairav1.Mark_MARK_UNSPECIFIED, "", nil)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAnswered) { f.answered(m, true) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionFileAdded) { f.answered(m, true) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.QuestionAskedV2) { f.answered(m, false) }),
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentReversedV3) {
		f.batch.Queue("UPDATE rm_contributions SET odd = odd | $3 WHERE payment_id = $1 AND pos < $2", m.GetPaymentId(), e.Pos, int16(Refunded))
	}),
}

// marked records a payment's new mark, and moves it in its month's counts.
func (f *folding) marked(m interface {
	GetGroupId() string
	GetPosition() int64
	GetUserId() string
	GetMarkedBy() string
}, mark nairav1.Mark, reason string, at *time.Time,
) {
	f.batch.Queue(`UPDATE rm_group_months n SET validated = n.validated + ($3 = 1)::int - (c.mark = 1)::int,
			queried = n.queried + ($3 = 2)::int - (c.mark = 2)::int, resolved = n.resolved + ($3 = 3)::int - (c.mark = 3)::int
		FROM rm_contributions c WHERE c.group_id = $1 AND c.pos = $2
		AND n.group_id = c.group_id AND n.month = to_char(c.effective_at AT TIME ZONE INTERVAL '1 hour', 'YYYY-MM')`, m.GetGroupId(), m.GetPosition(), int16(mark))
	by := m.GetMarkedBy()
	if at == nil {
		by = ""
	}
	f.batch.Queue(`UPDATE rm_contributions SET mark = $3, marked_by = $4, marked_at = $5, reason = $6, answered = false,
		queried_at = CASE $3::smallint WHEN 2 THEN $5::timestamptz WHEN 3 THEN queried_at END WHERE group_id = $1 AND pos = $2`,
		m.GetGroupId(), m.GetPosition(), int16(mark), by, at, reason)
	f.changes.Group(m.GetGroupId())
	f.changes.User(m.GetUserId(), "group:"+m.GetGroupId())
}

// answered notes whether the member had the last word about a queried payment.
func (f *folding) answered(m interface {
	GetGroupId() string
	GetPosition() int64
	GetUserId() string
}, answered bool,
) {
	if m.GetGroupId() == "" { // Of an ajo.
		return
	}
	f.batch.Queue("UPDATE rm_contributions SET answered = $3 WHERE group_id = $1 AND pos = $2", m.GetGroupId(), m.GetPosition(), answered)
	f.changes.Group(m.GetGroupId())
	f.changes.User(m.GetUserId(), "group:"+m.GetGroupId())
}
