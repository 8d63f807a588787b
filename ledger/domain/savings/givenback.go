package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// GiveBack records in a group that the account of an official was given back to them. Approvals, waivers, invitations
// and votes about the group's owner that they gave before no longer count where something still waits: they give them
// again. Approvers whom somebody else appointed as the owner lose the office, also while the owner's account is frozen,
// but for the last one. Earlier builds left them.
type GiveBack struct{ GroupID, User string }

// Streams implements event.Command.
func (c GiveBack) Streams() []string { return []string{GroupStream(c.GroupID), account.Stream(c.User)} }

// Accounts implements event.Command.
func (GiveBack) Accounts() []string { return nil }

// Decide implements event.Command.
func (c GiveBack) Decide(v event.View) ([]event.Draft, error) {
	g, a := event.StateOf[Group](v, GroupStream(c.GroupID)), event.StateOf[account.Account](v, account.Stream(c.User))
	switch given, is := a.GivenBack(); {
	case !g.Official(c.User):
		return nil, fault.New(fault.Conflict, "This person holds no office in the group.")
	case !is || g.GivenBack[c.User].After(given):
		return nil, fault.New(fault.Conflict, "Their account was not given back since this was recorded last.")
	}
	out := []event.Draft{event.On(GroupStream(c.GroupID), &nairav1.OfficialGivenBack{GroupId: c.GroupID, UserId: c.User})}
	if _, earlier := v.(standing.Earlier); earlier || g.Owner != c.User { // Owners alone appoint them.
		return out, nil
	}
	for _, approver := range g.Approvers {
		if approver == c.User || !a.Stolen(g.OfficeSince[approver]) {
			continue
		}
		if removed, err := g.unseats(c.GroupID, approver, c.User); err == nil { // The last one stays.
			out, g.Approvers = append(out, removed...), without(g.Approvers, approver)
		}
	}
	return out, nil
}
