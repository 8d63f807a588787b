// Package closings makes the command by which a group was closed from what the ledger held then, so that it can be
// decided again.
package closings

import (
	"slices"
	"strings"

	"adashi.ng/ledger/domain/closing"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
	"adashi.ng/ledger/posting"
)

// Of is the closing of a group with what is left in it, and those whose it may be.
func Of(v event.View, c savings.CloseGroup) event.Command {
	whole := closing.Group{CloseGroup: c}
	for _, sub := range c.SubAccounts {
		if v.Balance(posting.Pool(sub)) > 0 {
			whole.Rests = append(whole.Rests, sub)
		}
	}
	all, is := v.(redecide.Whole)
	if !is || len(whole.Rests) == 0 {
		return whole
	}
	all.Each(savings.Members.Category, func(name string, state any) {
		group, user, _ := strings.Cut(name, ":")
		if m, is := state.(savings.Member); is && group == c.GroupID && m.Status != savings.None && m.Status != savings.Invited {
			whole.People = append(whole.People, user)
		}
	})
	all.Each(dues.Aggregate.Category, func(name string, state any) {
		sub, user, _ := strings.Cut(name, ":")
		if paid, is := state.(dues.State); is && paid.Savings() > 0 && slices.Contains(whole.Rests, sub) {
			whole.People = append(whole.People, user)
		}
	})
	return whole
}
