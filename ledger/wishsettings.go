package ledger

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/closings"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishSettings are what a group's owner sets, what its officials keep, and that it closes.
func wishSettings(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.GroupNoticeSet, events []redecide.Recorded, at int) (out []event.Command) {
		from := m.GetCountsFrom().AsTime()
		before := groupOf(v, m.GetGroupId()).Notice.At(events[at].EffectiveAt)
		for _, now := range []time.Time{from, from.Add(-before)} { // A shorter one counts after the one before.
			out = append(out, savings.SetNotice{GroupID: m.GetGroupId(), By: m.GetSetBy(), Hours: int(m.GetHours()), Now: now})
		}
		return out
	})
	wish(all, func(m *nairav1.GroupVisibilitySet, _ redecide.Recorded) []event.Command {
		return one(savings.ShowGroupTotal{GroupID: m.GetGroupId(), By: m.GetSetBy(), Show: m.GetShowTotalBalance()})
	})
	wish(all, func(m *nairav1.GroupSearchViewSet, _ redecide.Recorded) []event.Command {
		view := savings.SearchView{Findable: m.GetFindable(), Terms: m.GetShowTerms(), Totals: m.GetShowTotals()}
		return one(savings.SetSearchView{GroupID: m.GetGroupId(), By: m.GetSetBy(), View: view})
	})
	wish(all, func(m *nairav1.SubAccountVisibilitySet, _ redecide.Recorded) []event.Command {
		return one(savings.ShowSubAccountTotal{GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), By: m.GetSetBy(), Show: m.GetShowTotalToMembers()})
	})
	wish(all, func(m *nairav1.GroupDocumentAdded, _ redecide.Recorded) []event.Command {
		return one(savings.AddDocument{GroupID: m.GetGroupId(), DocumentID: m.GetDocumentId(), By: m.GetAddedBy(), SHA256: m.GetSha256()})
	})
	wish(all, func(m *nairav1.GroupDocumentRemoved, _ redecide.Recorded) []event.Command {
		return one(savings.RemoveDocument{GroupID: m.GetGroupId(), DocumentID: m.GetDocumentId(), By: m.GetRemovedBy()})
	})
	closes := func(v event.View, group, by, reason string) savings.CloseGroup {
		return savings.CloseGroup{GroupID: group, By: by, Reason: reason, SubAccounts: subAccountsOf(v, group)}
	}
	wishIn(all, func(v event.View, m *nairav1.GroupClosing, _ []redecide.Recorded, _ int) []event.Command {
		return one(closes(v, m.GetGroupId(), m.GetBy(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.GroupClosed, _ []redecide.Recorded, _ int) []event.Command {
		return one(closings.Of(v, closes(v, m.GetGroupId(), m.GetBy(), "It was closing."))) // Why is in the event before it.
	})
	wishIn(all, closings.Rest)
}

// subAccountsOf are all sub-accounts of a group. Those that were opened before it counted them are not in its state.
func subAccountsOf(v event.View, group string) []string {
	subs := slices.Clone(groupOf(v, group).SubAccounts)
	all, is := v.(redecide.Whole)
	if !is {
		return subs
	}
	all.Each(savings.SubAccounts.Category, func(id string, state any) {
		if sub, is := state.(savings.SubAccount); is && sub.Group == group && !slices.Contains(subs, id) {
			subs = append(subs, id)
		}
	})
	slices.Sort(subs)
	return subs
}

// wishWaivers are dues that are let off.
func wishWaivers(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.WaiverRequested, events []redecide.Recorded, at int) []event.Command {
		fixed, ok := ahead[*nairav1.WaiverDecidersFixed](events, at)
		if !ok {
			return nil // It is of before deciders were fixed.
		}
		return atEither(events[at], func(now time.Time) event.Command {
			return dues.RequestWaiver{
				WaiverID: m.GetWaiverId(), GroupID: m.GetGroupId(), SubAccountID: m.GetSubAccountId(), User: m.GetUserId(), Period: m.GetPeriod(), Kind: m.GetKind(),
				Reason: m.GetReason(), By: m.GetRequestedBy(), Officers: officers(groupOf(v, m.GetGroupId()), fixed.GetDeciderIds()), Now: now,
			}
		})
	})
	decided := func(v event.View, e redecide.Recorded, id, by, reason string, approve bool) []event.Command {
		w := event.StateOf[dues.Waiver](v, dues.WaiverStream(id))
		return atEither(e, func(now time.Time) event.Command {
			return dues.DecideWaiver{WaiverID: id, GroupID: w.Group, SubAccountID: w.SubAccount, User: w.User, By: by, Approve: approve, Reason: reason, Now: now}
		})
	}
	wishIn(all, func(v event.View, m *nairav1.WaiverApproved, events []redecide.Recorded, at int) []event.Command {
		return decided(v, events[at], m.GetWaiverId(), m.GetApprovedBy(), "", true)
	})
	wishIn(all, func(v event.View, m *nairav1.WaiverRejected, events []redecide.Recorded, at int) []event.Command {
		return decided(v, events[at], m.GetWaiverId(), m.GetRejectedBy(), m.GetReason(), false)
	})
	wishIn(all, func(v event.View, m *nairav1.DueWaived, events []redecide.Recorded, at int) []event.Command {
		return decided(v, events[at], m.GetWaiverId(), "", "", true) // It comes behind its approval, and never alone.
	})
}

// wishAnswers are what follows where members objected to a payment, and money that is held once it is approved.
func wishAnswers(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.LiquidationAnswered, events []redecide.Recorded, at int) []event.Command {
		of, times := payoutOf(v, m.GetLiquidationId()), []time.Time{events[at].EffectiveAt, events[at].RecordedAt}
		if m.GetPayableFrom() != nil { // It waits for the group's notice anew.
			from := m.GetPayableFrom().AsTime()
			notice := max(groupOf(v, m.GetGroupId()).Notice.At(events[at].EffectiveAt), savings.DefaultNotice*time.Hour)
			times = append(times, from.Add(-notice))
		}
		var out []event.Command
		for _, now := range times {
			out = append(out, liquidation.InTime(of, now, liquidation.Answer(of, m.GetAnsweredBy(), m.GetReason(), now)))
		}
		return out
	})
	wishIn(all, func(v event.View, m *nairav1.LiquidationFunded, events []redecide.Recorded, at int) []event.Command {
		approved, _ := ahead[*nairav1.LiquidationApproved](events, at) // It comes in front of the approval, and never alone.
		return approves(v, m.GetLiquidationId(), approved.GetApprovedBy(), events[at])
	})
}
