package activity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// payments collects the effects of a batch on payments: those that began in it, in their final state, and the changes
// of others.
type payments struct {
	begun []begun
	at    map[string]int // The index of a payment in begun.
	ended map[string]state
}

type state struct {
	status, reason string
	paidAt         *time.Time
}

type begun struct {
	state
	m         *nairav1.PaymentInitiatedV2
	createdAt time.Time
}

// paymentHandlers follow payments through their states.
var paymentHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.PaymentInitiatedV2) {
		f.payments.begin(m, e.EffectiveAt)
		f.changes.User(m.GetUserId(), "activity")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentPending) {
		f.payments.become(m.GetPaymentId(), state{status: "PENDING"})
		f.changes.User(m.GetUserId(), "activity")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentConfirmedV2) {
		paid := m.GetPaidAt().AsTime()
		f.payments.become(m.GetPaymentId(), state{status: "CONFIRMED", paidAt: &paid})
		f.changes.User(m.GetUserId(), "activity")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentFailed) {
		f.payments.become(m.GetPaymentId(), state{status: "FAILED", reason: m.GetReason()})
		f.changes.User(m.GetUserId(), "activity")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentReversedV3) {
		f.payments.become(m.GetPaymentId(), state{status: "REVERSED", reason: m.GetReason()})
		f.changes.User(m.GetUserId(), "activity")
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PaymentExpired) {
		f.payments.become(m.GetPaymentId(), state{status: "EXPIRED"})
		f.changes.User(m.GetUserId(), "activity")
	}),
}

func (p *payments) begin(m *nairav1.PaymentInitiatedV2, at time.Time) {
	if p.at == nil {
		p.at = map[string]int{}
	}
	p.at[m.GetPaymentId()] = len(p.begun)
	p.begun = append(p.begun, begun{state{status: "INITIATED"}, m, at})
}

func (p *payments) become(id string, s state) {
	if at, here := p.at[id]; here {
		p.begun[at].state = s
		return
	}
	if p.ended == nil {
		p.ended = map[string]state{}
	}
	p.ended[id] = s
}

func (p *payments) write(ctx context.Context, tx pgx.Tx) error {
	batch := &pgx.Batch{}
	if len(p.begun) > 0 {
		p.queueBegun(batch)
	}
	if len(p.ended) > 0 {
		var ids, statuses, reasons []string
		var paid []*time.Time
		for id, s := range p.ended {
			ids, statuses, reasons, paid = append(ids, id), append(statuses, s.status), append(reasons, s.reason), append(paid, s.paidAt)
		}
		batch.Queue(`UPDATE rm_payments p SET status = s.status, reason = s.reason, paid_at = s.paid_at
			FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[]) AS s (id, status, reason, paid_at) WHERE p.payment_id = s.id`, ids, statuses, reasons, paid)
	}
	if batch.Len() == 0 {
		return nil
	}
	return tx.SendBatch(ctx, batch).Close()
}

func (p *payments) queueBegun(batch *pgx.Batch) {
	var (
		ids, users, statuses, groups, subs, reasons []string
		channels, months                            []int32
		kobo, charges                               []int64
		created, expires                            []time.Time
		paid                                        []*time.Time
	)
	for _, b := range p.begun {
		c := b.m.GetContribution()
		ids, users, statuses = append(ids, b.m.GetPaymentId()), append(users, b.m.GetUserId()), append(statuses, b.status)
		channels, months = append(channels, int32(b.m.GetChannel())), append(months, c.GetMonthId())
		kobo, charges = append(kobo, b.m.GetAmountKobo()), append(charges, b.m.GetChargeKobo())
		created, expires, paid = append(created, b.createdAt), append(expires, b.m.GetExpiresAt().AsTime()), append(paid, b.paidAt)
		groups, subs, reasons = append(groups, c.GetGroupId()), append(subs, c.GetSubAccountId()), append(reasons, b.reason)
	}
	batch.Queue(`INSERT INTO rm_payments (payment_id, user_id, status, channel, kobo, charge_kobo, created_at, expires_at, paid_at, group_id, sub_account_id, month_id, reason) SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[],
		$7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::text[], $11::text[], $12::integer[], $13::text[])`,
		ids, users, statuses, channels, kobo, charges, created, expires, paid, groups, subs, months, reasons)
}
