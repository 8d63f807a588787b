// Package payouts is the read model of withdrawals: how each stands and what happened to it.
package payouts

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Name is the model's name.
const Name = "payouts"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_payouts"}, Fold: fold,
		Ignores: event.Others(
			&nairav1.WithdrawalRequested{}, &nairav1.WithdrawalSent{}, &nairav1.WithdrawalPaid{}, &nairav1.WithdrawalFailed{},
			&nairav1.WithdrawalReversed{},
		),
		Schema: `CREATE TABLE rm_payouts (
			withdrawal_id text PRIMARY KEY, user_id text NOT NULL, pos bigint NOT NULL, event_id uuid NOT NULL, status text NOT NULL,
			kobo bigint NOT NULL, fee bigint NOT NULL, vat bigint NOT NULL, duty bigint NOT NULL, fee_table integer NOT NULL, channel integer NOT NULL,
			requested_at timestamptz NOT NULL, sent_at timestamptz, sent_pos bigint NOT NULL DEFAULT 0, paid_at timestamptz, paid_pos bigint NOT NULL DEFAULT 0,
			ended_at timestamptz, ended_pos bigint NOT NULL DEFAULT 0, provider_ref text NOT NULL DEFAULT '', reason text NOT NULL DEFAULT '')`,
		Indexes: `CREATE INDEX ON rm_payouts (user_id, pos DESC); CREATE INDEX ON rm_payouts (pos) WHERE status IN ('REQUESTED', 'SENT')`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	var changes engine.Changes
	batch := &pgx.Batch{}
	for _, e := range events {
		if user := queue(batch, e); user != "" {
			changes.User(user, "wallet")
			changes.User(user, "activity") // Its movements tell its story.
		}
	}
	if batch.Len() == 0 {
		return changes, nil
	}
	return changes, tx.SendBatch(ctx, batch).Close()
}

// queue writes what an event did and answers whose withdrawal it is; empty when it is about none.
func queue(batch *pgx.Batch, e engine.Event) string {
	switch m := e.Message.(type) {
	case *nairav1.WithdrawalRequested:
		batch.Queue(`INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, channel, requested_at)
			VALUES ($1, $2, $3, $4, 'REQUESTED', $5, $6, $7, $8, $9, $10, $11)`, m.GetWithdrawalId(), m.GetUserId(), e.Pos, e.ID(), m.GetAmountKobo(), m.GetFeeKobo(),
			m.GetVatKobo(), m.GetDutyKobo(), m.GetFeeTable(), int32(m.GetChannel()), e.EffectiveAt)
		return m.GetUserId()
	case *nairav1.WithdrawalSent:
		batch.Queue(`UPDATE rm_payouts SET status = 'SENT', sent_at = $2, sent_pos = $3 WHERE withdrawal_id = $1`, m.GetWithdrawalId(), e.EffectiveAt, e.Pos)
		return m.GetUserId()
	case *nairav1.WithdrawalPaid:
		batch.Queue(`UPDATE rm_payouts SET status = 'PAID', paid_at = $2, paid_pos = $3, provider_ref = $4 WHERE withdrawal_id = $1`,
			m.GetWithdrawalId(), m.GetPaidAt().AsTime(), e.Pos, m.GetProviderRef())
		return m.GetUserId()
	case *nairav1.WithdrawalFailed:
		ended(batch, e, m.GetWithdrawalId(), "FAILED", m.GetReason())
		return m.GetUserId()
	case *nairav1.WithdrawalReversed:
		ended(batch, e, m.GetWithdrawalId(), "REVERSED", m.GetReason())
		return m.GetUserId()
	}
	return ""
}

func ended(batch *pgx.Batch, e engine.Event, id, status, reason string) {
	batch.Queue(`UPDATE rm_payouts SET status = $2, ended_at = $3, ended_pos = $4, reason = $5 WHERE withdrawal_id = $1`, id, status, e.EffectiveAt, e.Pos, reason)
}

// Payout is a withdrawal as it stands.
type Payout struct {
	ID, User                   string
	Pos                        int64
	EventID                    uuid.UUID // Of its request: the movement.
	Status                     string
	Amount, Fee, VAT, Duty     money.Kobo
	FeeTable                   int32
	Channel                    nairav1.Channel
	RequestedAt                time.Time
	SentAt, PaidAt, EndedAt    *time.Time
	SentPos, PaidPos, EndedPos int64
	ProviderRef, Reason        string
}

// Net is what arrives.
func (p Payout) Net() money.Kobo { return p.Amount - p.Charges() }

// Charges are what it costs, out of the amount.
func (p Payout) Charges() money.Kobo { return p.Fee + p.VAT + p.Duty }

const columns = `SELECT withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, channel, requested_at, sent_at, paid_at, ended_at,
	sent_pos, paid_pos, ended_pos, provider_ref, reason FROM rm_payouts `

func read(ctx context.Context, pool *pgxpool.Pool, sql string, args ...any) ([]Payout, error) {
	rows, err := pool.Query(ctx, columns+sql, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (p Payout, err error) {
		err = row.Scan(&p.ID, &p.User, &p.Pos, &p.EventID, &p.Status, &p.Amount, &p.Fee, &p.VAT, &p.Duty, &p.FeeTable, &p.Channel, &p.RequestedAt,
			&p.SentAt, &p.PaidAt, &p.EndedAt, &p.SentPos, &p.PaidPos, &p.EndedPos, &p.ProviderRef, &p.Reason)
		return p, err
	})
}

// ErrNone is returned for a withdrawal that is not the reader's.
var ErrNone = errors.New("payouts: no such withdrawal")

// Page reads a member's withdrawals before a position (0: from the newest), newest first.
func Page(ctx context.Context, pool *pgxpool.Pool, userID string, before int64, limit int) ([]Payout, error) {
	return read(ctx, pool, `WHERE user_id = $1 AND ($2 = 0 OR pos < $2) ORDER BY pos DESC LIMIT $3`, userID, before, limit)
}

// One reads a withdrawal, whoever's it is.
func One(ctx context.Context, pool *pgxpool.Pool, id string) (Payout, error) {
	found, err := read(ctx, pool, `WHERE withdrawal_id = $1`, id)
	if err == nil && len(found) == 0 {
		err = ErrNone
	}
	if err != nil {
		return Payout{}, err
	}
	return found[0], nil
}

// Standing reads withdrawals in a status after a position, the oldest first.
func Standing(ctx context.Context, pool *pgxpool.Pool, after int64, limit int, status string) ([]Payout, error) {
	return read(ctx, pool, `WHERE status IN ('REQUESTED', 'SENT') AND status = $3 AND pos > $1 ORDER BY pos LIMIT $2`, after, limit, status)
}

// Open reads withdrawals of which the end is not known, after a position, the oldest first.
func Open(ctx context.Context, pool *pgxpool.Pool, after int64, limit int) ([]Payout, error) {
	return read(ctx, pool, `WHERE status IN ('REQUESTED', 'SENT') AND pos > $1 ORDER BY pos LIMIT $2`, after, limit)
}

// InTransit is how many of them there are, and what is to arrive of them in all.
func InTransit(ctx context.Context, pool *pgxpool.Pool) (count int, net money.Kobo, err error) {
	err = pool.QueryRow(ctx, `SELECT count(*), coalesce(sum(kobo - fee - vat - duty), 0)::bigint FROM rm_payouts WHERE status IN ('REQUESTED', 'SENT')`).Scan(&count, &net)
	return count, net, err
}
