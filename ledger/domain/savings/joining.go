package savings

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/ledger/event"
)

// InvitationFor is how long an invitation stands.
const InvitationFor = 14 * 24 * time.Hour

// Approver refuses a person outside the group with 404, a member who is no approver with 403, a group that is over, and
// an account that is closed or frozen. The command names the streams of the membership and of the account.
func Approver(v event.View, g Group, groupID, by string) error {
	if err := g.approves(v, groupID, by); err != nil {
		return err
	}
	if err := g.GoesOn(); err != nil {
		return err
	}
	return standing.May(v, by, standing.Decide)
}

// appoints refuses as Approver does, but lets the approvers of a closed group through.
func (g Group) appoints(v event.View, groupID, by string) error {
	if err := g.approves(v, groupID, by); err != nil {
		return err
	}
	if err := g.fillsOffices(); err != nil {
		return err
	}
	return standing.May(v, by, standing.Decide)
}

// approves refuses a person outside the group, and a member who is no approver.
func (g Group) approves(v event.View, groupID, by string) error {
	switch {
	case g.Status == None || event.StateOf[Member](v, MemberStream(groupID, by)).Status == None:
		return ErrNoGroup()
	case !g.MayApprove(by):
		return fault.New(fault.Forbidden, "Only an approver of the group can do this.")
	}
	return nil
}

// Official refuses as Approver does, but lets the validator through too.
func Official(v event.View, g Group, groupID, by string) error {
	if by == g.Validator && by != "" && event.StateOf[Member](v, MemberStream(groupID, by)).Status != None {
		if err := g.GoesOn(); err != nil {
			return err
		}
		return standing.May(v, by, standing.Decide)
	}
	return Approver(v, g, groupID, by)
}

// between names the streams of what one member of a group decides about another.
func between(groupID, user, by string) []string {
	return append(decided(groupID, by), MemberStream(groupID, user))
}

// decided names the streams of what a member of a group decides.
func decided(groupID, by string) []string {
	return []string{GroupStream(groupID), MemberStream(groupID, by), account.Stream(by)}
}

// room refuses a group that takes nobody in, or whose places are all taken.
func (g Group) room() error {
	if err := g.takesPeople(); err != nil {
		return err
	}
	if g.Seats >= g.Capacity {
		return fault.New(fault.Conflict, "All %d places of this group are taken.", g.Capacity)
	}
	return nil
}

// InviteMember asks a person into the group. They hold no seat until they accept.
type InviteMember struct {
	GroupID string
	User    string
	By      string
	Now     time.Time
}

// Streams implements event.Command.
func (c InviteMember) Streams() []string {
	return append(between(c.GroupID, c.User, c.By), account.Stream(c.User))
}

// Accounts implements event.Command.
func (InviteMember) Accounts() []string { return nil }

// Decide implements event.Command. An invitation that has lapsed makes way for another.
func (c InviteMember) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if err := g.room(); err != nil {
		return nil, err
	}
	stream := MemberStream(c.GroupID, c.User)
	var out []event.Draft
	switch m := event.StateOf[Member](v, stream); {
	case m.Status == Invited && !m.lapsed(c.Now):
		return nil, fault.New(fault.Conflict, "This person is invited already. The invitation stands until %s.", m.until())
	case m.Status == Invited:
		out = append(out, event.On(stream, &nairav1.InvitationExpired{GroupId: c.GroupID, UserId: c.User}))
	case m.Status == Pending:
		return nil, fault.New(fault.Conflict, "This person has asked to join already. Approve them instead.")
	case m.Status != None:
		return nil, fault.New(fault.Conflict, "This person is a member of the group already.")
	}
	if err := standing.May(v, c.User, standing.BeGiven); err != nil {
		return nil, err
	}
	return append(out, event.On(stream, &nairav1.MemberInvited{
		GroupId: c.GroupID, UserId: c.User, InvitedBy: c.By, ExpiresAt: timestamppb.New(c.Now.Add(InvitationFor)),
	})), nil
}

func (m Member) lapsed(now time.Time) bool { return !now.Before(m.Expires) }

func (m Member) until() string { return lagos.Date(m.Expires) }

// AcceptInvitation takes an invitation up. Who invited has approved with it, if they still may.
type AcceptInvitation struct {
	GroupID string
	User    string
	Now     time.Time
}

// Streams implements event.Command.
func (c AcceptInvitation) Streams() []string { return decided(c.GroupID, c.User) }

// Accounts implements event.Command.
func (AcceptInvitation) Accounts() []string { return nil }

// Decide implements event.Command.
func (c AcceptInvitation) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	m := event.StateOf[Member](v, MemberStream(c.GroupID, c.User))
	if err := m.invited(c.Now); err != nil {
		return nil, err
	}
	return comesIn(v, g, m, c.GroupID, c.User)
}

// invited refuses a person who has no invitation that stands.
func (m Member) invited(now time.Time) error {
	switch {
	case m.Status == None:
		return fault.New(fault.NotFound, "There is no invitation for you to this group.")
	case m.Status == Pending:
		return fault.New(fault.Conflict, "You have asked to join already. An approver of the group will answer.")
	case m.Status != Invited:
		return fault.New(fault.Conflict, "You are a member of this group already.")
	case m.lapsed(now):
		return fault.New(fault.Conflict, "This invitation lapsed on %s. Ask the group for another one.", m.until())
	}
	return nil
}

// comesIn takes a seat for a person; who was invited by one who has been an approver since is a member at once. Earlier
// builds took also the word of one who had lost the office and got it back.
func comesIn(v event.View, g Group, m Member, groupID, user string) ([]event.Draft, error) {
	if err := g.room(); err != nil {
		return nil, err
	}
	if err := standing.May(v, user, standing.Join); err != nil {
		return nil, err
	}
	stream := MemberStream(groupID, user)
	out := []event.Draft{
		event.On(GroupStream(groupID), &nairav1.SeatTaken{GroupId: groupID, UserId: user, Seats: int32(g.Seats + 1)}),
		event.On(stream, &nairav1.MembershipRequested{GroupId: groupID, UserId: user}),
	}
	_, earlier := v.(standing.Earlier)
	if m.Status == Invited && g.MayApprove(m.InvitedBy) && (earlier || g.Held(m.InvitedBy, m.Expires.Add(-InvitationFor))) {
		out = append(out, event.On(stream, &nairav1.MembershipApproved{GroupId: groupID, UserId: user, ApprovedBy: m.InvitedBy}))
	}
	return out, nil
}

// DeclineInvitation turns an invitation down.
type DeclineInvitation struct {
	GroupID string
	User    string
}

// Streams implements event.Command.
func (c DeclineInvitation) Streams() []string { return []string{MemberStream(c.GroupID, c.User)} }

// Accounts implements event.Command.
func (DeclineInvitation) Accounts() []string { return nil }

// Decide implements event.Command.
func (c DeclineInvitation) Decide(v event.View) ([]event.Draft, error) {
	stream := MemberStream(c.GroupID, c.User)
	m := event.StateOf[Member](v, stream)
	if err := m.invited(time.Time{}); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(stream, &nairav1.InvitationDeclined{GroupId: c.GroupID, UserId: c.User})}, nil
}

// LapseInvitation ends an invitation that nobody took up in time.
type LapseInvitation struct {
	GroupID string
	User    string
	Now     time.Time
}

// Streams implements event.Command.
func (c LapseInvitation) Streams() []string { return []string{MemberStream(c.GroupID, c.User)} }

// Accounts implements event.Command.
func (LapseInvitation) Accounts() []string { return nil }

// Decide implements event.Command.
func (c LapseInvitation) Decide(v event.View) ([]event.Draft, error) {
	stream := MemberStream(c.GroupID, c.User)
	m := event.StateOf[Member](v, stream)
	if m.Status != Invited || !m.lapsed(c.Now) {
		return nil, fault.New(fault.Conflict, "There is no invitation that has lapsed.")
	}
	return []event.Draft{event.On(stream, &nairav1.InvitationExpired{GroupId: c.GroupID, UserId: c.User})}, nil
}

// JoinGroup asks to become a member, by the invitation link. The seat is held from now on. Who was invited by name
// takes that up while the invitation stands.
type JoinGroup struct {
	GroupID string
	User    string
	Now     time.Time // Without it no invitation is known to stand, so that they wait for an approver.
}

// Streams implements event.Command.
func (c JoinGroup) Streams() []string { return decided(c.GroupID, c.User) }

// Accounts implements event.Command.
func (JoinGroup) Accounts() []string { return nil }

// Decide implements event.Command.
func (c JoinGroup) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	m := event.StateOf[Member](v, MemberStream(c.GroupID, c.User))
	switch {
	case g.Status == None:
		return nil, ErrNoGroup()
	case m.Status == Pending:
		return nil, fault.New(fault.Conflict, "You have asked to join already. An approver of the group will answer.")
	case m.Status == Inactive:
		return nil, fault.New(fault.Conflict, "You are a member of this group, but inactive. An approver can make you active again.")
	case m.Status == Active:
		return nil, fault.New(fault.Conflict, "You are a member of this group already.")
	}
	if _, earlier := v.(standing.Earlier); !earlier && m.Status == Invited && (c.Now.IsZero() || m.lapsed(c.Now)) {
		m.InvitedBy = ""
	}
	return comesIn(v, g, m, c.GroupID, c.User)
}

// ApproveMember lets a person who waits into the group, or makes an inactive member active again.
type ApproveMember struct {
	GroupID string
	User    string
	By      string
}

// Streams implements event.Command.
func (c ApproveMember) Streams() []string {
	return append(between(c.GroupID, c.User, c.By), account.Stream(c.User))
}

// Accounts implements event.Command.
func (ApproveMember) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ApproveMember) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	stream := MemberStream(c.GroupID, c.User)
	switch m := event.StateOf[Member](v, stream); {
	case m.Status == None:
		return nil, fault.New(fault.NotFound, "This person has not asked to join the group.")
	case c.User == c.By:
		return nil, fault.New(fault.Forbidden, "You cannot approve yourself.")
	case m.Status == Invited:
		return nil, fault.New(fault.Conflict, "This person is invited and has not answered yet. They accept or decline.")
	case m.Status == Active:
		return nil, fault.New(fault.Conflict, "This person is a member already.")
	case standing.May(v, c.User, standing.BeGiven) != nil:
		return nil, standing.May(v, c.User, standing.BeGiven)
	case m.Status == Inactive:
		return []event.Draft{event.On(stream, &nairav1.MemberReactivated{GroupId: c.GroupID, UserId: c.User, ReactivatedBy: c.By})}, nil
	}
	if err := g.takesPeople(); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(stream, &nairav1.MembershipApproved{GroupId: c.GroupID, UserId: c.User, ApprovedBy: c.By})}, nil
}

// RejectMember turns down a person who waits, or withdraws an invitation.
type RejectMember struct {
	GroupID string
	User    string
	By      string
	Reason  string
}

// Streams implements event.Command.
func (c RejectMember) Streams() []string { return between(c.GroupID, c.User, c.By) }

// Accounts implements event.Command.
func (RejectMember) Accounts() []string { return nil }

// Decide implements event.Command.
func (c RejectMember) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := Approver(v, g, c.GroupID, c.By); err != nil {
		return nil, err
	}
	reason, err := wording.Text("reason", "The reason", c.Reason, 0, MaxReason)
	if err != nil {
		return nil, err
	}
	stream := MemberStream(c.GroupID, c.User)
	switch m := event.StateOf[Member](v, stream); {
	case m.Status == None:
		return nil, fault.New(fault.NotFound, "This person has not asked to join the group.")
	case c.User == c.By:
		return nil, fault.New(fault.Forbidden, "You cannot reject yourself.")
	case m.Status == Invited:
		return []event.Draft{event.On(stream, c.withdrawn(v, reason))}, nil
	case m.Status != Pending:
		return nil, fault.New(fault.Conflict, "This person is a member already. You can make them inactive instead.")
	}
	return []event.Draft{
		event.On(stream, &nairav1.MembershipRejected{GroupId: c.GroupID, UserId: c.User, RejectedBy: c.By, Reason: reason}),
		SeatFreed(g, c.GroupID, c.User),
	}, nil
}

// withdrawn says who took the invitation back. Earlier builds said that it expired.
func (c RejectMember) withdrawn(v event.View, reason string) proto.Message {
	if _, earlier := v.(standing.Earlier); earlier {
		return &nairav1.InvitationExpired{GroupId: c.GroupID, UserId: c.User}
	}
	return &nairav1.InvitationWithdrawn{GroupId: c.GroupID, UserId: c.User, WithdrawnBy: c.By, Reason: reason}
}

// SeatFreed gives the seat of a member who goes to another.
func SeatFreed(g Group, groupID, user string) event.Draft {
	return event.On(GroupStream(groupID), &nairav1.SeatFreed{GroupId: groupID, UserId: user, Seats: int32(g.Seats - 1)})
}
