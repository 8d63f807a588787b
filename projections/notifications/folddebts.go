package notifications

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// Details that change the meaning of a PaymentReversed notification: it is about the member's debt to Adashi, or about
// money in suspense that was theirs.
const (
	DebtOpened     = "DEBT_OPENED"
	DebtSettled    = "DEBT_SETTLED"
	DebtWrittenOff = "DEBT_WRITTEN_OFF"
	CardsLocked    = "CARDS_LOCKED"
	CardsUnlocked  = "CARDS_UNLOCKED"
	SentBack       = "SENT_BACK"  // It was sent back to its source account,
	BackAgain      = "BACK_AGAIN" // and returned to us.
)

// debtHandlers notify members of their debt to Adashi, and of whether they may pay by card.
var debtHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DebtOpened) {
		f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: DebtOpened})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DebtSettled) {
		f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: DebtSettled})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DebtWrittenOff) {
		f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: DebtWrittenOff})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardMoneyTakenBack) {
		if m.GetLocks() {
			f.tell(note{typ: told.PaymentReversed, detail: CardsLocked})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, _ *nairav1.CardsUnlocked) {
		f.tell(note{typ: told.PaymentReversed, detail: CardsUnlocked})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SendBackPaid) {
		if m.GetUserId() != "" {
			f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: SentBack})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.SendBackReturned) {
		if m.GetUserId() != "" {
			f.tell(note{typ: told.PaymentReversed, kobo: m.GetAmountKobo(), detail: BackAgain})
		}
	}),
}
