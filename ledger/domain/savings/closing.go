package savings

import (
	"slices"

	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// turn is a command that takes a group from one status to another.
type turn struct {
	groupID, by, reason string
	from                []Status
	otherwise           string // What is said of a group that is not there.
	staff               bool   // By Adashi's own, who are in no group.
	to                  func(reason string) proto.Message
	then                func(g Group, reason string) []event.Draft // What comes with it; may be nil.
}

// Streams implements event.Command.
func (c turn) Streams() []string { return decided(c.groupID, c.by) }

// Accounts implements event.Command.
func (turn) Accounts() []string { return nil }

// Decide implements event.Command.
func (c turn) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.groupID))
	if g.Status == None {
		return nil, ErrNoGroup()
	}
	may := c.mayStaff
	if !c.staff {
		may = func(v event.View) error { return owner(v, g, c.groupID, c.by) }
	}
	if err := may(v); err != nil {
		return nil, err
	}
	if !slices.Contains(c.from, g.Status) {
		return nil, fault.New(fault.Conflict, "The group is %s. %s", g.Status.words(), c.otherwise)
	}
	reason, err := wording.Text("reason", "The reason", c.reason, 3, MaxReason)
	if err != nil {
		return nil, err
	}
	drafts := []event.Draft{event.On(GroupStream(c.groupID), c.to(reason))}
	if c.then != nil {
		drafts = append(drafts, c.then(g, reason)...)
	}
	return drafts, nil
}

// mayStaff refuses those of Adashi's own who are, or were, in the group. Earlier builds did not ask. Who is invited
// alone is not kept out by that: an owner could invite everybody who might stop them.
func (c turn) mayStaff(v event.View) error {
	m := event.StateOf[Member](v, MemberStream(c.groupID, c.by))
	if _, earlier := v.(standing.Earlier); !earlier && (m.Was || m.Status != None && m.Status != Invited) {
		return standing.Party.May(standing.Decide)
	}
	return standing.May(v, c.by, standing.Decide)
}

// words says a group's status.
func (s Status) words() string {
	switch s {
	case PendingApproval:
		return "not active yet"
	case Suspended:
		return "suspended"
	case Closing:
		return "closing"
	case Closed:
		return "closed"
	case Rejected:
		return "rejected"
	case Cancelled:
		return "given up"
	default:
		return "active"
	}
}

// CancelGroup has the owner give up a group that never became active.
func CancelGroup(groupID, by, reason string) event.Command {
	return turn{groupID: groupID, by: by, reason: reason, from: []Status{PendingApproval}, otherwise: "Only one that waits to become active can be given up; an active one can be closed.", to: func(reason string) proto.Message {
		return &nairav1.GroupCancelled{GroupId: groupID, By: by, Reason: reason}
	}}
}

// RejectGroup has Adashi refuse a group that waits to become active.
func RejectGroup(groupID, by, reason string) event.Command {
	return turn{groupID: groupID, by: by, reason: reason, staff: true, from: []Status{PendingApproval}, otherwise: "Only one that waits to become active can be rejected; an active one can be suspended.", to: func(reason string) proto.Message {
		return &nairav1.GroupRejected{GroupId: groupID, By: by, Reason: reason}
	}}
}

// SuspendGroup has Adashi stop contributions to a group that is active, and payouts of one that is active or closing.
func SuspendGroup(groupID, by, reason string) event.Command {
	return turn{groupID: groupID, by: by, reason: reason, staff: true, from: []Status{Active, Closing}, otherwise: "Only one that is active or closing can be suspended.", to: func(reason string) proto.Message {
		return &nairav1.GroupSuspended{GroupId: groupID, By: by, Reason: reason}
	}}
}

// ResumeGroup has Adashi let a suspended group go on. One that was closing goes on closing.
func ResumeGroup(groupID, by, reason string) event.Command {
	return turn{groupID: groupID, by: by, reason: reason, staff: true, from: []Status{Suspended}, otherwise: "Only a suspended one can be resumed.", to: func(reason string) proto.Message {
		return &nairav1.GroupResumed{GroupId: groupID, By: by, Reason: reason}
	}, then: func(g Group, reason string) []event.Draft {
		if n := len(g.Shut); n == 0 || !g.Shut[n-1].Closing {
			return nil
		}
		return []event.Draft{event.On(GroupStream(groupID), &nairav1.GroupClosing{GroupId: groupID, By: by, Reason: reason})}
	}}
}

// CloseGroup has an active group take no more contributions, and, given again, be closed once it holds nothing. What is
// left of one that is closing and can't be paid out is shared out by closing.Group.
type CloseGroup struct {
	GroupID     string
	By          string
	Reason      string
	SubAccounts []string // All of the group's.
}

// Streams implements event.Command.
func (c CloseGroup) Streams() []string { return decided(c.GroupID, c.By) }

// Accounts implements event.Command.
func (c CloseGroup) Accounts() []string {
	var out []string
	for _, sub := range c.SubAccounts {
		out = append(out, posting.Pool(sub), posting.Held(posting.Pool(sub)))
	}
	return out
}

// Decide implements event.Command. A group that holds nothing is closed at once.
func (c CloseGroup) Decide(v event.View) ([]event.Draft, error) {
	var left money.Kobo
	for _, account := range c.Accounts() {
		left += v.Balance(account)
	}
	return c.DecideWith(v, left)
}

// DecideWith is Decide where so much is left in the group.
func (c CloseGroup) DecideWith(v event.View, left money.Kobo) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := owner(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	for _, id := range g.SubAccounts {
		if !slices.Contains(c.SubAccounts, id) {
			return nil, fault.New(fault.Conflict, "The group has opened a sub-account just now. Please try again.")
		}
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, 3, MaxReason)
	if err != nil {
		return nil, err
	}
	stream := GroupStream(c.GroupID)
	closing := event.On(stream, &nairav1.GroupClosing{GroupId: c.GroupID, By: c.By, Reason: reason})
	closed := event.On(stream, &nairav1.GroupClosed{GroupId: c.GroupID, By: c.By})
	switch {
	case g.Status == Closing && left > 0:
		return nil, fault.New(fault.Conflict, "The group is closing and still holds %s. Pay it out first.", left)
	case g.Status == Closing:
		return []event.Draft{closed}, nil
	case g.Status != Active:
		return nil, fault.New(fault.Conflict, "The group is %s. Only an active one can be closed.", g.Status.words())
	case left > 0:
		return []event.Draft{closing}, nil
	}
	return []event.Draft{closing, closed}, nil
}
