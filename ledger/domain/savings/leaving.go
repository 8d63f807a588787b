package savings

import (
	"reflect"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// DeactivateMember has a member keep their seat and money, and neither owe nor contribute.
type DeactivateMember struct {
	GroupID string
	User    string
	By      string
	Reason  string
}

// Streams implements event.Command.
func (c DeactivateMember) Streams() []string { return between(c.GroupID, c.User, c.By) }

// Accounts implements event.Command.
func (DeactivateMember) Accounts() []string { return nil }

// Decide implements event.Command. Only the owner takes an approver's office, and that with it.
func (c DeactivateMember) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	reason, err := text("reason", "The reason", c.Reason, 0, maxReason)
	if err != nil {
		return nil, err
	}
	switch m := event.StateOf[Member](v, MemberStream(c.GroupID, c.User)); {
	case m.Status == None:
		return nil, fault.New(fault.NotFound, "This person is not in the group.")
	case c.User == c.By:
		return nil, fault.New(fault.Forbidden, "You cannot make yourself inactive. You can leave the group.")
	case m.Status == Inactive:
		return nil, fault.New(fault.Conflict, "This member is inactive already.")
	case m.Status != Active:
		return nil, fault.New(fault.Conflict, "This person is not a member yet. You can reject them instead.")
	case g.MayApprove(c.User) && c.By != g.Owner:
		return nil, fault.New(fault.Forbidden, "Only the owner can make an approver inactive.")
	}
	out, err := g.resigns(c.GroupID, c.User, c.By)
	return append(out, draft(MemberStream(c.GroupID, c.User), &nairav1.MemberDeactivated{
		GroupId: c.GroupID, UserId: c.User, DeactivatedBy: c.By, Reason: reason,
	})), err
}

// resigns takes the office of a user who goes, and refuses where the group cannot be without them.
func (g Group) resigns(groupID, user, by string) ([]event.Draft, error) {
	switch {
	case g.Owner == user:
		return nil, fault.New(fault.Conflict, "The owner cannot go. Pass the group on to another approver first.")
	case g.Validator == user:
		return nil, fault.New(fault.Conflict, "The validator cannot go. Make another member the validator first.")
	case !g.MayApprove(user):
		return nil, nil
	}
	return g.unseats(groupID, user, by)
}

// unseats takes an approver's office, and with it what hangs on it. An active group keeps one besides its owner.
func (g Group) unseats(groupID, user, by string) ([]event.Draft, error) {
	if g.Status != PendingApproval && len(g.Approvers) <= 2 {
		return nil, fault.New(fault.Conflict, "This is the last approver besides the owner. Appoint another one first.")
	}
	stream := GroupStream(groupID)
	out := []event.Draft{draft(stream, &nairav1.ApproverRemoved{GroupId: groupID, UserId: user, RemovedBy: by})}
	if g.Offered == user {
		out = append(out, draft(stream, &nairav1.OwnershipOfferEnded{GroupId: groupID, ToUserId: user, EndedBy: by}))
	}
	if g.Succession.Candidate == user {
		out = append(out, draft(stream, &nairav1.SuccessionEnded{GroupId: groupID, CandidateId: user, Reason: "They are no approver any more."}))
	}
	return out, nil
}

// LeaveGroup ends a membership for good: nothing is owed, nothing held or asked for, and what is saved was taken out
// or, with Forfeit, stays with the group.
type LeaveGroup struct {
	GroupID     string
	User        string
	Forfeit     bool
	SubAccounts []string // All of the group's.
	Now         time.Time
}

// Streams implements event.Command.
func (c LeaveGroup) Streams() []string {
	out := []string{GroupStream(c.GroupID), MemberStream(c.GroupID, c.User), RequestsStream(c.GroupID, c.User)}
	for _, sub := range c.SubAccounts {
		out = append(out, SubStream(sub), DuesStream(sub, c.User))
	}
	return out
}

// Accounts implements event.Command.
func (LeaveGroup) Accounts() []string { return nil }

// Stake is what a member has to do with one sub-account.
type Stake struct {
	SubAccountID string
	Owed         money.Kobo // Open dues.
	Saved        money.Kobo
	paid         Paid
}

// Stakes are a member's, of every sub-account that the command names.
func (c LeaveGroup) Stakes(v event.View) (stakes []Stake, owed, saved money.Kobo) {
	m := event.StateOf[Member](v, MemberStream(c.GroupID, c.User))
	for _, id := range c.SubAccounts {
		sub := event.StateOf[SubAccount](v, SubStream(id))
		if sub.Group != c.GroupID {
			continue
		}
		paid := event.StateOf[Paid](v, DuesStream(id, c.User))
		s := Stake{SubAccountID: id, Owed: sub.Dues(m, paid).Open(Day(c.Now)), Saved: paid.Savings(), paid: paid}
		stakes, owed, saved = append(stakes, s), owed+s.Owed, saved+s.Saved
	}
	return stakes, owed, saved
}

// InTheWay says what keeps a member from leaving, in words; what is saved is not among it.
func (c LeaveGroup) InTheWay(v event.View) []string {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	reasons := []string{}
	if _, err := g.resigns(c.GroupID, c.User, c.User); err != nil {
		reasons = append(reasons, fault.As(err).Message)
	}
	if _, owed, _ := c.Stakes(v); owed > 0 {
		reasons = append(reasons, "You owe "+owed.String()+". Pay it, or ask an approver to waive it.")
	}
	if event.StateOf[OpenRequests](v, RequestsStream(c.GroupID, c.User)).Any() {
		reasons = append(reasons, "A request of yours for money of the group is still open. Cancel it, or wait for it.")
	}
	return reasons
}

// Decide implements event.Command. Who waits to be let in takes that back with it.
func (c LeaveGroup) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	m := event.StateOf[Member](v, MemberStream(c.GroupID, c.User))
	if m.Status == Pending {
		return []event.Draft{
			draft(MemberStream(c.GroupID, c.User), &nairav1.MembershipRejected{GroupId: c.GroupID, UserId: c.User, RejectedBy: c.User}),
			freed(g, c.GroupID, c.User),
		}, nil
	}
	if err := c.may(g, m); err != nil {
		return nil, err
	}
	if reasons := c.InTheWay(v); len(reasons) > 0 {
		return nil, fault.New(fault.Conflict, "%s", reasons[0])
	}
	stakes, _, saved := c.Stakes(v)
	if saved > 0 && !c.Forfeit {
		return nil, fault.New(fault.Conflict, "You have %s saved here. Ask for it back first, or leave it to the group.", saved)
	}
	out, err := g.resigns(c.GroupID, c.User, c.User)
	if err != nil {
		return nil, err
	}
	for _, s := range stakes {
		if reflect.DeepEqual(s.paid, Paid{}) {
			continue
		}
		out = append(out, draft(DuesStream(s.SubAccountID, c.User), &nairav1.SavingsClosed{
			GroupId: c.GroupID, SubAccountId: s.SubAccountID, UserId: c.User, ForfeitedKobo: int64(s.Saved),
		}))
	}
	return append(out,
		draft(MemberStream(c.GroupID, c.User), &nairav1.MemberExited{GroupId: c.GroupID, UserId: c.User, ForfeitedKobo: int64(saved)}),
		freed(g, c.GroupID, c.User),
	), nil
}

// may refuses those who are no active members, and a list of sub-accounts that is not whole.
func (c LeaveGroup) may(g Group, m Member) error {
	switch {
	case g.Status == None || m.Status == None:
		return errNoGroup()
	case m.Status == Invited:
		return fault.New(fault.Conflict, "You are invited and no member yet. You can decline the invitation.")
	case m.Status == Inactive:
		return fault.New(fault.Conflict, "You are inactive. Ask for your money first; an approver makes you active again, and then you can leave.")
	}
	for _, id := range g.SubAccounts {
		if !slices.Contains(c.SubAccounts, id) {
			return fault.New(fault.Conflict, "The group has opened a sub-account just now. Please try again.")
		}
	}
	return g.goesOn()
}
