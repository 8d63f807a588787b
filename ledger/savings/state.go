// Package savings decides group savings: groups, their members and sub-accounts, and contributions.
//
//	Group       PENDING_APPROVAL ──▶ ACTIVE           when its owner has a verified BVN, and it has a validator and another approver
//	Membership  PENDING ──▶ ACTIVE                    when an approver approves
//	Due         SCHEDULED ▶ DUE ▶ PARTIAL ▶ PAID      derived from what the member has paid in all: see Dues
//	            DUE | PARTIAL ▶ WAIVED | WRITTEN_OFF  by two approvers: see RequestWaiver
//	Penalty     standing ◀▶ reversed                  stands when a due was not paid in time: see Penalise
package savings

import (
	"slices"
	"time"

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

// Group is the state of a group's stream.
type Group struct {
	Status    Status
	Owner     string
	Validator string
	Approvers []string // The owner is the first.
	Capacity  int
	Seats     int
	Start     time.Time // The first day of the month it starts in.
}

// MayApprove reports whether a user is one of the group's approvers.
func (g Group) MayApprove(userID string) bool { return slices.Contains(g.Approvers, userID) }

// Groups folds a group's stream.
var Groups = event.Of("group", 2, func(g Group, e event.Happened) Group {
	switch m := e.Message.(type) {
	case *nairav1.GroupCreated:
		return Group{
			Status: PendingApproval, Owner: m.GetOwnerId(), Approvers: []string{m.GetOwnerId()}, Capacity: int(m.GetMemberCapacity()),
			Start: time.Date(int(m.GetStartYear()), time.Month(m.GetStartMonth()), 1, 0, 0, 0, 0, time.UTC),
		}
	case *nairav1.SeatTaken:
		g.Seats = int(m.GetSeats())
	case *nairav1.ValidatorAppointed:
		g.Validator = m.GetUserId()
	case *nairav1.ApproverAppointed:
		g.Approvers = append(slices.Clip(g.Approvers), m.GetUserId())
	case *nairav1.GroupActivated:
		g.Status = Active
	}
	return g
})

// Member is the state of a membership's stream.
type Member struct {
	Status Status
	Since  time.Time // When they became a member.
	Away   []Span    // When they were inactive: nothing that falls due then is owed.
}

// Span is from one moment to another; the last of a member's is still open while To is zero.
type Span struct{ From, To time.Time }

// Members folds a membership's stream.
var Members = event.Of("member", 2, func(m Member, e event.Happened) Member {
	switch e.Message.(type) {
	case *nairav1.MemberInvited:
		m.Status = Invited
	case *nairav1.MembershipRequested:
		m.Status = Pending
	case *nairav1.MembershipApproved:
		m = Member{Status: Active, Since: e.EffectiveAt}
	case *nairav1.MemberDeactivated:
		m.Status, m.Away = Inactive, append(slices.Clip(m.Away), Span{From: e.EffectiveAt})
	case *nairav1.MemberReactivated:
		m.Status, m.Away = Active, slices.Clone(m.Away)
		if n := len(m.Away); n > 0 {
			m.Away[n-1].To = e.EffectiveAt
		}
	case *nairav1.InvitationDeclined, *nairav1.InvitationExpired, *nairav1.MembershipRejected, *nairav1.MemberExited:
		return Member{}
	}
	return m
})

// SubAccount is the state of a sub-account's stream.
type SubAccount struct {
	Status   Status
	Group    string
	Type     nairav1.PaymentType
	Amount   money.Kobo
	Schedule Schedule
	Late     Late
}

// SubAccounts folds a sub-account's stream.
var SubAccounts = event.Of("sub", 2, func(s SubAccount, e event.Happened) SubAccount {
	switch m := e.Message.(type) {
	case *nairav1.SubAccountOpened:
		return SubAccount{
			Status: Active, Group: m.GetGroupId(), Type: m.GetPaymentType(), Amount: money.Kobo(m.GetAmountKobo()),
			Schedule: Schedule{First: ParseDay(m.GetFirstDue()), Frequency: m.GetPaymentFrequency()},
		}
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
