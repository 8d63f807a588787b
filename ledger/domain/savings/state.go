// Package savings decides group savings: groups, their members and sub-accounts, and contributions.
//
//	Group       PENDING_APPROVAL ──▶ ACTIVE           when its owner has a verified BVN, and it has a validator and another approver
//	Membership  PENDING ──▶ ACTIVE                    when an approver approves
//	Due         SCHEDULED ▶ DUE ▶ PARTIAL ▶ PAID      derived from what the member has paid in all: see Dues
//	            DUE | PARTIAL ▶ WAIVED | WRITTEN_OFF  by two approvers: see RequestWaiver
//	Penalty     standing ◀▶ reversed                  stands when a due was not paid in time: see Penalise
package savings

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Status is where a group or a membership stands.
type Status string

// The statuses.
const (
	None            Status = ""
	PendingApproval Status = "PENDING_APPROVAL" // A group.
	Pending         Status = "PENDING"          // A membership.
	Active          Status = "ACTIVE"
	Invited         Status = "INVITED"
	Inactive        Status = "INACTIVE"
	Suspended       Status = "SUSPENDED"
	Closing         Status = "CLOSING"
	Closed          Status = "CLOSED"
	Rejected        Status = "REJECTED"
	Cancelled       Status = "CANCELLED"
)

// SubAccount is the state of a sub-account's stream.
type SubAccount struct {
	Status    Status
	Group     string
	Type      nairav1.PaymentType
	Amount    money.Kobo
	Schedule  Schedule
	ShowTotal bool // Plain members see what it holds.
	Late      Late
}

// SubAccounts folds a sub-account's stream.
var SubAccounts = event.Of("sub", 2, func(s SubAccount, e event.Happened) SubAccount {
	switch m := e.Message.(type) {
	case *nairav1.SubAccountOpened:
		return SubAccount{
			Status: Active, Group: m.GetGroupId(), Type: m.GetPaymentType(), Amount: money.Kobo(m.GetAmountKobo()),
			Schedule:  Schedule{First: ParseDay(m.GetFirstDue()), Frequency: m.GetPaymentFrequency()},
			ShowTotal: m.GetShowTotalToMembers(),
		}
	case *nairav1.SubAccountVisibilitySet:
		s.ShowTotal = m.GetShowTotalToMembers()
	case *nairav1.LateTermsSet:
		s.Late = Late{
			GraceDays: int(m.GetGraceDays()), Type: m.GetPenaltyType(), Amount: money.Kobo(m.GetPenaltyKobo()), BasisPoints: int(m.GetPenaltyBasisPoints()),
		}
	}
	return s
})

// Paid is the state of what one member has paid into one sub-account.
type Paid struct {
	Total    money.Kobo // Contributed by the member and for them, less what was reversed.
	Payments int
	Drawn    money.Kobo // Paid back to the member, or held for it.
	Judged   time.Time  // The latest day that money of theirs counts from: what had to be paid before it is judged.
	Changes  []Change   // The dues that are not like the others, oldest first.
}

// Savings is what the member has in the sub-account.
func (p Paid) Savings() money.Kobo { return p.Total - p.Drawn }

// Contributions folds a member's contributions to a sub-account. When they leave, nothing of it counts any more.
var Contributions = event.Of("dues", 4, func(p Paid, e event.Happened) Paid {
	switch m := e.Message.(type) {
	case *nairav1.ContributionReceived:
		p = p.count(money.Kobo(m.GetAmountKobo()), Day(e.EffectiveAt))
		p.Payments++
	case *nairav1.ContributionCovered:
		p = p.count(money.Kobo(m.GetAmountKobo()), Day(e.EffectiveAt))
		p.Payments++
	case *nairav1.ContributionReversed:
		p = p.count(-money.Kobo(m.GetAmountKobo()), Day(e.EffectiveAt))
		p.Payments--
	case *nairav1.PenaltyApplied:
		p = p.penalise(m.GetPeriod(), money.Kobo(m.GetAmountKobo()), m.GetDeadline())
	case *nairav1.PenaltyReversed:
		p = p.relieve(m.GetPeriod())
	case *nairav1.DueWaived:
		p = p.waive(m.GetPeriod(), money.Kobo(m.GetAmountKobo()), m.GetKind() == nairav1.WaiverKind_WAIVER_KIND_WRITTEN_OFF)
	case *nairav1.SavingsDrawn:
		p.Drawn = money.Kobo(m.GetDrawnKobo())
	case *nairav1.SavingsClosed:
		return Paid{}
	}
	return p
})

// GroupStream is a group's stream.
func GroupStream(groupID string) string { return "group:" + groupID }

// MemberStream is a membership's stream.
func MemberStream(groupID, userID string) string { return "member:" + groupID + ":" + userID }

// SubStream is a sub-account's stream.
func SubStream(subAccountID string) string { return "sub:" + subAccountID }

// DuesStream is the stream of what a member paid into a sub-account.
func DuesStream(subAccountID, userID string) string { return "dues:" + subAccountID + ":" + userID }
