package closing

import (
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Rest shares out what came back to a sub-account of a group that is closed: what is less than can be asked for and,
// where nobody is left who can decide about it, whatever it is.
type Rest struct {
	GroupID, SubAccountID string
	People                []string // Everybody who has a seat in the group, and people who left and have savings there.
	Key                   string   // Names it; used once in a sub-account.
}

func (c Rest) sharing() sharing {
	return sharing{c.GroupID, slices.Compact(slices.Sorted(slices.Values(c.People))), c.Key}
}

// Streams implements event.Command.
func (c Rest) Streams() []string {
	return append(c.sharing().streams(c.SubAccountID), savings.GroupStream(c.GroupID), savings.SubStream(c.SubAccountID))
}

// Accounts implements event.Command.
func (c Rest) Accounts() []string {
	return append(c.sharing().accounts(), posting.Pool(c.SubAccountID), posting.Held(posting.Pool(c.SubAccountID)))
}

// Decide implements event.Command.
func (c Rest) Decide(v event.View) ([]event.Draft, error) {
	g, s := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID)), c.sharing()
	pool := v.Balance(posting.Pool(c.SubAccountID))
	switch {
	case event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID)).Group != c.GroupID:
		return nil, fault.New(fault.NotFound, "There is no such sub-account.")
	case g.Status != savings.Closed:
		return nil, fault.New(fault.Conflict, "The group is not closed.")
	case pool <= 0 || v.Balance(posting.Held(posting.Pool(c.SubAccountID))) > 0:
		return nil, fault.New(fault.Conflict, "There is nothing left to be shared out.")
	}
	if err := settled(v, g, c.GroupID, s.people); err != nil {
		return nil, err
	}
	if pool >= liquidation.Min && decidable(v, g, s) {
		return nil, fault.New(fault.Conflict, "The group's officials decide about this money.")
	}
	return s.pay(v, c.SubAccountID)
}

// decidable reports whether people are left who can still let a closed group's money out: an approver, who fills the
// other offices, and two more members, whose accounts are open. One asks for it, one validates it, and another approves
// it. A frozen one may be thawed.
func decidable(v event.View, g savings.Group, s sharing) bool {
	approver := slices.ContainsFunc(g.Approvers, func(user string) bool { return slices.Contains(s.people, user) && isOpen(v, user) })
	return approver && opened(v, s.group, s.people) > 2
}

func isOpen(v event.View, user string) bool { return standing.May(v, user, standing.Receive) == nil }

// opened is how many members with an open account a group has.
func opened(v event.View, group string, people []string) (n int) {
	for _, user := range people {
		m := event.StateOf[savings.Member](v, savings.MemberStream(group, user))
		if (m.Status == savings.Active || m.Status == savings.Inactive) && isOpen(v, user) {
			n++
		}
	}
	return n
}
