// Package bankbook is the read model of what moved on the house's bank accounts, by the ledger: the other half of a bank's
// statement.
package bankbook

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Name is the model's name.
const Name = "bankbook"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 4, Tables: []string{"rm_bank_lines", "rm_bank_payouts"}, Fold: fold,
		Ignores: event.Others(
			&nairav1.PaymentConfirmed{}, &nairav1.PaymentReversedV2{}, &nairav1.UnmatchedMoneyReceived{}, &nairav1.WithdrawalRequested{},
			&nairav1.UnmatchedMatched{}, &nairav1.ArrivalNamed{}, &nairav1.HeldArrivalSettled{},
			&nairav1.WithdrawalSent{}, &nairav1.WithdrawalPaid{}, &nairav1.WithdrawalFailed{}, &nairav1.WithdrawalReversed{},
			&nairav1.LiquidationRequested{}, &nairav1.LiquidationAsked{}, &nairav1.LiquidationSent{}, &nairav1.LiquidationPaid{}, &nairav1.LiquidationFailed{},
			&nairav1.LiquidationReversed{}, &nairav1.HoldCaptured{}, // What is captured can go to a bank.
		),
		Schema: `
			CREATE TABLE rm_bank_lines (
				pos bigint PRIMARY KEY, channel integer NOT NULL, kobo bigint NOT NULL, provider_ref text NOT NULL, reference text NOT NULL,
				about text NOT NULL, at timestamptz NOT NULL, recorded_at timestamptz NOT NULL,
				also text[] NOT NULL, -- Other names that the bank has for it.
				undone bigint);       -- The position at which it turned out to be a payment's, which has a line of its own.
			CREATE TABLE rm_bank_payouts (
				pos bigint PRIMARY KEY, withdrawal_id text NOT NULL, reference text NOT NULL, net bigint NOT NULL, status text NOT NULL, channel integer NOT NULL);
			CREATE INDEX ON rm_bank_payouts (withdrawal_id, status, pos)`,
		Indexes: `CREATE INDEX ON rm_bank_lines (at); CREATE INDEX ON rm_bank_lines (channel, provider_ref); CREATE INDEX ON rm_bank_lines (about) WHERE about <> ''; CREATE INDEX ON rm_bank_payouts (reference, channel, pos DESC)`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		queueStatus(batch, e)
		if queueName(batch, e) {
			continue
		}
		for _, line := range e.Lines {
			if channel, ok := channels[line.Account]; ok && line.Amount != 0 {
				// What the house has stands as negative balances: a debit came in.
				p := partyOf(e)
				batch.Queue(`INSERT INTO rm_bank_lines VALUES ($1, $2, $3::bigint, $4, coalesce((SELECT reference FROM rm_bank_payouts WHERE withdrawal_id = $6::text AND status = 'SENT' ORDER BY pos DESC LIMIT 1), $5), $6::text, $7, $8,
					CASE WHEN $3::bigint > 0 THEN ARRAY(SELECT unnest(provider_ref || also) FROM rm_bank_lines WHERE about <> '' AND about = $6::text AND undone IS NOT NULL) ELSE '{}' END)`,
					e.Pos, int32(channel), -int64(line.Amount), p.providerRef, p.reference, p.about, p.at, e.RecordedAt)
			}
		}
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
}

// queueName notes what names a bank has for money that came in, and that money in suspense turned out to be a payment's. It
// reports whether the event was about that.
func queueName(batch *pgx.Batch, e engine.Event) bool {
	switch m := e.Message.(type) {
	case *nairav1.UnmatchedMatched:
		batch.Queue(`UPDATE rm_bank_lines SET undone = $1, about = $2 WHERE channel = $3 AND provider_ref = $4 AND kobo > 0 AND about = ''`,
			e.Pos, m.GetPaymentId(), int32(m.GetChannel()), m.GetProviderRef())
	case *nairav1.ArrivalNamed:
		batch.Queue(`UPDATE rm_bank_lines SET also = also || $3::text WHERE channel = $1 AND kobo > 0 AND undone IS NULL AND provider_ref <> $3::text AND (provider_ref = $2
			OR about <> '' AND about IN (SELECT about FROM rm_bank_lines WHERE channel = $1 AND provider_ref = $2 AND undone IS NOT NULL))`,
			int32(m.GetChannel()), m.GetKnownAs(), m.GetProviderRef())
	case *nairav1.HeldArrivalSettled:
		if m.GetPaymentId() != "" {
			batch.Queue(`UPDATE rm_bank_lines SET also = also || $3::text WHERE about = $2 AND channel = $1 AND kobo > 0 AND undone IS NULL`,
				int32(m.GetChannel()), m.GetPaymentId(), m.GetProviderRef())
		}
	default:
		return false
	}
	return true
}

// queueStatus notes what becomes of a payout, by what the bank knows it.
func queueStatus(batch *pgx.Batch, e engine.Event) {
	ended := func(id string, status Status) {
		batch.Queue(`INSERT INTO rm_bank_payouts SELECT $1, withdrawal_id, reference, net, $3, channel FROM rm_bank_payouts WHERE withdrawal_id = $2 AND status = 'SENT' ORDER BY pos DESC LIMIT 1`, e.Pos, id, status)
	}
	switch m := e.Message.(type) {
	case *nairav1.WithdrawalRequested:
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		batch.Queue(`INSERT INTO rm_bank_payouts VALUES ($1, $2, '', $3, 'REQUESTED', $4)`, e.Pos, m.GetWithdrawalId(), net, int32(m.GetChannel()))
	case *nairav1.WithdrawalSent:
		batch.Queue(`INSERT INTO rm_bank_payouts SELECT $1, withdrawal_id, $3, net, 'SENT', channel FROM rm_bank_payouts WHERE withdrawal_id = $2 AND status = 'REQUESTED'`,
			e.Pos, m.GetWithdrawalId(), m.GetReference())
	case *nairav1.WithdrawalPaid:
		ended(m.GetWithdrawalId(), Paid)
	case *nairav1.WithdrawalFailed:
		ended(m.GetWithdrawalId(), Failed)
	case *nairav1.WithdrawalReversed:
		ended(m.GetWithdrawalId(), Reversed)
	case *nairav1.LiquidationRequested:
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		batch.Queue(`INSERT INTO rm_bank_payouts VALUES ($1, $2, '', $3, 'REQUESTED', $4)`, e.Pos, m.GetLiquidationId(), net, int32(m.GetChannel()))
	case *nairav1.LiquidationAsked:
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		batch.Queue(`INSERT INTO rm_bank_payouts VALUES ($1, $2, '', $3, 'REQUESTED', $4)`, e.Pos, m.GetLiquidationId(), net, int32(m.GetChannel()))
	case *nairav1.LiquidationSent:
		batch.Queue(`INSERT INTO rm_bank_payouts SELECT $1, withdrawal_id, $3, net, 'SENT', channel FROM rm_bank_payouts WHERE withdrawal_id = $2 AND status = 'REQUESTED'`,
			e.Pos, m.GetLiquidationId(), m.GetReference())
	case *nairav1.LiquidationPaid:
		ended(m.GetLiquidationId(), Paid)
	case *nairav1.LiquidationFailed:
		ended(m.GetLiquidationId(), Failed)
	case *nairav1.LiquidationReversed:
		ended(m.GetLiquidationId(), Reversed)
	}
}

var channels = map[string]nairav1.Channel{
	"bank:transfer": nairav1.Channel_CHANNEL_BANK_TRANSFER,
	"bank:card":     nairav1.Channel_CHANNEL_CARD,
}

// party is what a bank's line can be known by.
type party struct {
	providerRef, reference string
	about                  string // The payment or payout.
	at                     time.Time
}

func partyOf(e engine.Event) party {
	switch m := e.Message.(type) {
	case *nairav1.PaymentConfirmed:
		return party{m.GetProviderRef(), m.GetPaymentId(), m.GetPaymentId(), m.GetPaidAt().AsTime()}
	case *nairav1.UnmatchedMoneyReceived:
		return party{m.GetProviderRef(), m.GetReference(), "", m.GetPaidAt().AsTime()}
	case *nairav1.PaymentReversedV2:
		return party{m.GetProviderRef(), m.GetPaymentId(), m.GetPaymentId(), e.EffectiveAt}
	case *nairav1.WithdrawalPaid:
		return party{m.GetProviderRef(), m.GetWithdrawalId(), m.GetWithdrawalId(), m.GetPaidAt().AsTime()}
	case *nairav1.WithdrawalReversed:
		return party{m.GetProviderRef(), m.GetWithdrawalId(), m.GetWithdrawalId(), e.EffectiveAt}
	case *nairav1.LiquidationPaid:
		return party{m.GetProviderRef(), m.GetLiquidationId(), m.GetLiquidationId(), m.GetPaidAt().AsTime()}
	case *nairav1.LiquidationReversed:
		return party{m.GetProviderRef(), m.GetLiquidationId(), m.GetLiquidationId(), e.EffectiveAt}
	default:
		return party{at: e.EffectiveAt}
	}
}

// Line is one movement on a bank account, by the ledger.
type Line struct {
	Pos         int64
	Channel     nairav1.Channel
	Moved       money.Kobo // Above zero for money that came in.
	ProviderRef string
	Reference   string    // What the bank knows it by, if we gave it that.
	At          time.Time // By the bank's clock.
	RecordedAt  time.Time
	Also        []string // Other names that the bank has for it.
}

// Since reads what moved since a moment, up to a position, in the ledger's order.
func Since(ctx context.Context, tx pgx.Tx, at time.Time, upTo int64) ([]Line, error) {
	rows, err := tx.Query(ctx, "SELECT pos, channel, kobo, provider_ref, reference, at, recorded_at, also FROM rm_bank_lines WHERE at >= $1 AND pos <= $2 AND coalesce(undone > $2, true) ORDER BY pos", at, upTo)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
}

// PaymentOf answers the payment that money came for under a bank's own reference; empty when it was none.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, channel nairav1.Channel, providerRef string) (payment string, err error) {
	err = pool.QueryRow(ctx, "SELECT about FROM rm_bank_lines WHERE channel = $1 AND provider_ref = $2 AND kobo > 0 AND about <> '' LIMIT 1", int32(channel), providerRef).Scan(&payment)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return payment, err
}

// About reads what moved at the banks for payments and payouts, by their ids, in the ledger's order.
func About(ctx context.Context, pool *pgxpool.Pool, ids []string) (map[string][]Line, error) {
	rows, err := pool.Query(ctx, "SELECT about, pos, channel, kobo, provider_ref, reference, at, recorded_at FROM rm_bank_lines WHERE about <> '' AND undone IS NULL AND about = ANY($1) ORDER BY pos", ids)
	if err != nil {
		return nil, err
	}
	lines := map[string][]Line{}
	var about string
	var l Line
	_, err = pgx.ForEachRow(rows, []any{&about, &l.Pos, &l.Channel, &l.Moved, &l.ProviderRef, &l.Reference, &l.At, &l.RecordedAt}, func() error {
		lines[about] = append(lines[about], l)
		return nil
	})
	return lines, err
}

// PayoutOf answers the payout that the bank was told of under a reference; empty when it was none.
func PayoutOf(ctx context.Context, pool *pgxpool.Pool, reference string) (id string, err error) {
	err = pool.QueryRow(ctx, "SELECT withdrawal_id FROM rm_bank_payouts WHERE reference = $1 ORDER BY pos DESC LIMIT 1", reference).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return id, err
}

// Status is how a payout stands of which the bank was told.
type Status string

// The statuses.
const (
	Sent     Status = "SENT" // It is not known how it ended: it is asked about.
	Paid     Status = "PAID"
	Failed   Status = "FAILED"
	Reversed Status = "REVERSED"
)

// Payout is a payout of which the bank was told.
type Payout struct {
	Withdrawal string     // Its id, or that of a group's payout.
	Net        money.Kobo // What it was to pay.
	Status     Status
}

// Known is what a bank knows a payout by. Two may know different ones by the same.
type Known struct {
	Channel   nairav1.Channel
	Reference string
}

// Payouts are those that the banks know by some references, as they stood at a position.
func Payouts(ctx context.Context, tx pgx.Tx, references []string, upTo int64) (map[Known]Payout, error) {
	rows, err := tx.Query(ctx, `SELECT DISTINCT ON (channel, reference) channel, reference, withdrawal_id, net, status FROM rm_bank_payouts
		WHERE reference = ANY($1) AND pos <= $2 ORDER BY channel, reference, pos DESC`, references, upTo)
	if err != nil {
		return nil, err
	}
	sent := map[Known]Payout{}
	var by Known
	var p Payout
	_, err = pgx.ForEachRow(rows, []any{&by.Channel, &by.Reference, &p.Withdrawal, &p.Net, &p.Status}, func() error { sent[by] = p; return nil })
	return sent, err
}

// Likely is a payment that may be the same money as some that a bank told of by another name.
type Likely struct {
	Payment, ProviderRef string
	At                   time.Time
}

// likelyMost is how many payments are thought of.
const likelyMost = 10

// LikelyFor are payments that came with an amount within a time of a moment, by their bank's clock, the nearest first.
func LikelyFor(ctx context.Context, pool *pgxpool.Pool, channel nairav1.Channel, amount money.Kobo, at time.Time, within time.Duration) ([]Likely, error) {
	rows, err := pool.Query(ctx, `SELECT about, provider_ref, at FROM rm_bank_lines
		WHERE at BETWEEN $1 AND $2 AND channel = $3 AND kobo = $4 AND about <> '' AND undone IS NULL ORDER BY abs(extract(epoch FROM at - $5)) LIMIT $6`,
		at.Add(-within), at.Add(within), int32(channel), int64(amount), at, likelyMost)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Likely])
}
