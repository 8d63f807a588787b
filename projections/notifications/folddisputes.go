package notifications

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// The outcomes of a dispute.
const (
	Upheld    = "UPHELD"
	NotUpheld = "REJECTED"
)

// The answers to a card's bank.
const (
	BankAgreed   = "AGREED" // Its customer gets money back.
	BankDeclined = "DECLINED"
)

// ofDispute is the common field of a dispute's events.
type ofDispute interface{ GetDisputeId() string }

// dispute notifies a member about their dispute.
func (f *folding) dispute(typ string, m ofDispute, detail string, kobo int64) {
	f.tell(note{typ: typ, subject: m.GetDisputeId(), detail: detail, kobo: kobo})
}

func outcome(upheld bool) string {
	if upheld {
		return Upheld
	}
	return NotUpheld
}

func stamp(t interface{ AsTime() time.Time }) string { return t.AsTime().Format(time.RFC3339) }

var disputeHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeOpened) {
		f.dispute(told.DisputeOpened, m, stamp(m.GetDecideBy()), m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardDisputeTold) {
		f.dispute(told.CardDisputed, m, stamp(m.GetDecideBy()), m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardDisputeEnded) {
		f.dispute(told.CardDisputeOver, m, outcome(m.GetUpheld()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardAnswerTaken) {
		what := BankDeclined
		if m.GetAccepted() {
			what = BankAgreed
		}
		f.dispute(told.CardAnswered, m, what, m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardAnswerDue) {
		f.tell(note{typ: told.CardAnswerDue, subject: m.GetDisputeId(), detail: stamp(m.GetAnswerBy())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeReopened) {
		f.dispute(told.DisputeOpened, m, stamp(m.GetDecideBy()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeTaken) { f.dispute(told.DisputeTaken, m, "", 0) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeAsked) {
		f.dispute(told.DisputeAsked, m, stamp(m.GetAnswerBy()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeResolved) {
		f.dispute(told.DisputeResolved, m, outcome(m.GetUpheld()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeOverdue) { f.dispute(told.DisputeLate, m, "", 0) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeHoldAllowed) {
		f.dispute(told.DisputeHold, m, stamp(m.GetUntil()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OutgoingFrozen) {
		f.tell(note{typ: told.MoneyFrozen})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ThawAsked) {
		f.tell(note{typ: told.MoneyThawed, detail: stamp(m.GetThawAt())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OutgoingThawed) {
		f.tell(note{typ: told.MoneyThawed})
	}),
}
