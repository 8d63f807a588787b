package notifications

import (
	"fmt"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// cycled is a notification about a cycle of an ajo.
func cycled(typ string, m interface {
	GetAjoId() string
	GetCycle() int32
},
) note {
	return note{typ: typ, subject: m.GetAjoId(), detail: fmt.Sprint(m.GetCycle())}
}

// potHandlers tell of pots, debts and cards.
var potHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCycleReady) {
		is := f.lives.readied(e, m)
		n := cycled(AjoPayoutReady, m)
		n.kobo = m.GetCollectedKobo()
		f.tellAll(n, holders(is, int(m.GetSeat())))
		f.next(m.GetAjoId(), is, int(m.GetCycle())+1)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPayoutRequested) {
		a, n := f.lives.states[m.GetAjoId()], cycled(AjoPayoutRequested, m)
		ready, _ := a.ReadyOf(int(m.GetCycle()))
		n.about, n.kobo = m.GetUserId(), int64(ready.Collected)
		f.tellAll(n, a.Members(), holders(a, ready.Seat)...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPayoutRefused) {
		a, n := f.lives.states[m.GetAjoId()], cycled(AjoPayoutRefused, m)
		ready, _ := a.ReadyOf(int(m.GetCycle()))
		n.about, n.detail = m.GetUserId(), because(n.detail, m.GetReason())
		f.tellAll(n, holders(a, ready.Seat))
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaid) {
		n := cycled(AjoPayoutPaid, m)
		if ready, _ := f.lives.states[m.GetAjoId()].ReadyOf(int(m.GetCycle())); ready.Missing > 0 {
			n.typ = AjoPayoutShort
		}
		first, other := n, n
		first.user, first.kobo, other.user, other.kobo = m.GetUserId(), m.GetAmountKobo(), m.GetOtherUserId(), m.GetOtherAmountKobo()
		f.say(first)
		if other.user != "" {
			f.say(other)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtOpened) {
		kind := strings.TrimPrefix(m.GetKind().String(), "AJO_DEBT_KIND_")
		debtor := note{typ: AjoDebtOpened, user: m.GetDebtorId(), about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo(), detail: Owes + " " + kind}
		creditor := debtor
		creditor.user, creditor.about, creditor.detail = m.GetCreditorId(), m.GetDebtorId(), Owed+" "+kind
		f.say(debtor)
		if m.GetPenaltyKobo() > 0 {
			f.say(note{typ: AjoPenaltyApplied, user: m.GetDebtorId(), about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetPenaltyKobo()})
		}
		if creditor.user != "" && creditor.user != debtor.user {
			f.say(creditor)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtPaid) {
		if m.GetCreditorId() != "" {
			f.say(note{typ: AjoDebtPaid, user: m.GetCreditorId(), about: m.GetDebtorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo()})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPenaltyReversed) {
		f.say(note{typ: AjoPenaltyReversed, user: m.GetDebtorId(), about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPenaltyWaived) {
		f.say(note{typ: AjoPenaltyWaived, user: m.GetDebtorId(), about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDuesReminded) {
		n := note{typ: AjoDue, subject: m.GetAjoId(), detail: m.GetDueDate()}
		if m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_OVERDUE {
			n.typ = AjoOverdue
		}
		f.tellAll(n, m.GetUserIds())
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaymentMarkedV2) {
		if m.GetMark() == nairav1.Mark_MARK_QUERIED {
			f.tellAll(note{typ: AjoPaymentQueried, about: m.GetMarkedBy(), subject: m.GetAjoId(), detail: m.GetReason()}, m.GetUserIds())
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoContributionRefused) {
		f.say(note{typ: AjoRefused, user: m.GetUserId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardFilled) {
		if m.GetPaidBy() != m.GetUserId() {
			f.say(note{typ: AjoCardFilled, user: m.GetUserId(), about: m.GetPaidBy(), subject: m.GetCardId(), kobo: m.GetAmountKobo()})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardBroken) { f.commission(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardMatured) {
		f.say(note{typ: AjoCardMatured, user: m.GetUserId(), subject: m.GetCardId(), kobo: m.GetAmountKobo() - m.GetCommissionKobo()})
		f.commission(m)
	}),
}

// commission tells a card's collector what they got of it.
func (f *folding) commission(m interface {
	GetCardId() string
	GetUserId() string
	GetCollectorId() string
	GetCommissionKobo() int64
},
) {
	if m.GetCommissionKobo() > 0 {
		f.say(note{typ: AjoCardMatured, user: m.GetCollectorId(), about: m.GetUserId(), subject: m.GetCardId(), kobo: m.GetCommissionKobo(), detail: Commission})
	}
}
