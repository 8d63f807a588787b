package savings

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// MaxSubAccounts is how many a group may have.
const MaxSubAccounts = 50

// GoesOn refuses a group that is over, in which nothing changes any more.
func (g Group) GoesOn() error {
	switch g.Status {
	case Closed:
		return fault.New(fault.Conflict, "This group is closed. It can still be read, and nothing in it changes any more.")
	case Cancelled:
		return fault.New(fault.Conflict, "This group was given up before it became active. Found another one.")
	case Rejected:
		return fault.New(fault.Conflict, "This group was rejected before it became active. Contact us, or found another one.")
	default:
		return nil
	}
}

// fillsOffices refuses a group that never became active. One that is closed still has officials, who decide about what
// a bank sends back to it.
func (g Group) fillsOffices() error {
	if g.Status == Closed {
		return nil
	}
	return g.GoesOn()
}

// takesPeople refuses a group that nobody can come into.
func (g Group) takesPeople() error {
	switch g.Status {
	case Suspended:
		return fault.New(fault.Conflict, "This group is suspended. People can come in again once Adashi has resumed it.")
	case Closing:
		return fault.New(fault.Conflict, "This group is closing and takes nobody in any more.")
	default:
		return g.GoesOn()
	}
}

// collects refuses a group that opens nothing more to collect for.
func (g Group) collects() error {
	switch {
	case g.Status == Suspended:
		return fault.New(fault.Conflict, "This group is suspended. Sub-accounts can be opened again once Adashi has resumed it.")
	case g.Status == Closing:
		return fault.New(fault.Conflict, "This group is closing and collects nothing more.")
	case len(g.SubAccounts) >= MaxSubAccounts:
		return fault.New(fault.Conflict, "A group has at most %d sub-accounts, and this one has as many.", MaxSubAccounts)
	default:
		return g.GoesOn()
	}
}

func counted(g Group, groupID, subAccountID string) event.Draft {
	return event.On(GroupStream(groupID), &nairav1.SubAccountCounted{
		GroupId: groupID, SubAccountId: subAccountID, SubAccounts: int32(len(g.SubAccounts) + 1),
	})
}
