package unmatched

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

var table = engine.Handlers(slices.Concat(suspenseHandlers, sendBackHandlers)...)

// suspenseHandlers note possible owners of the money, its final owner, and the payment that it turned out to be.
var suspenseHandlers = []engine.Handler[*pgx.Batch]{
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.UnmatchedMoneyReceivedV2) {
		begin(batch, e, Open, m, m.GetReason(), m.GetPaidAt().AsTime())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ArrivalHeldV2) {
		begin(batch, e, Held, m, m.GetReason(), m.GetPaidAt().AsTime())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ReturnedMoneyParkedV2) {
		begin(batch, e, Open, m, m.GetReason(), e.EffectiveAt)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.MoneyClaimed) {
		batch.Queue(`UPDATE rm_unmatched SET claims = claims || $2::text WHERE stream = $1`, e.Stream, m.GetDisputeId())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.UnmatchedProposed) {
		batch.Queue(`UPDATE rm_unmatched SET status = 'PROPOSED', user_id = $2, proposed_by = $3, proposal_reason = $4, proposed_at = $5 WHERE stream = $1`,
			e.Stream, m.GetUserId(), m.GetProposedBy(), m.GetReason(), e.RecordedAt)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ReturnProposed) {
		batch.Queue(`UPDATE rm_unmatched SET status = 'PROPOSED', payout_id = $2, proposed_by = $3, proposal_reason = $4, proposed_at = $5 WHERE stream = $1`,
			e.Stream, m.GetPayoutId(), m.GetProposedBy(), m.GetReason(), e.RecordedAt)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, _ *nairav1.UnmatchedDeclined) {
		end(batch, e, Open, "")
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.UnmatchedAssigned) {
		batch.Queue(`UPDATE rm_unmatched SET status = 'ASSIGNED', approved_by = $2, assigned_pos = $3 WHERE stream = $1`, e.Stream, m.GetApprovedBy(), e.Pos)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.UnmatchedTakenBack) {
		status := Open
		if m.GetLeftKobo() == 0 {
			status = Returned
		}
		end(batch, e, status, "")
		batch.Queue(`UPDATE rm_unmatched SET kobo = $2 WHERE stream = $1 AND $2 > 0`, e.Stream, m.GetLeftKobo())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.UnmatchedMatchedV2) {
		end(batch, e, Matched, m.GetPaymentId())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.HeldArrivalSettledV2) {
		end(batch, e, Matched, m.GetPaymentId()) // Where it is no payment's, it is received next.
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ArrivalCreditedV2) {
		end(batch, e, Matched, m.GetPaymentId())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ReturnedMoneyMatched) {
		end(batch, e, Matched, "")
		batch.Queue(`UPDATE rm_unmatched SET payout_id = $2 WHERE stream = $1`, e.Stream, m.GetPayoutId())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, _ *nairav1.ArrivalNamedV2) {
		end(batch, e, Matched, "")
	}),
}

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		table.Take(batch, e)
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{Desks: []string{engine.FinanceDesk}}, tx.SendBatch(ctx, batch).Close()
}

// begin notes money, which may have been held before.
func begin(batch *pgx.Batch, e engine.Event, status string, m interface {
	GetProviderRef() string
	GetProvider() string
	GetChannel() nairav1.Channel
	GetAmountKobo() int64
	GetReference() string
}, reason string, paidAt time.Time,
) {
	batch.Queue(`INSERT INTO rm_unmatched (stream, provider_ref, id, pos, status, provider, channel, kobo, reference, reason, paid_at, recorded_at,
		user_id, proposed_by, proposal_reason, proposed_at, approved_by, payment_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, '', '', '', NULL, '', '')
		ON CONFLICT (stream) DO UPDATE SET status = excluded.status, reference = excluded.reference, reason = excluded.reason`,
		e.Stream, m.GetProviderRef(), [16]byte(e.ID()), e.Pos, status, m.GetProvider(), int32(m.GetChannel()), m.GetAmountKobo(), m.GetReference(), reason, paidAt, e.RecordedAt)
}

// end removes a proposal, if there is one, and writes the money's new status.
func end(batch *pgx.Batch, e engine.Event, status, payment string) {
	batch.Queue(`UPDATE rm_unmatched SET status = $2, payment_id = $3, user_id = '', proposed_by = '', proposal_reason = '', payout_id = '', proposed_at = NULL WHERE stream = $1`,
		e.Stream, status, payment)
	batch.Queue(`UPDATE rm_send_backs SET status = 'DROPPED' WHERE stream = $1 AND status = 'PROPOSED'`, e.Stream)
}
