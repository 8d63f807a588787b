// Package closings makes the command by which a group was closed from what the ledger held then, so that it can be
// decided again.
package closings

import (
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

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
	if len(whole.Rests) > 0 {
		whole.People = sharing(v, c.GroupID, whole.Rests)
	}
	return whole
}

// Rest is the sharing out of what came back to a closed group. What names it is in what went to suspense of it.
func Rest(v event.View, m *nairav1.GroupRestPaid, events []redecide.Recorded, at int) []event.Command {
	c := closing.Rest{GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), People: sharing(v, m.GetGroupId(), []string{m.GetSubAccountId()})}
	user := m.GetUserId()
	for _, e := range events[at:] {
		switch m := e.Message.(type) {
		case *nairav1.GroupRestPaid:
			user = m.GetUserId()
		case *nairav1.ReturnedMoneyParkedV2:
			if key, is := strings.CutPrefix(m.GetReference(), closing.ParkingID(c.SubAccountID, user)); is {
				c.Key = key
				return []event.Command{c}
			}
		}
	}
	return []event.Command{c}
}

// sharing are everybody who has a seat in a group, and all others who have savings in some of its sub-accounts.
func sharing(v event.View, groupID string, rests []string) (people []string) {
	all, is := v.(redecide.Whole)
	if !is {
		return nil
	}
	all.Each(savings.Members.Category, func(name string, state any) {
		group, user, _ := strings.Cut(name, ":")
		if m, is := state.(savings.Member); is && group == groupID && m.Status != savings.None && m.Status != savings.Invited {
			people = append(people, user)
		}
	})
	all.Each(dues.Aggregate.Category, func(name string, state any) {
		sub, user, _ := strings.Cut(name, ":")
		if paid, is := state.(dues.State); is && paid.Savings() > 0 && slices.Contains(rests, sub) {
			people = append(people, user)
		}
	})
	return people
}
