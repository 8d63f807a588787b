package notifications

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/engine"
)

// ForYou is the detail of a payment that its reader is told another made for them.
const ForYou = "you"

// dueHandlers tell of dues: that one comes, that it is late, that somebody else paid it or nobody
// needs to.
var dueHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionCovered) {
		f.covers[e.Pos] = m.GetPaidBy()
		f.desk.batch.Queue("INSERT INTO rm_notified_covers (pos, paid_by) VALUES ($1, $2)", e.Pos, m.GetPaidBy())
		f.say(note{typ: PaymentReceived, user: m.GetUserId(), about: m.GetPaidBy(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: ForYou})
		f.paid(m.GetGroupId(), m.GetPaidBy(), m.GetUserId())
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DuesReminded) {
		n := note{typ: ContributionDue, group: m.GetGroupId(), sub: m.GetSubAccountId(), detail: m.GetDueDate()}
		if m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_OVERDUE || m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_ASKED && m.GetDueDate() < lagos.Day(e.EffectiveAt) {
			n.typ = ContributionOverdue
		}
		out := make([]note, 0, len(m.GetUserIds()))
		for _, user := range m.GetUserIds() {
			n.user = user
			out = append(out, n)
		}
		f.say(out...)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyApplied) {
		f.say(note{typ: PenaltyApplied, user: m.GetUserId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyReversed) {
		f.say(note{typ: PenaltyReversed, user: m.GetUserId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyWaived) {
		f.say(note{typ: PenaltyWaived, user: m.GetUserId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DueWaived) {
		f.say(note{typ: DueWaived, user: m.GetUserId(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
}
