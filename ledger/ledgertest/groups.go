package ledgertest

import (
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// Activated has two people join a group that waits, as its validator and its other approver, and its owner's BVN
// verified: all that makes it active. It is for owners of one group.
func Activated(groupID, owner, validator, approver string) []event.Command {
	out := []event.Command{account.EndCheck(owner, "bvn of "+owner, 0)}
	for _, user := range []string{validator, approver} {
		out = append(out, savings.JoinGroup{GroupID: groupID, User: user}, savings.ApproveMember{GroupID: groupID, User: user, By: owner})
	}
	return append(out, Appointed(groupID, owner, validator, approver)...)
}

// Appointed gives two members the offices that a group needs.
func Appointed(groupID, owner, validator, approver string) []event.Command {
	return []event.Command{
		savings.AppointApprover{GroupID: groupID, User: approver, By: owner},
		savings.AppointValidator{GroupID: groupID, User: validator, By: owner, Owner: owner},
	}
}
