// Package savings decides group savings: groups, their members and sub-accounts.
//
//	Group       PENDING_APPROVAL ──▶ ACTIVE           owner with a verified BVN, validator, another approver
//	Membership  PENDING ──▶ ACTIVE                    when an approver approves
//
// What members owe and pay is decided in ledger/domain/dues.
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

// Ended reports whether a group has come to its end.
func (s Status) Ended() bool { return s == Closed || s == Rejected || s == Cancelled }

// SubAccount is the state of a sub-account's stream.
type SubAccount struct {
	Status    Status
	Group     string
	Type      nairav1.PaymentType
	Amount    money.Kobo
	Schedule  Schedule
	ShowTotal bool // Plain members see what it holds.
	Late      Late
	Opened    time.Time
}

// SubAccounts folds a sub-account's stream.
var SubAccounts = event.Of("sub", 3, func(s SubAccount, e event.Happened) SubAccount {
	switch m := e.Message.(type) {
	case *nairav1.SubAccountOpened:
		return SubAccount{
			Status: Active, Group: m.GetGroupId(), Type: m.GetPaymentType(), Amount: money.Kobo(m.GetAmountKobo()),
			Schedule:  Schedule{First: ParseDay(m.GetFirstDue()), Frequency: m.GetPaymentFrequency()},
			ShowTotal: m.GetShowTotalToMembers(), Opened: e.EffectiveAt,
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

// GroupStream is a group's stream.
func GroupStream(groupID string) string { return "group:" + groupID }

// MemberStream is a membership's stream.
func MemberStream(groupID, userID string) string { return "member:" + groupID + ":" + userID }

// SubStream is a sub-account's stream.
func SubStream(subAccountID string) string { return "sub:" + subAccountID }

// How long a reason is, in characters.
const (
	MinReason = 3
	MaxReason = 300
)
