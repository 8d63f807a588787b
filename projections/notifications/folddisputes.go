package notifications

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// The types about disputes, whose subject is the dispute, and about a wallet that its owner froze.
const (
	DisputeOpened   = "dispute_opened"   // Its detail is by when it is decided.
	DisputeTaken    = "dispute_taken"    // Likewise.
	DisputeAsked    = "dispute_asked"    // Its detail is until when an answer is waited for.
	DisputeResolved = "dispute_resolved" // Its detail is Upheld or NotUpheld.
	DisputeLate     = "dispute_late"
	CardDisputed    = "card_disputed"      // The bank of a card disputes a payment. Its detail is by when we decide.
	CardDisputeOver = "card_dispute_ended" // Its detail is Upheld or NotUpheld.
	CardAnswered    = "card_answered"      // Its bank has our answer. Its detail is BankAgreed or BankDeclined.
	CardAnswerDue   = "card_answer_due"    // To whoever has the case. Its detail is until when its gateway takes an answer.
	DisputeHold     = "dispute_hold"       // Its detail is until when Support has money held; empty once the time is over.
	MoneyFrozen     = "money_frozen"
	MoneyThawed     = "money_thawed" // Its detail is when, while it is only asked for.
)

// How a dispute was decided.
const (
	Upheld    = "UPHELD"
	NotUpheld = "REJECTED"
)

// What the bank of a card was answered.
const (
	BankAgreed   = "AGREED" // Its customer gets money back.
	BankDeclined = "DECLINED"
)

// ofDispute is what every event of a dispute names.
type ofDispute interface {
	GetDisputeId() string
	GetUserId() string
}

// dispute tells a member of their dispute.
func (f *folding) dispute(typ string, m ofDispute, detail string, kobo int64) {
	f.say(note{typ: typ, user: m.GetUserId(), subject: m.GetDisputeId(), detail: detail, kobo: kobo})
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
		f.dispute(DisputeOpened, m, stamp(m.GetDecideBy()), m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardDisputeTold) {
		f.dispute(CardDisputed, m, stamp(m.GetDecideBy()), m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardDisputeEnded) {
		f.dispute(CardDisputeOver, m, outcome(m.GetUpheld()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardAnswerTaken) {
		what := BankDeclined
		if m.GetAccepted() {
			what = BankAgreed
		}
		f.dispute(CardAnswered, m, what, m.GetAmountKobo())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.CardAnswerDue) {
		if m.GetStaffId() != "" {
			f.say(note{typ: CardAnswerDue, user: m.GetStaffId(), subject: m.GetDisputeId(), detail: stamp(m.GetAnswerBy())})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeReopened) {
		f.dispute(DisputeOpened, m, stamp(m.GetDecideBy()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeTaken) { f.dispute(DisputeTaken, m, "", 0) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeAsked) {
		f.dispute(DisputeAsked, m, stamp(m.GetAnswerBy()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeResolved) {
		f.dispute(DisputeResolved, m, outcome(m.GetUpheld()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeOverdue) { f.dispute(DisputeLate, m, "", 0) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DisputeHoldAllowed) {
		f.dispute(DisputeHold, m, stamp(m.GetUntil()), 0)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OutgoingFrozen) {
		f.say(note{typ: MoneyFrozen, user: m.GetUserId()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.ThawAsked) {
		f.say(note{typ: MoneyThawed, user: m.GetUserId(), detail: stamp(m.GetThawAt())})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.OutgoingThawed) {
		f.say(note{typ: MoneyThawed, user: m.GetUserId()})
	}),
}
