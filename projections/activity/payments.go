package activity

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
)

// payments gathers what a batch did to payments: those that began in it as they are at its end, and what became of
// others.
type payments struct {
	begun []begun
	at    map[string]int // Where a payment is in begun.
	ended map[string]state
}

type state struct {
	status, reason string
	paidAt         *time.Time
}

type begun struct {
	state
	m         *nairav1.PaymentInitiated
	createdAt time.Time
}

// take follows a payment through its states and answers whose it is; empty when the event is about none.
func (p *payments) take(e engine.Event) string {
	switch m := e.Message.(type) {
	case *nairav1.PaymentInitiated:
		if p.at == nil {
			p.at = map[string]int{}
		}
		p.at[m.GetPaymentId()] = len(p.begun)
		p.begun = append(p.begun, begun{state{status: "INITIATED"}, m, e.EffectiveAt})
		return m.GetUserId()
	case *nairav1.PaymentPending:
		p.become(m.GetPaymentId(), state{status: "PENDING"})
		return m.GetUserId()
	case *nairav1.PaymentConfirmed:
		paid := m.GetPaidAt().AsTime()
		p.become(m.GetPaymentId(), state{status: "CONFIRMED", paidAt: &paid})
		return m.GetUserId()
	case *nairav1.PaymentFailed:
		p.become(m.GetPaymentId(), state{status: "FAILED", reason: m.GetReason()})
		return m.GetUserId()
	case *nairav1.PaymentReversedV2:
		p.become(m.GetPaymentId(), state{status: "REVERSED", reason: m.GetReason()})
		return m.GetUserId()
	case *nairav1.PaymentExpired:
		p.become(m.GetPaymentId(), state{status: "EXPIRED"})
		return m.GetUserId()
	}
	return ""
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
	batch.Queue(`INSERT INTO rm_payments SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::bigint[],
		$7::timestamptz[], $8::timestamptz[], $9::timestamptz[], $10::text[], $11::text[], $12::integer[], $13::text[])`,
		ids, users, statuses, channels, kobo, charges, created, expires, paid, groups, subs, months, reasons)
}

// Payment is a payment through a gateway.
type Payment struct {
	ID, User, Status      string
	Channel               nairav1.Channel
	Amount, Charge        money.Kobo
	CreatedAt, ExpiresAt  time.Time
	PaidAt                *time.Time
	GroupID, SubAccountID string
	MonthID               int32
	Reason                string
}

const paymentColumns = "payment_id, user_id, status, channel, kobo, charge_kobo, created_at, expires_at, paid_at, group_id, sub_account_id, month_id, reason"

// PaymentOf reads one payment; ErrNone when there is none.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, id string) (Payment, error) {
	rows, err := pool.Query(ctx, "SELECT "+paymentColumns+" FROM rm_payments WHERE payment_id = $1", id)
	if err != nil {
		return Payment{}, err
	}
	return one(pgx.CollectExactlyOneRow(rows, pgx.RowToStructByPos[Payment]))
}

// OpenPayments reads a member's payments that are neither confirmed nor ended, newest first.
func OpenPayments(ctx context.Context, pool *pgxpool.Pool, userID string, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE status IN ('INITIATED', 'PENDING') AND user_id = $1 ORDER BY created_at DESC LIMIT $2`, userID, limit))
}

// AnyOpenPayments reads some of everybody's open payments. They are drawn by lot, so that each one's turn comes however
// many there are and however long the others stay.
func AnyOpenPayments(ctx context.Context, pool *pgxpool.Pool, limit int) ([]Payment, error) {
	return collect(pool.Query(ctx, "SELECT "+paymentColumns+` FROM rm_payments
		WHERE status IN ('INITIATED', 'PENDING') ORDER BY random() LIMIT $1`, limit))
}

func collect(rows pgx.Rows, err error) ([]Payment, error) {
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Payment])
}
