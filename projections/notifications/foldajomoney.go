package notifications

import (
	"fmt"
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// cycled is a notification about a cycle of an ajo.
func cycled(typ string, m interface {
	GetAjoId() string
	GetCycle() int32
},
) note {
	return note{typ: typ, subject: m.GetAjoId(), detail: fmt.Sprint(m.GetCycle())}
}

// potHandlers notify about pots, debts and cards.
var potHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.AjoCycleReady) {
		is := f.lives.readied(e, m)
		n := cycled(told.AjoPayoutReady, m)
		n.kobo, n.seats = m.GetCollectedKobo(), []int{int(m.GetSeat())}
		f.tell(n)
		f.next(m.GetAjoId(), is, int(m.GetCycle())+1)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPayoutRequested) {
		a, n := f.lives.states[m.GetAjoId()], cycled(told.AjoPayoutRequested, m)
		ready, _ := a.ReadyOf(int(m.GetCycle()))
		n.about, n.kobo, n.seats = m.GetUserId(), int64(ready.Collected), []int{ready.Seat}
		if slices.Contains(holders(a, ready.Seat), a.Owner) {
			n.detail = because(n.detail, OwnersPot)
		}
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPayoutRefused) {
		a, n := f.lives.states[m.GetAjoId()], cycled(told.AjoPayoutRefused, m)
		ready, _ := a.ReadyOf(int(m.GetCycle()))
		n.about, n.detail, n.seats = m.GetUserId(), because(n.detail, m.GetReason()), []int{ready.Seat}
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaid) {
		n := cycled(told.AjoPayoutPaid, m)
		if ready, _ := f.lives.states[m.GetAjoId()].ReadyOf(int(m.GetCycle())); ready.Missing > 0 {
			n.typ = told.AjoPayoutShort
		}
		n.kobo = m.GetAmountKobo()
		f.tellOnly(n, told.User)
		n.kobo = m.GetOtherAmountKobo()
		f.tellOnly(n, told.OtherUser)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtOpened) {
		kind := strings.TrimPrefix(m.GetKind().String(), "AJO_DEBT_KIND_")
		n := note{typ: told.AjoDebtOpened, about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo(), detail: Owes + " " + kind}
		f.tellOnly(n, told.Debtor)
		n.about, n.detail = m.GetDebtorId(), Owed+" "+kind
		f.tellOnly(n, told.Creditor)
		if m.GetPenaltyKobo() > 0 {
			f.tell(note{typ: told.AjoPenaltyApplied, about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetPenaltyKobo()})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtPaid) {
		n := note{typ: told.AjoDebtPaid, about: m.GetDebtorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo()}
		f.tellOnly(n, told.Creditor)
		if m.GetTaken() != "" {
			n.about, n.detail = m.GetCreditorId(), Taken
			f.tellOnly(n, told.Debtor)
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDebtForgiven) {
		f.tell(note{typ: told.AjoDebtPaid, about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo(), detail: Forgiven})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDiscountPaid) {
		n := cycled(told.AjoPayoutPaid, m)
		n.kobo, n.detail = m.GetAmountKobo(), because(n.detail, Discount)
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPenaltyReversed) {
		f.tell(note{typ: told.AjoPenaltyReversed, about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPenaltyWaived) {
		f.tell(note{typ: told.AjoPenaltyWaived, about: m.GetCreditorId(), subject: m.GetAjoId(), kobo: m.GetAmountKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDepositUsed) {
		n := cycled(told.AjoDepositUsed, m)
		n.kobo = m.GetAmountKobo()
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoDuesReminded) {
		n := note{typ: told.AjoDue, subject: m.GetAjoId(), detail: m.GetDueDate()}
		if m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_OVERDUE {
			n.typ = told.AjoOverdue
		}
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoPaymentMarkedV2) {
		if m.GetMark() == nairav1.Mark_MARK_QUERIED {
			f.tell(note{typ: told.AjoPaymentQueried, about: m.GetMarkedBy(), subject: m.GetAjoId(), detail: m.GetReason()})
		}
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoContributionRefused) {
		f.tell(note{typ: told.AjoRefused, subject: m.GetAjoId(), kobo: m.GetAmountKobo(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardFilled) {
		f.tell(note{typ: told.AjoCardFilled, about: m.GetPaidBy(), subject: m.GetCardId(), kobo: m.GetAmountKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardBroken) { f.commission(m) }),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoCardMatured) {
		f.tellOnly(note{typ: told.AjoCardMatured, subject: m.GetCardId(), kobo: m.GetAmountKobo() - m.GetCommissionKobo()}, told.User)
		f.commission(m)
	}),
}

// commission notifies a card's collector of their commission.
func (f *folding) commission(m interface {
	GetCardId() string
	GetUserId() string
	GetCommissionKobo() int64
},
) {
	if m.GetCommissionKobo() > 0 {
		f.tellOnly(note{typ: told.AjoCardMatured, about: m.GetUserId(), subject: m.GetCardId(), kobo: m.GetCommissionKobo(), detail: Commission}, told.Collector)
	}
}
