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

	"adashi.ng/ledger/money"
)

// Name is the model's name.
const Name = "bankbook"

// Model is the read model.
func Model() engine.Model {
	return engine.Model{
		Name: Name, Version: 1, Tables: []string{"rm_bank_lines"}, Fold: fold,
		Schema: `
			CREATE TABLE rm_bank_lines (
				pos bigint PRIMARY KEY, channel integer NOT NULL, kobo bigint NOT NULL, provider_ref text NOT NULL, reference text NOT NULL,
				about text NOT NULL, at timestamptz NOT NULL, recorded_at timestamptz NOT NULL);
			CREATE INDEX ON rm_bank_lines (about) WHERE kobo = 0`,
		Indexes: `CREATE INDEX ON rm_bank_lines (at); CREATE INDEX ON rm_bank_lines (channel, provider_ref); CREATE INDEX ON rm_bank_lines (reference) WHERE kobo = 0`,
	}
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		if m, ok := e.Message.(*nairav1.WithdrawalSent); ok {
			// It has moved nothing yet; it tells by what the bank knows it.
			batch.Queue("INSERT INTO rm_bank_lines VALUES ($1, 0, 0, '', $2, $3, $4, $5)", e.Pos, m.GetReference(), m.GetWithdrawalId(), e.EffectiveAt, e.RecordedAt)
		}
		for _, line := range e.Lines {
			if channel, ok := channels[line.Account]; ok && line.Amount != 0 {
				// What the house has stands as negative balances: a debit came in.
				p := partyOf(e)
				batch.Queue(`INSERT INTO rm_bank_lines VALUES ($1, $2, $3, $4, coalesce((SELECT reference FROM rm_bank_lines WHERE about = $6 AND kobo = 0), $5), $6, $7, $8)`,
					e.Pos, int32(channel), -int64(line.Amount), p.providerRef, p.reference, p.about, p.at, e.RecordedAt)
			}
		}
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
}

var channels = map[string]nairav1.Channel{
	"bank:transfer": nairav1.Channel_CHANNEL_BANK_TRANSFER,
	"bank:card":     nairav1.Channel_CHANNEL_CARD,
}

// party is what a bank's line can be known by.
type party struct {
	providerRef, reference string
	about                  string // The payment or withdrawal.
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
}

// Since reads what moved since a moment, up to a position, in the ledger's order.
func Since(ctx context.Context, tx pgx.Tx, at time.Time, upTo int64) ([]Line, error) {
	rows, err := tx.Query(ctx, "SELECT pos, channel, kobo, provider_ref, reference, at, recorded_at FROM rm_bank_lines WHERE at >= $1 AND pos <= $2 AND kobo <> 0 ORDER BY pos", at, upTo)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Line])
}

// PaymentOf answers the payment that money came for under a bank's own reference; empty when it was none.
func PaymentOf(ctx context.Context, pool *pgxpool.Pool, channel nairav1.Channel, providerRef string) (payment string, err error) {
	err = pool.QueryRow(ctx, "SELECT about FROM rm_bank_lines WHERE channel = $1 AND provider_ref = $2 AND kobo > 0 LIMIT 1", int32(channel), providerRef).Scan(&payment)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", nil
	}
	return payment, err
}

// Payouts are those of some references that we sent, whether or not we know how they ended.
func Payouts(ctx context.Context, pool *pgxpool.Pool, references []string) (map[string]bool, error) {
	rows, err := pool.Query(ctx, "SELECT reference FROM rm_bank_lines WHERE reference = ANY($1) AND kobo = 0", references)
	if err != nil {
		return nil, err
	}
	sent := map[string]bool{}
	var reference string
	_, err = pgx.ForEachRow(rows, []any{&reference}, func() error { sent[reference] = true; return nil })
	return sent, err
}
