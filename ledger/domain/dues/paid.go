// Package dues decides what members owe sub-accounts and pay into them: contributions, covers, penalties, waivers,
// reminders, and leaving a group, for which nothing may be owed.
//
//	Due      SCHEDULED ▶ DUE ▶ PARTIAL ▶ PAID      derived from what the member has paid in all: see Dues
//	         DUE | PARTIAL ▶ WAIVED | WRITTEN_OFF  by two approvers: see RequestWaiver
//	Penalty  standing ◀▶ reversed                  stands when a due was not paid in time: see Penalise
//
// Its tests are those of group savings, in ledger/domain/savings.
package dues

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// State is what one member has paid into one sub-account.
type State struct {
	Total    money.Kobo // Contributed by the member and for them, less what was reversed.
	Payments int
	Drawn    money.Kobo // Paid back to the member, or held for it.
	Judged   time.Time  // The latest day that money of theirs counts from: what had to be paid before it is judged.
	Changes  []Change   // The dues that are not like the others, oldest first.
}

// Savings is what the member has in the sub-account.
func (p State) Savings() money.Kobo { return p.Total - p.Drawn }

// Aggregate folds a member's contributions to a sub-account. When they leave, nothing of it counts any more.
var Aggregate = event.Of("dues", 5, func(p State, e event.Happened) State {
	switch m := e.Message.(type) {
	case *nairav1.ContributionReceived:
		p = p.count(money.Kobo(m.GetAmountKobo()), savings.Day(e.EffectiveAt))
		p.Payments++
	case *nairav1.ContributionCovered:
		p = p.count(money.Kobo(m.GetAmountKobo()), savings.Day(e.EffectiveAt))
		p.Payments++
	case *nairav1.ContributionReversed:
		p = p.count(-money.Kobo(m.GetAmountKobo()), savings.Day(e.EffectiveAt))
		p.Payments--
	case *nairav1.PenaltyApplied:
		p = p.penalise(m.GetPeriod(), money.Kobo(m.GetAmountKobo()), m.GetDeadline())
	case *nairav1.PenaltyReversed:
		p = p.relieve(m.GetPeriod())
	case *nairav1.PenaltyWaived:
		p = p.relieve(m.GetPeriod())
	case *nairav1.DueWaived:
		p = p.waive(m.GetPeriod(), money.Kobo(m.GetAmountKobo()), m.GetKind() == nairav1.WaiverKind_WAIVER_KIND_WRITTEN_OFF)
	case *nairav1.SavingsDrawn:
		p.Drawn = money.Kobo(m.GetDrawnKobo())
	case *nairav1.SavingsClosed:
		return State{}
	}
	return p
})

// Stream is the stream of what a member paid into a sub-account.
func Stream(subAccountID, userID string) string { return "dues:" + subAccountID + ":" + userID }
