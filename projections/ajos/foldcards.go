package ajos

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// cardHandlers follow cards. The saver sees each change, and so does the member who filled the card or collects for it.
var cardHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardOpened) {
		f.batch.Queue(`INSERT INTO rm_ajo_cards (card_id, user_id, name, description, pos, kobo, boxes, frequency, start_day, finish_day, break_basis_points,
				status, opened_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'OPEN', $12)`,
			m.GetCardId(), m.GetUserId(), m.GetName(), m.GetDescription(), e.Pos, m.GetAmountKobo(), m.GetBoxes(), int32(m.GetFrequency()),
			m.GetStartDate(), m.GetFinishDate(), m.GetBreakBasisPoints(), e.EffectiveAt)
		f.tell(m.GetUserId())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardCollectorSet) {
		if m.GetCollectorId() == "" {
			f.batch.Queue("UPDATE rm_ajo_cards SET collector = '' WHERE card_id = $1", m.GetCardId())
		} else {
			f.batch.Queue(`UPDATE rm_ajo_cards SET collector = $2, earned = $2, commission_in = $3,
				by_collector = CASE WHEN earned = $2 AND commission_in <> 0 THEN by_collector ELSE 0 END WHERE card_id = $1`, // As the ledger counts.
				m.GetCardId(), m.GetCollectorId(), m.GetCommissionIn())
		}
		f.tell(m.GetUserId(), m.GetCollectorId(), f.collectors[m.GetCardId()])
		f.collectors[m.GetCardId()] = m.GetCollectorId()
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardFilled) {
		id, byCollector := e.ID(), int32(0)
		if m.GetPaidBy() != m.GetUserId() {
			byCollector = m.GetBoxes()
		}
		f.batch.Queue("UPDATE rm_ajo_cards SET filled = filled + $2, by_collector = by_collector + $3 WHERE card_id = $1", m.GetCardId(), m.GetBoxes(), byCollector)
		f.batch.Queue(`INSERT INTO rm_ajo_card_fills (card_id, pos, user_id, paid_by, first_box, boxes, kobo, effective_at, payment_id, event_id)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, m.GetCardId(), e.Pos, m.GetUserId(), m.GetPaidBy(), m.GetFirstBox(), m.GetBoxes(), m.GetAmountKobo(),
			e.EffectiveAt, m.GetPaymentId(), [16]byte(id))
		f.tell(m.GetUserId(), m.GetPaidBy(), f.collectors[m.GetCardId()])
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardBroken) {
		f.ended(e, Broken, m, m.GetFeeKobo(), m.GetVatKobo())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCardMatured) { f.ended(e, Matured, m, 0, 0) }),
}

// The statuses of a card.
const (
	Open    = "OPEN"
	Broken  = "BROKEN"
	Matured = "MATURED"
)

// ended notes that a card was paid out.
func (f *folding) ended(e engine.Event, status string, m interface {
	GetCardId() string
	GetUserId() string
	GetCollectorId() string
	GetCommissionKobo() int64
}, fee, vat int64,
) {
	f.batch.Queue("UPDATE rm_ajo_cards SET status = $2, fee = $3, vat = $4, commission = $5, ended_at = $6 WHERE card_id = $1",
		m.GetCardId(), status, fee, vat, m.GetCommissionKobo(), e.EffectiveAt)
	f.tell(m.GetUserId(), m.GetCollectorId(), f.collectors[m.GetCardId()])
}
