package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// MaxApprovers is how many approvers a group may have, its owner among them.
const MaxApprovers = 5

// Missing says in words what a group needs before it becomes active: an owner with a verified BVN, a validator, and
// one approver besides the owner.
func Missing(status Status, validator string, approvers int, verified bool) []string {
	missing := []string{}
	if status != PendingApproval {
		return missing
	}
	if !verified {
		missing = append(missing, "The owner's BVN: the owner verifies it in their profile.")
	}
	if validator == "" {
		missing = append(missing, "A validator: approve a member, then make them the validator.")
	}
	if approvers < 2 {
		missing = append(missing, "An approver besides the owner: approve a member, then make them an approver.")
	}
	return missing
}

// activation is the event that makes a waiting group active, if it now has all that it needs. owner is whose account
// the command named: the group's owner, or the group has another since.
func activation(v event.View, g Group, groupID, owner string) ([]event.Draft, error) {
	if g.Status != PendingApproval {
		return nil, nil
	}
	if g.Owner != owner {
		return nil, fault.New(fault.Conflict, "The group has another owner since just now. Please try again.")
	}
	verified := event.StateOf[account.Account](v, account.Stream(owner)).Bvn == account.Verified
	if len(Missing(g.Status, g.Validator, len(g.Approvers), verified)) > 0 {
		return nil, nil
	}
	return []event.Draft{event.On(GroupStream(groupID), &nairav1.GroupActivated{GroupId: groupID})}, nil
}

// AppointValidator makes an active member the group's one validator.
type AppointValidator struct {
	GroupID string
	User    string
	By      string
	Owner   string // The group's, whose BVN may make it active.
}

// Streams implements event.Command.
func (c AppointValidator) Streams() []string {
	return append(between(c.GroupID, c.User, c.By), account.Stream(c.User), account.Stream(c.Owner))
}

// Accounts implements event.Command.
func (AppointValidator) Accounts() []string { return nil }

// Decide implements event.Command.
func (c AppointValidator) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := g.appoints(v, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if err := appointable(v, c.GroupID, c.User); err != nil {
		return nil, err
	}
	switch {
	case g.MayApprove(c.User):
		return nil, fault.New(fault.Conflict, "An approver cannot be the validator: nobody acts twice on one request. Choose another member.")
	case g.Validator == c.User:
		return nil, fault.New(fault.Conflict, "This member is the validator already.")
	}
	g.Validator = c.User
	active, err := activation(v, g, c.GroupID, c.Owner)
	return append([]event.Draft{
		event.On(GroupStream(c.GroupID), &nairav1.ValidatorAppointed{GroupId: c.GroupID, UserId: c.User, AppointedBy: c.By}),
	}, active...), err
}

// appointable refuses an office to those who are not active members, or whose account is closed or frozen.
func appointable(v event.View, groupID, user string) error {
	switch event.StateOf[Member](v, MemberStream(groupID, user)).Status {
	case Active:
		return standing.May(v, user, standing.Serve)
	case Pending:
		return fault.New(fault.Conflict, "This person waits to be approved. Approve them first.")
	case None:
		return fault.New(fault.NotFound, "This person is not in the group.")
	default:
		return fault.New(fault.Conflict, "This person is not an active member, so they cannot hold an office.")
	}
}

// AppointApprover makes an active member one of the group's approvers. Only its owner may.
type AppointApprover struct {
	GroupID string
	User    string
	By      string
}

// Streams implements event.Command.
func (c AppointApprover) Streams() []string {
	return append(between(c.GroupID, c.User, c.By), account.Stream(c.User))
}

// Accounts implements event.Command.
func (AppointApprover) Accounts() []string { return nil }

// Decide implements event.Command.
func (c AppointApprover) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := g.owns(v, c.GroupID, c.By); err != nil {
		return nil, err
	}
	if err := appointable(v, c.GroupID, c.User); err != nil {
		return nil, err
	}
	switch {
	case g.MayApprove(c.User):
		return nil, fault.New(fault.Conflict, "This member is an approver already.")
	case g.Validator == c.User:
		return nil, fault.New(fault.Conflict, "The validator cannot be an approver: nobody acts twice on one request. Choose another member.")
	case len(g.Approvers) >= MaxApprovers:
		return nil, fault.New(fault.Conflict, "A group has at most %d approvers. Remove one first.", MaxApprovers)
	}
	g.Approvers = with(g.Approvers, c.User)
	active, err := activation(v, g, c.GroupID, c.By)
	return append([]event.Draft{
		event.On(GroupStream(c.GroupID), &nairav1.ApproverAppointed{GroupId: c.GroupID, UserId: c.User, AppointedBy: c.By}),
	}, active...), err
}

// owner refuses a person outside the group with 404, a member who is not its owner with 403, and an account that is
// closed or frozen.
func owner(v event.View, g Group, groupID, by string) error {
	if err := g.owns(v, groupID, by); err != nil {
		return err
	}
	return g.GoesOn()
}

// owns refuses as owner does, but lets the owner of a closed group through.
func (g Group) owns(v event.View, groupID, by string) error {
	switch {
	case g.Status == None || event.StateOf[Member](v, MemberStream(groupID, by)).Status == None:
		return ErrNoGroup()
	case g.Owner != by:
		return fault.New(fault.Forbidden, "Only the owner of the group can do this.")
	}
	if err := g.fillsOffices(); err != nil {
		return err
	}
	return standing.May(v, by, standing.Decide)
}

// RemoveApprover takes an approver's office: by the owner, or by the approver themselves.
type RemoveApprover struct {
	GroupID string
	User    string
	By      string
}

// Streams implements event.Command.
func (c RemoveApprover) Streams() []string { return between(c.GroupID, c.User, c.By) }

// Accounts implements event.Command.
func (RemoveApprover) Accounts() []string { return nil }

// Decide implements event.Command.
func (c RemoveApprover) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[Group](v, GroupStream(c.GroupID))
	if err := g.appoints(v, c.GroupID, c.By); err != nil {
		return nil, err
	}
	switch {
	case c.By != g.Owner && c.By != c.User:
		return nil, fault.New(fault.Forbidden, "Only the owner, or the approver themselves, can do this.")
	case event.StateOf[Member](v, MemberStream(c.GroupID, c.User)).Status == None:
		return nil, fault.New(fault.NotFound, "This person is not in the group.")
	case !g.MayApprove(c.User):
		return nil, fault.New(fault.Conflict, "This member is no approver.")
	case c.User == g.Owner:
		return nil, fault.New(fault.Conflict, "The owner is always an approver. Pass the group on to another approver first.")
	}
	return g.unseats(c.GroupID, c.User, c.By)
}

// Activate makes a waiting group active whose owner's BVN was the last thing it needed.
type Activate struct {
	GroupID string
	Owner   string
}

// Streams implements event.Command.
func (c Activate) Streams() []string {
	return []string{GroupStream(c.GroupID), account.Stream(c.Owner)}
}

// Accounts implements event.Command.
func (Activate) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Activate) Decide(v event.View) ([]event.Draft, error) {
	active, err := activation(v, event.StateOf[Group](v, GroupStream(c.GroupID)), c.GroupID, c.Owner)
	if err == nil && len(active) == 0 {
		err = fault.New(fault.Conflict, "The group does not wait for its owner's BVN.")
	}
	return active, err
}
