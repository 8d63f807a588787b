package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
)

// DeactivateMember has a member keep their seat and money, and not contribute. They owe nothing for the periods that
// lie wholly in their absence.
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
	if err := Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, 0, MaxReason)
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
	out, err := g.Resigns(c.GroupID, c.User, c.By)
	return append(out, event.On(MemberStream(c.GroupID, c.User), &nairav1.MemberDeactivatedV2{
		GroupId: c.GroupID, UserId: c.User, DeactivatedBy: c.By, Reason: reason, WholePeriods: true,
	})), err
}

// Resigns takes the office of a user who goes, and refuses where the group cannot be without them.
func (g Group) Resigns(groupID, user, by string) ([]event.Draft, error) {
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
	out := []event.Draft{event.On(stream, &nairav1.ApproverRemoved{GroupId: groupID, UserId: user, RemovedBy: by})}
	if g.Offered == user {
		out = append(out, event.On(stream, &nairav1.OwnershipOfferEnded{GroupId: groupID, ToUserId: user, EndedBy: by}))
	}
	if g.Succession.Candidate == user {
		out = append(out, event.On(stream, &nairav1.SuccessionEnded{GroupId: groupID, CandidateId: user, Reason: "They are no approver any more."}))
	}
	return out, nil
}
