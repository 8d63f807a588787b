package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
)

// GiveBack records in a group that the account of an official was given back to them. Approvals, waivers, invitations
// and votes about the group's owner that they gave before no longer count where something still waits: they give them
// again.
type GiveBack struct{ GroupID, User string }

// Streams implements event.Command.
func (c GiveBack) Streams() []string { return []string{GroupStream(c.GroupID), account.Stream(c.User)} }

// Accounts implements event.Command.
func (GiveBack) Accounts() []string { return nil }

// Decide implements event.Command.
func (c GiveBack) Decide(v event.View) ([]event.Draft, error) {
	g, a := event.StateOf[Group](v, GroupStream(c.GroupID)), event.StateOf[account.Account](v, account.Stream(c.User))
	switch {
	case !g.Official(c.User):
		return nil, fault.New(fault.Conflict, "This person holds no office in the group.")
	case len(a.Given) == 0 || g.GivenBack[c.User].After(a.Given[len(a.Given)-1].Until):
		return nil, fault.New(fault.Conflict, "Their account was not given back since this was recorded last.")
	}
	return []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.OfficialGivenBack{GroupId: c.GroupID, UserId: c.User})}, nil
}
