package bankbook

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine"
)

func fold(ctx context.Context, tx pgx.Tx, _ engine.Part, events []engine.Event) (engine.Changes, error) {
	batch := &pgx.Batch{}
	for _, e := range events {
		table.Take(batch, e)
		switch e.Message.(type) {
		case *nairav1.UnmatchedMatchedV2, *nairav1.ReturnedMoneyMatched:
			continue // The line that it undoes is known.
		}
		if lost, is := e.Message.(*nairav1.PaymentLossBorne); is {
			borne(batch, e, lost)
			continue
		}
		for _, line := range e.Lines {
			if provider, ok := event.ProviderOf(line.Account); ok && line.Amount != 0 {
				note(batch, e, provider, -int64(line.Amount)) // Adashi's assets are negative balances: a debit came in.
			}
		}
	}
	if batch.Len() == 0 {
		return engine.Changes{}, nil
	}
	return engine.Changes{}, tx.SendBatch(ctx, batch).Close()
}

// note writes a movement on an account. Money that came in for a payment, or back of a payout, has all bank references
// under which it was reported.
func note(batch *pgx.Batch, e engine.Event, provider event.Provider, kobo int64) {
	p := partyOf(e)
	if m, is := e.Message.(*nairav1.BankChargePosted); is {
		batch.Queue(`INSERT INTO rm_bank_lines (pos, provider, kobo, provider_ref, reference, about, at, recorded_at, also, charge, charge_of) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '{}', true,
			(SELECT pos FROM rm_bank_lines WHERE about = $6 AND provider = $2 AND kobo < 0 AND charge_of IS NULL AND (provider_ref = $4 OR provider_ref = '' AND reference = $5) ORDER BY charge, pos LIMIT 1))`,
			e.Pos, string(provider), kobo, p.providerRef, m.GetReference(), p.about, p.at, e.RecordedAt)
		return
	}
	batch.Queue(`INSERT INTO rm_bank_lines (pos, provider, kobo, provider_ref, reference, about, at, recorded_at, also) VALUES ($1, $2, $3::bigint, $4,
		coalesce((SELECT reference FROM rm_bank_payouts WHERE withdrawal_id = $6::text AND status = 'SENT' AND $5::text = $6::text ORDER BY pos DESC LIMIT 1), $5), $6::text, $7, $8,
		CASE WHEN $3::bigint > 0 THEN ARRAY(SELECT unnest(provider_ref || also) FROM rm_bank_lines WHERE about <> '' AND about = $6::text AND undone IS NOT NULL) ELSE '{}' END)`,
		e.Pos, string(provider), kobo, p.providerRef, p.reference, p.about, p.at, e.RecordedAt)
	switch m := e.Message.(type) {
	case *nairav1.UnmatchedTakenBack:
		taken(batch, e, m)
	case *nairav1.SendBackLossBorne:
		taken(batch, e, m)
	}
	if kobo < 0 && p.about != "" { // It may have failed before, and been charged for all the same.
		batch.Queue(`UPDATE rm_bank_lines SET charge_of = $1 WHERE charge AND about = $2 AND provider = $3 AND provider_ref = $4`, e.Pos, p.about, string(provider), p.providerRef)
	}
}

// taken notes of which money a bank reversed a part. A bank has one line for all that it took back of money and of its
// parts: of the lines recorded with it, the last has the whole.
func taken(batch *pgx.Batch, e engine.Event, m interface {
	GetProvider() string
	GetProviderRef() string
	GetBackRef() string
},
) {
	batch.Queue(`WITH parts AS (DELETE FROM rm_bank_lines WHERE provider = $3 AND provider_ref = $4 AND $4 <> '' AND kobo < 0 AND taken_of IS NOT NULL AND undone IS NULL AND recorded_at = $5 AND pos < $1 RETURNING kobo)
		UPDATE rm_bank_lines SET taken_of = $2, kobo = kobo + (SELECT coalesce(sum(kobo), 0)::bigint FROM parts) WHERE pos = $1`,
		e.Pos, m.GetProviderRef(), m.GetProvider(), m.GetBackRef(), e.RecordedAt)
}

// borne notes an amount that went back beyond a payment. A bank has one line for everything that went back at once.
func borne(batch *pgx.Batch, e engine.Event, m *nairav1.PaymentLossBorne) {
	batch.Queue(`WITH whole AS (UPDATE rm_bank_lines SET kobo = kobo - $4::bigint WHERE provider = $2 AND provider_ref = $5 AND kobo < 0 RETURNING pos)
		INSERT INTO rm_bank_lines (pos, provider, kobo, provider_ref, reference, about, at, recorded_at, also) SELECT $1::bigint, $2, -$4::bigint, $5, $3, $3, $6::timestamptz, $7::timestamptz, '{}' WHERE NOT EXISTS (SELECT FROM whole)`,
		e.Pos, m.GetProvider(), m.GetPaymentId(), m.GetAmountKobo(), m.GetBackRef(), e.EffectiveAt, e.RecordedAt)
}

// nameHandlers note a bank's further references for money that came in, and that money in suspense turned out to be a
// payment's.
var nameHandlers = []engine.Handler[*pgx.Batch]{
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.UnmatchedMatchedV2) {
		batch.Queue(`UPDATE rm_bank_lines SET undone = $1, about = $2 WHERE provider = $3 AND provider_ref = $4 AND kobo > 0 AND about = ''`,
			e.Pos, m.GetPaymentId(), m.GetProvider(), m.GetProviderRef())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.ReturnedMoneyMatched) {
		batch.Queue(`UPDATE rm_bank_lines SET also = also || $3::text || (SELECT coalesce(array_agg(name), '{}') FROM (SELECT unnest(also) AS name FROM rm_bank_lines
			WHERE provider = $1 AND provider_ref = $3 AND kobo > 0 AND about = '') others) WHERE provider = $1 AND about = $2 AND kobo > 0 AND undone IS NULL`, m.GetProvider(), m.GetPayoutId(), m.GetProviderRef())
		batch.Queue(`UPDATE rm_bank_lines SET undone = $1, about = $2 WHERE provider = $3 AND (provider_ref = $4 AND kobo > 0 OR taken_of = $4) AND about = ''`,
			e.Pos, m.GetPayoutId(), m.GetProvider(), m.GetProviderRef())
	}),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.ArrivalNamedV2) {
		batch.Queue(`UPDATE rm_bank_lines SET also = also || $3::text WHERE provider = $1 AND kobo > 0 AND undone IS NULL AND provider_ref <> $3::text AND (provider_ref = $2
			OR about <> '' AND about IN (SELECT about FROM rm_bank_lines WHERE provider = $1 AND provider_ref = $2 AND undone IS NOT NULL))`,
			m.GetProvider(), m.GetKnownAs(), m.GetProviderRef())
	}),
	engine.On(func(batch *pgx.Batch, _ engine.Event, m *nairav1.HeldArrivalSettledV2) {
		if m.GetPaymentId() != "" {
			batch.Queue(`UPDATE rm_bank_lines SET also = also || $3::text WHERE about = $2 AND provider = $1 AND kobo > 0 AND undone IS NULL`,
				m.GetProvider(), m.GetPaymentId(), m.GetProviderRef())
		}
	}),
}

// statusHandlers follow the status of a payout, by its bank's reference.
var statusHandlers = []engine.Handler[*pgx.Batch]{
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.WithdrawalRequestedV2) {
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		asked(batch, e, m.GetWithdrawalId(), net, m.GetProvider())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.WithdrawalSent) {
		told(batch, e, m.GetWithdrawalId(), m.GetReference())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.WithdrawalPaidV2) {
		ended(batch, e, m.GetWithdrawalId(), Paid)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.WithdrawalFailed) {
		ended(batch, e, m.GetWithdrawalId(), Failed)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.WithdrawalReversedV2) {
		ended(batch, e, m.GetWithdrawalId(), Reversed)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.FailedPayoutLeft) {
		batch.Queue(`INSERT INTO rm_bank_payouts (pos, withdrawal_id, reference, net, status, provider) SELECT $1, withdrawal_id, reference, net, $4, provider FROM rm_bank_payouts
			WHERE withdrawal_id = $2 AND reference = $3 ORDER BY pos DESC LIMIT 1`, e.Pos, m.GetPayoutId(), m.GetReference(), Left)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.LiquidationRequestedV2) {
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		asked(batch, e, m.GetLiquidationId(), net, m.GetProvider())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.LiquidationAskedV2) {
		net := m.GetAmountKobo() - m.GetFeeKobo() - m.GetVatKobo() - m.GetDutyKobo()
		asked(batch, e, m.GetLiquidationId(), net, m.GetProvider())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.LiquidationSent) {
		told(batch, e, m.GetLiquidationId(), m.GetReference())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.LiquidationPaidV2) {
		ended(batch, e, m.GetLiquidationId(), Paid)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.LiquidationFailed) {
		ended(batch, e, m.GetLiquidationId(), Failed)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.LiquidationReversedV3) {
		ended(batch, e, m.GetLiquidationId(), Reversed)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackAgreed) {
		asked(batch, e, m.GetSendBackId(), m.GetAmountKobo(), m.GetProvider())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackSent) {
		told(batch, e, m.GetSendBackId(), m.GetReference())
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackPaid) {
		ended(batch, e, m.GetSendBackId(), Paid)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackFailed) {
		ended(batch, e, m.GetSendBackId(), Failed)
	}),
	engine.On(func(batch *pgx.Batch, e engine.Event, m *nairav1.SendBackReturned) {
		ended(batch, e, m.GetSendBackId(), Reversed)
	}),
}

// asked notes a payout that its bank does not have yet.
func asked(batch *pgx.Batch, e engine.Event, id string, net int64, provider string) {
	batch.Queue(`INSERT INTO rm_bank_payouts (pos, withdrawal_id, reference, net, status, provider) VALUES ($1, $2, '', $3, 'REQUESTED', $4)`, e.Pos, id, net, provider)
}

// told notes the reference under which its bank gets a payout.
func told(batch *pgx.Batch, e engine.Event, id, reference string) {
	batch.Queue(`INSERT INTO rm_bank_payouts (pos, withdrawal_id, reference, net, status, provider) SELECT $1, withdrawal_id, $3, net, 'SENT', provider FROM rm_bank_payouts WHERE withdrawal_id = $2 AND status = 'REQUESTED'`,
		e.Pos, id, reference)
}

func ended(batch *pgx.Batch, e engine.Event, id string, status Status) {
	batch.Queue(`INSERT INTO rm_bank_payouts (pos, withdrawal_id, reference, net, status, provider) SELECT $1, withdrawal_id, reference, net, $3, provider FROM rm_bank_payouts
		WHERE withdrawal_id = $2 AND status = 'SENT' ORDER BY pos DESC LIMIT 1`, e.Pos, id, status)
}

var table = engine.Handlers(slices.Concat(nameHandlers, statusHandlers)...)

// party is the data by which a bank's line can be recognised.
type party struct {
	providerRef, reference string
	about                  string // The payment or payout.
	at                     time.Time
}

func partyOf(e engine.Event) party {
	switch m := e.Message.(type) {
	case *nairav1.PaymentConfirmedV2:
		return party{m.GetProviderRef(), m.GetPaymentId(), m.GetPaymentId(), m.GetPaidAt().AsTime()}
	case *nairav1.UnmatchedMoneyReceivedV2:
		return party{m.GetProviderRef(), m.GetReference(), "", m.GetPaidAt().AsTime()}
	case *nairav1.PaymentReversedV3:
		return party{m.GetProviderRef(), m.GetPaymentId(), m.GetPaymentId(), e.EffectiveAt}
	case *nairav1.UnmatchedTakenBack:
		return party{m.GetBackRef(), "", "", e.EffectiveAt}
	case *nairav1.AssignedTakenBack:
		return party{m.GetBackRef(), "", "", e.EffectiveAt}
	case *nairav1.WithdrawalPaidV2:
		return party{m.GetProviderRef(), m.GetWithdrawalId(), m.GetWithdrawalId(), m.GetPaidAt().AsTime()}
	case *nairav1.WithdrawalReversedV2:
		return party{m.GetProviderRef(), m.GetWithdrawalId(), m.GetWithdrawalId(), e.EffectiveAt}
	case *nairav1.LiquidationPaidV2:
		return party{m.GetProviderRef(), m.GetLiquidationId(), m.GetLiquidationId(), m.GetPaidAt().AsTime()}
	case *nairav1.LiquidationReversedV3:
		return party{m.GetProviderRef(), m.GetLiquidationId(), m.GetLiquidationId(), e.EffectiveAt}
	case *nairav1.SendBackPaid:
		return party{m.GetBankRef(), m.GetSendBackId(), m.GetSendBackId(), m.GetPaidAt().AsTime()}
	case *nairav1.SendBackReturned:
		return party{m.GetBankRef(), m.GetSendBackId(), m.GetSendBackId(), e.EffectiveAt}
	case *nairav1.SendBackLossBorne:
		return party{m.GetBackRef(), "", "", e.EffectiveAt}
	case *nairav1.FailedPayoutLeft:
		return party{m.GetProviderRef(), m.GetReference(), m.GetPayoutId(), e.EffectiveAt}
	case *nairav1.FailedPayoutReturned:
		return party{m.GetProviderRef(), m.GetReference(), m.GetPayoutId(), e.EffectiveAt}
	case *nairav1.BankChargePosted:
		return party{m.GetProviderRef(), m.GetReference(), m.GetPayoutId(), e.EffectiveAt}
	default:
		return party{at: e.EffectiveAt}
	}
}
