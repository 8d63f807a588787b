package notifications

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// ForYou is the detail of a payment that another member made for the reader.
const ForYou = "you"

// dueHandlers notify members of dues: one is coming, is late, was paid by another, or need not be paid.
var dueHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, e engine.Event, m *nairav1.ContributionCovered) {
		f.covers[e.Pos] = m.GetPaidBy()
		f.desk.batch.Queue("INSERT INTO rm_notified_covers (pos, paid_by) VALUES ($1, $2)", e.Pos, m.GetPaidBy())
		f.tell(note{typ: told.PaymentReceived, about: m.GetPaidBy(), group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: ForYou})
	}),
	engine.On(func(f *folding, e engine.Event, m *nairav1.DuesReminded) {
		n := note{typ: told.ContributionDue, group: m.GetGroupId(), sub: m.GetSubAccountId(), detail: m.GetDueDate()}
		if m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_OVERDUE || m.GetKind() == nairav1.ReminderKind_REMINDER_KIND_ASKED && m.GetDueDate() < lagos.Day(e.EffectiveAt) {
			n.typ = told.ContributionOverdue
		}
		f.tell(n)
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyApplied) {
		f.tell(note{typ: told.PenaltyApplied, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyReversed) {
		f.tell(note{typ: told.PenaltyReversed, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.PenaltyWaived) {
		f.tell(note{typ: told.PenaltyWaived, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.DueWaived) {
		f.tell(note{typ: told.DueWaived, group: m.GetGroupId(), sub: m.GetSubAccountId(), kobo: m.GetAmountKobo(), detail: m.GetPeriod()})
	}),
}
