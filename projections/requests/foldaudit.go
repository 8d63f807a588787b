package requests

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/pgcopy"
	"adashi.ng/projections/engine"
)

// Odd is what is unusual about a payment, bit by bit.
type Odd int32

// The oddities.
const (
	Unlike   Odd = 1 << iota // Of another size than the member's others.
	Twice                    // Within minutes of another of theirs.
	Covered                  // Paid by somebody else.
	Late                     // For a due that was over.
	Refunded                 // The bank took back what it was paid with.
)

// What counts as unusual.
const (
	unlikeTimes  = 3 // So many times the mean of the others, or less than that part of it.
	unlikeAfter  = 3 // Once there are so many others.
	twiceMinutes = 10 * time.Minute
)

type payer struct{ sub, user string }

// paying is what a member has paid into a sub-account before.
type paying struct {
	payments, kobo, lastPos int64
	lastAt                  time.Time
}

// audited gathers the payments of a batch, and what is odd about them beside those before.
type audited struct {
	subs    map[string]nairav1.PaymentFrequency
	opened  []string
	payers  map[payer]paying
	changed map[payer]struct{}
	twice   []int64 // Payments of earlier batches that another came right after.
	rows    []payment
	months  map[[2]string]int64 // By group and month.
}

// auditing reads what the payments of a batch are held against.
func auditing(ctx context.Context, tx pgx.Tx, events []engine.Event) (*audited, error) {
	a := &audited{subs: map[string]nairav1.PaymentFrequency{}, payers: map[payer]paying{}, changed: map[payer]struct{}{}, months: map[[2]string]int64{}}
	var subs, users []string
	for _, e := range events {
		if m, ok := e.Message.(contributed); ok {
			subs, users = append(subs, m.GetSubAccountId()), append(users, m.GetUserId())
		}
	}
	if len(subs) == 0 {
		return a, nil
	}
	rows, err := tx.Query(ctx, "SELECT sub_account_id, frequency FROM rm_audit_subs WHERE sub_account_id = ANY($1)", subs)
	if err != nil {
		return nil, err
	}
	var sub, user string
	var frequency int32
	if _, err := pgx.ForEachRow(rows, []any{&sub, &frequency}, func() error {
		a.subs[sub] = nairav1.PaymentFrequency(frequency)
		return nil
	}); err != nil {
		return nil, err
	}
	rows, err = tx.Query(ctx, `SELECT p.sub_account_id, p.user_id, p.payments, p.kobo, p.last_pos, p.last_at FROM rm_audit_payers p
		JOIN (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS k (sub, who)) k ON k.sub = p.sub_account_id AND k.who = p.user_id`, subs, users)
	if err != nil {
		return nil, err
	}
	var p paying
	_, err = pgx.ForEachRow(rows, []any{&sub, &user, &p.payments, &p.kobo, &p.lastPos, &p.lastAt}, func() error { a.payers[payer{sub, user}] = p; return nil })
	return a, err
}

// contributed is a contribution, by oneself or by another.
type contributed interface {
	GetGroupId() string
	GetSubAccountId() string
	GetUserId() string
	GetAmountKobo() int64
	GetSettled() []*nairav1.Settlement
	GetMemberTotalKobo() int64
}

// The kinds of payment.
const (
	Contribution = "CONTRIBUTION"
	Cover        = "COVER"
	Reversal     = "REVERSAL"
	Payout       = "PAYOUT"
)

var auditHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SubAccountOpened) {
		f.audit.subs[m.GetSubAccountId()] = m.GetPaymentFrequency()
		f.audit.opened = append(f.audit.opened, m.GetSubAccountId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionReceived) {
		f.audit.add(payment{e, m.GetGroupId(), m.GetSubAccountId(), m.GetUserId(), "", Contribution, m.GetAmountKobo(), m.GetChannel(), m.GetPaymentId(), m.GetSettled(), f.audit.oddities(e, m)})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionCovered) {
		f.audit.add(payment{e, m.GetGroupId(), m.GetSubAccountId(), m.GetUserId(), m.GetPaidBy(), Cover, m.GetAmountKobo(), nairav1.Channel_CHANNEL_WALLET, "", m.GetSettled(), f.audit.oddities(e, m) | Covered})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionReversed) {
		f.audit.add(payment{e, m.GetGroupId(), m.GetSubAccountId(), m.GetUserId(), "", Reversal, m.GetAmountKobo(), nairav1.Channel_CHANNEL_WALLET, "", nil, 0})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.LiquidationPaidV2) {
		f.audit.add(payment{e, m.GetGroupId(), m.GetSubAccountId(), m.GetRequestedBy(), "", Payout, m.GetAmountKobo(), nairav1.Channel_CHANNEL_BANK_TRANSFER, m.GetLiquidationId(), nil, 0})
	}),
}

// payment is a payment to be audited, a row of rm_audit in the making.
type payment struct {
	event                          engine.Event
	group, sub, user, paidBy, kind string
	kobo                           int64
	channel                        nairav1.Channel
	payment                        string
	settled                        []*nairav1.Settlement
	odd                            Odd
}

func (a *audited) add(p payment) {
	a.months[[2]string{p.group, p.month()}]++
	a.rows = append(a.rows, p)
}

// month is that in which it counts.
func (p *payment) month() string { return lagos.Month(p.event.EffectiveAt) }

// copyRows writes the payments of the batch.
func (a *audited) copyRows(ctx context.Context, tx pgx.Tx) error {
	const columns = "event_id, pos, group_id, sub_account_id, user_id, paid_by, kind, kobo, channel, at, month, settled, payment_id, odd, mark, marked_by, reason"
	return engine.Copy(ctx, tx, "rm_audit", columns, func(rows *pgcopy.Rows, fields int) {
		for i := range a.rows {
			p := &a.rows[i]
			id := p.event.ID()
			rows.Row(fields)
			rows.Bytes(id[:])
			rows.Bigint(p.event.Pos)
			rows.Text(p.group)
			rows.Text(p.sub)
			rows.Text(p.user)
			rows.Text(p.paidBy)
			rows.Text(p.kind)
			rows.Bigint(p.kobo)
			rows.Integer(int32(p.channel))
			rows.Timestamptz(p.event.EffectiveAt)
			rows.Text(p.month())
			rows.JSONB(settledJSON(p.settled))
			rows.Text(p.payment)
			rows.Integer(int32(p.odd))
			rows.Integer(0)
			rows.Text("")
			rows.Text("")
		}
	})
}

// dueOver is the moment from which a due is late: the end of its period, named by its first day (YYYY-MM-DD). Zero when
// nothing is ever late. Periods start with a month when they are made of months.
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

// oddities are what is unusual about a contribution beside those before, and counts it among them.
func (a *audited) oddities(e engine.Event, m contributed) Odd {
	key, kobo, odd := payer{m.GetSubAccountId(), m.GetUserId()}, m.GetAmountKobo(), Odd(0)
	before := a.payers[key]
	if n := before.payments; n >= unlikeAfter && (kobo*n > before.kobo*unlikeTimes || kobo*n*unlikeTimes < before.kobo) {
		odd |= Unlike
	}
	if before.payments > 0 && e.EffectiveAt.Sub(before.lastAt).Abs() <= twiceMinutes {
		odd |= Twice
		a.alsoTwice(before.lastPos)
	}
	for _, s := range m.GetSettled() {
		if over := dueOver(s.GetPeriod(), a.subs[m.GetSubAccountId()]); !over.IsZero() && !e.EffectiveAt.Before(over) {
			odd |= Late
		}
	}
	a.payers[key] = paying{before.payments + 1, before.kobo + kobo, e.Pos, e.EffectiveAt}
	a.changed[key] = struct{}{}
	return odd
}

// alsoTwice marks the first of two payments.
func (a *audited) alsoTwice(pos int64) {
	i, here := slices.BinarySearchFunc(a.rows, pos, func(p payment, pos int64) int { return cmp.Compare(p.event.Pos, pos) })
	if here {
		a.rows[i].odd |= Twice
	} else {
		a.twice = append(a.twice, pos)
	}
}

func (a *audited) flush(batch *engine.Batch) {
	for _, sub := range a.opened {
		batch.Queue("INSERT INTO rm_audit_subs (sub_account_id, frequency) VALUES ($1, $2)", sub, int32(a.subs[sub]))
	}
	if len(a.rows) == 0 {
		return
	}
	if len(a.twice) > 0 {
		batch.Queue("UPDATE rm_audit SET odd = odd | $2 WHERE pos = ANY($1) AND odd & $2 = 0", a.twice, int32(Twice))
	}
	a.flushMonths(batch)
	a.flushPayers(batch)
}

func (a *audited) flushMonths(batch *engine.Batch) {
	var of, months []string
	var totals []int64
	for key, n := range a.months {
		of, months, totals = append(of, key[0]), append(months, key[1]), append(totals, n)
	}
	batch.Queue(`INSERT INTO rm_audit_months (group_id, month, total) SELECT * FROM unnest($1::text[], $2::text[], $3::integer[])
		ON CONFLICT (group_id, month) DO UPDATE SET total = rm_audit_months.total + excluded.total`, of, months, totals)
}

func (a *audited) flushPayers(batch *engine.Batch) {
	var subs, users []string
	var payments, kobo, pos []int64
	var at []time.Time
	for _, key := range slices.Collect(maps.Keys(a.changed)) {
		p := a.payers[key]
		subs, users, payments, kobo = append(subs, key.sub), append(users, key.user), append(payments, p.payments), append(kobo, p.kobo)
		pos, at = append(pos, p.lastPos), append(at, p.lastAt)
	}
	if len(subs) == 0 {
		return
	}
	const all = "unnest($1::text[], $2::text[], $3::integer[], $4::bigint[], $5::bigint[], $6::timestamptz[])"
	batch.Upsert(len(subs), "UPDATE rm_audit_payers p SET payments = n.payments, kobo = n.kobo, last_pos = n.last_pos, last_at = n.last_at FROM "+all+
		" AS n (sub_account_id, user_id, payments, kobo, last_pos, last_at) WHERE p.sub_account_id = n.sub_account_id AND p.user_id = n.user_id",
		"INSERT INTO rm_audit_payers (sub_account_id, user_id, payments, kobo, last_pos, last_at) SELECT * FROM "+all+" ON CONFLICT DO NOTHING", subs, users, payments, kobo, pos, at)
}

// markHandlers note what is said of a payment afterwards: by its auditor, or by the bank.
var markHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentMarked) {
		f.batch.Queue("UPDATE rm_audit SET mark = $2, marked_by = $3, marked_at = $4, reason = $5 WHERE pos = $1", m.GetPosition(), int32(m.GetMark()), m.GetMarkedBy(), e.EffectiveAt, m.GetReason())
		counts := map[nairav1.Mark]string{
			nairav1.Mark_MARK_VALIDATED: "validated = n.validated + 1", nairav1.Mark_MARK_QUERIED: "queried = n.queried + 1",
			nairav1.Mark_MARK_RESOLVED: "queried = n.queried - 1, resolved = n.resolved + 1",
		}
		f.batch.Queue("UPDATE rm_audit_months n SET "+counts[m.GetMark()]+" FROM rm_audit a WHERE a.pos = $1 AND n.group_id = a.group_id AND n.month = a.month", m.GetPosition())
		f.changes.Group(m.GetGroupId())
		f.changes.User(m.GetUserId(), "group:"+m.GetGroupId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentReversedV3) {
		f.batch.Queue("UPDATE rm_audit SET odd = odd | $3 WHERE payment_id = $1 AND pos < $2", m.GetPaymentId(), e.Pos, int32(Refunded))
	}),
}
