package payouts

import (
	"context"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	f := &folding{}
	for _, e := range events {
		table.Take(f, e)
	}
	if f.batch.Len() == 0 {
		return f.changes, nil
	}
	return f.changes, tx.SendBatch(ctx, &f.batch).Close()
}

// folding collects the effects of a batch of events.
type folding struct {
	batch   pgx.Batch
	changes engine.Changes
}

// told notes that a user's withdrawal changed.
func (f *folding) told(user string) {
	f.changes.User(user, "wallet")
	f.changes.User(user, "activity") // Its movements show the withdrawal's history.
	f.changes.Desks = []string{engine.FinanceDesk}
}

func (f *folding) ended(e engine.Event, id, status, reason string) {
	f.batch.Queue(`UPDATE rm_payouts SET status = $2, ended_at = $3, ended_pos = $4, reason = $5 WHERE withdrawal_id = $1`, id, status, e.EffectiveAt, e.Pos, reason)
}

var table = engine.Handlers(
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalRequestedV2) {
		f.batch.Queue(`INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, provider, requested_at)
			VALUES ($1, $2, $3, $4, 'REQUESTED', $5, $6, $7, $8, $9, $10, $11)`, m.GetWithdrawalId(), m.GetUserId(), e.Pos, e.ID(), m.GetAmountKobo(), m.GetFeeKobo(),
			m.GetVatKobo(), m.GetDutyKobo(), m.GetFeeTable(), m.GetProvider(), e.EffectiveAt)
		f.told(m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalSent) {
		f.batch.Queue(`UPDATE rm_payouts SET status = 'SENT', sent_at = $2, sent_pos = $3 WHERE withdrawal_id = $1`, m.GetWithdrawalId(), e.EffectiveAt, e.Pos)
		f.told(m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalPaidV2) {
		f.batch.Queue(`UPDATE rm_payouts SET status = 'PAID', paid_at = $2, paid_pos = $3, provider_ref = $4 WHERE withdrawal_id = $1`,
			m.GetWithdrawalId(), m.GetPaidAt().AsTime(), e.Pos, m.GetProviderRef())
		f.told(m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalFailed) {
		f.ended(e, m.GetWithdrawalId(), "FAILED", m.GetReason())
		f.told(m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.WithdrawalReversedV2) {
		f.ended(e, m.GetWithdrawalId(), "REVERSED", m.GetReason())
		f.told(m.GetUserId())
	}),
)
