// Package savings decides group savings: groups, their members and sub-accounts, and contributions.
//
//	Group       PENDING_APPROVAL ──▶ ACTIVE           when its owner has a verified BVN, and it has a validator and another approver
//	Membership  PENDING ──▶ ACTIVE                    when an approver approves
//	Due         SCHEDULED ▶ DUE ▶ PARTIAL ▶ PAID      derived from what the member has paid in all: see Dues
package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/money"
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
	}
	return s
})

// Paid is the state of what one member has paid into one sub-account.
type Paid struct {
	Total    money.Kobo // Contributed by the member and for them, less what was reversed.
	Payments int
	Drawn    money.Kobo // Paid back to the member, or held for it.
}

// Savings is what the member has in the sub-account.
func (p Paid) Savings() money.Kobo { return p.Total - p.Drawn }

// Contributions folds a member's contributions to a sub-account.
var Contributions = event.Of("dues", 3, func(p Paid, e event.Happened) Paid {
	switch m := e.Message.(type) {
	case *nairav1.ContributionReceived:
		p.Total += money.Kobo(m.GetAmountKobo())
		p.Payments++
	case *nairav1.ContributionCovered:
		p.Total += money.Kobo(m.GetAmountKobo())
		p.Payments++
	case *nairav1.SavingsDrawn:
		p.Drawn = money.Kobo(m.GetDrawnKobo())
	case *nairav1.SavingsClosed:
		return Paid{}
	case *nairav1.ContributionReversed:
		p.Total -= money.Kobo(m.GetAmountKobo())
		p.Payments--
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
