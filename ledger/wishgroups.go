package ledger

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishGroups are the founding of groups, what they collect for, and who is in them.
func wishGroups(all redecide.Wishes) {
	wishIn(all, func(_ event.View, m *nairav1.GroupCreated, events []redecide.Recorded, at int) []event.Command {
		c := savings.CreateGroup{
			GroupID: m.GetGroupId(), Owner: m.GetOwnerId(), Name: m.GetName(), Description: m.GetDescription(), Amount: money.Kobo(m.GetAmountKobo()),
			Capacity: int(m.GetMemberCapacity()), StartMonth: int(m.GetStartMonth()), ShowTotalBalance: m.GetShowTotalBalance(),
		}
		with := c
		for _, e := range events[at:] {
			if opened, is := e.Message.(*nairav1.SubAccountOpened); is && with.MonthlyDues == "" {
				with.MonthlyDues = opened.GetSubAccountId()
			}
		}
		var out []event.Command
		for _, one := range []savings.CreateGroup{with, c} { // What comes after it may be another command's.
			out = append(out, atEither(events[at], func(now time.Time) event.Command {
				one.Now = now
				return one
			})...)
		}
		return out
	})
	wishIn(all, wishSubAccount)
	wish(all, func(m *nairav1.MembershipApproved, _ redecide.Recorded) []event.Command {
		return one(savings.ApproveMember{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetApprovedBy()})
	})
	wish(all, func(m *nairav1.MemberReactivated, _ redecide.Recorded) []event.Command {
		return one(savings.ApproveMember{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetReactivatedBy()})
	})
	wish(all, func(m *nairav1.ApproverAppointed, _ redecide.Recorded) []event.Command {
		return one(savings.AppointApprover{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetAppointedBy()})
	})
	wishIn(all, func(v event.View, m *nairav1.ValidatorAppointed, _ []redecide.Recorded, _ int) []event.Command {
		g := event.StateOf[savings.Group](v, savings.GroupStream(m.GetGroupId()))
		return one(savings.AppointValidator{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetAppointedBy(), Owner: g.Owner})
	})
}

// wishSubAccount is the opening of a sub-account. Which official opened it is not in the event.
func wishSubAccount(v event.View, m *nairav1.SubAccountOpened, events []redecide.Recorded, at int) (out []event.Command) {
	c := savings.OpenSubAccount{
		GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), Name: m.GetName(), Description: m.GetDescription(), Type: m.GetPaymentType(),
		Frequency: m.GetPaymentFrequency(), Amount: money.Kobo(m.GetAmountKobo()), ShowTotal: m.GetShowTotalToMembers(),
	}
	for _, e := range events[at:] {
		if late, is := e.Message.(*nairav1.LateTermsSet); is && late.GetSubAccountId() == c.SubAccountID && !c.Late.Any() {
			c.Late = savings.Late{
				GraceDays: int(late.GetGraceDays()), Type: late.GetPenaltyType(), Amount: money.Kobo(late.GetPenaltyKobo()), BasisPoints: int(late.GetPenaltyBasisPoints()),
			}
		}
	}
	first, err := time.Parse(time.DateOnly, m.GetFirstDue())
	if err != nil {
		return nil
	}
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	for _, by := range append([]string{g.Owner}, g.Approvers...) {
		for _, day := range []time.Time{{}, first} {
			c.By, c.FirstDay = by, day
			out = append(out, atEither(events[at], func(now time.Time) event.Command {
				c.Now = now
				return c
			})...)
		}
	}
	if len(g.SubAccounts) == 0 { // Once a group counts them, it counts all.
		for _, c := range slices.Clone(out) {
			out = append(out, uncounted{c.(savings.OpenSubAccount)})
		}
	}
	return out
}

// uncounted is the opening of a sub-account before groups counted theirs.
type uncounted struct{ savings.OpenSubAccount }

// Decide implements event.Command.
func (c uncounted) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.OpenSubAccount.Decide(v)
	return slices.DeleteFunc(drafts, func(d event.Draft) bool {
		_, counts := d.Message.(*nairav1.SubAccountCounted)
		return counts
	}), err
}
