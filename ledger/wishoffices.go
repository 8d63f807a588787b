package ledger

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

func groupOf(v event.View, id string) savings.Group {
	return event.StateOf[savings.Group](v, savings.GroupStream(id))
}

// officers are a group's officials. Who had an interest in something is not recorded: whoever was left out of who
// decides is taken to have had one.
func officers(g savings.Group, deciders []string) (o savings.Officers) {
	o.Users = append([]string{g.Validator}, g.Approvers...)
	for _, user := range o.Users {
		if !slices.Contains(deciders, user) {
			o.Interested = append(o.Interested, user)
		}
	}
	return o
}

// wishOffices are how people come to decide about a group's money, and how they cease to.
func wishOffices(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.ApproverRemoved, events []redecide.Recorded, at int) []event.Command {
		out := one(savings.RemoveApprover{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetRemovedBy()})
		if away, ok := ahead[*nairav1.MemberDeactivatedV2](events, at); ok {
			out = append(out, deactivated(away))
		}
		if gone, ok := ahead[*nairav1.MemberExited](events, at); ok {
			out = append(out, exited(v, gone.GetGroupId(), gone.GetUserId(), events, at)...)
		}
		return out
	})
	wish(all, func(m *nairav1.OwnershipOffered, _ redecide.Recorded) []event.Command {
		return one(savings.OfferOwnership{GroupID: m.GetGroupId(), To: m.GetToUserId(), By: m.GetOfferedBy()})
	})
	wish(all, func(m *nairav1.OfficialGivenBack, _ redecide.Recorded) []event.Command {
		return one(savings.GiveBack{GroupID: m.GetGroupId(), User: m.GetUserId()})
	})
	wishIn(all, func(_ event.View, m *nairav1.OwnershipOfferEnded, events []redecide.Recorded, at int) []event.Command {
		if offered, ok := ahead[*nairav1.OwnershipOffered](events, at); ok && offered.GetGroupId() == m.GetGroupId() {
			return one(savings.OfferOwnership{GroupID: m.GetGroupId(), To: offered.GetToUserId(), By: offered.GetOfferedBy()})
		}
		return one(savings.AnswerOwnership{GroupID: m.GetGroupId(), By: m.GetEndedBy()})
	})
	wishIn(all, func(v event.View, m *nairav1.OwnershipPassed, events []redecide.Recorded, at int) []event.Command {
		if m.GetByVote() {
			return ends(v, m.GetGroupId(), m.GetToUserId(), events[at])
		}
		return one(savings.AnswerOwnership{GroupID: m.GetGroupId(), By: m.GetToUserId(), Owner: m.GetFromUserId(), Accept: true})
	})
	wishSuccession(all)
	wishIn(all, func(v event.View, m *nairav1.GroupActivated, _ []redecide.Recorded, _ int) []event.Command {
		return one(savings.Activate{GroupID: m.GetGroupId(), Owner: groupOf(v, m.GetGroupId()).Owner})
	})
}

// wishSuccession are votes on who takes over from an owner who is away. When the owner was last here is recorded once:
// later votes are taken to have come while they were away.
func wishSuccession(all redecide.Wishes) {
	wishIn(all, succession)
	wish(all, func(m *nairav1.SuccessionVoted, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return savings.VoteSuccession{GroupID: m.GetGroupId(), Candidate: m.GetCandidateId(), By: m.GetUserId(), Agrees: m.GetAgrees(), Now: now}
		})
	})
	wishIn(all, func(v event.View, m *nairav1.SuccessionEnded, events []redecide.Recorded, at int) []event.Command {
		e := events[at]
		if next, ok := ahead[*nairav1.SuccessionProposed](events, at); ok && next.GetGroupId() == m.GetGroupId() {
			return succession(v, next, events, at)
		}
		back := savings.EndSuccession{GroupID: m.GetGroupId(), Candidate: m.GetCandidateId(), OwnerSeen: e.RecordedAt, Now: e.RecordedAt}
		return append(one(back), ends(v, m.GetGroupId(), m.GetCandidateId(), e)...)
	})
}

// succession is that a new owner is proposed.
func succession(v event.View, m *nairav1.SuccessionProposed, events []redecide.Recorded, at int) []event.Command {
	fixed, ok := ahead[*nairav1.VotersFixed](events, at)
	if !ok {
		return nil // It is of before voters were fixed.
	}
	return atEither(events[at], func(now time.Time) event.Command {
		return savings.ProposeSuccession{
			GroupID: m.GetGroupId(), Candidate: m.GetCandidateId(), By: m.GetProposedBy(), OwnerSeen: m.GetOwnerSeenAt().AsTime(),
			Officers: officers(groupOf(v, m.GetGroupId()), fixed.GetVoterIds()), Now: now,
		}
	})
}

// ends is that a vote waits for nobody any more.
func ends(v event.View, group, candidate string, e redecide.Recorded) []event.Command {
	return one(savings.EndSuccession{GroupID: group, Candidate: candidate, Voters: groupOf(v, group).Voters(), Now: e.RecordedAt})
}

// wishMembers are who is asked into a group, who is set aside, and who leaves.
func wishMembers(all redecide.Wishes) {
	wish(all, func(m *nairav1.MemberInvited, _ redecide.Recorded) []event.Command {
		return one(savings.InviteMember{
			GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetInvitedBy(), Now: m.GetExpiresAt().AsTime().Add(-savings.InvitationFor),
		})
	})
	wishIn(all, func(v event.View, m *nairav1.InvitationExpired, events []redecide.Recorded, at int) (out []event.Command) {
		group, user := m.GetGroupId(), m.GetUserId()
		if next, ok := ahead[*nairav1.MemberInvited](events, at); ok && next.GetGroupId() == group && next.GetUserId() == user {
			out = one(savings.InviteMember{GroupID: group, User: user, By: next.GetInvitedBy(), Now: next.GetExpiresAt().AsTime().Add(-savings.InvitationFor)})
		}
		out = append(out, atEither(events[at], func(now time.Time) event.Command {
			return savings.LapseInvitation{GroupID: group, User: user, Now: now}
		})...)
		for _, by := range groupOf(v, group).Approvers { // Earlier builds did not say which of them withdrew it.
			out = append(out, savings.RejectMember{GroupID: group, User: user, By: by})
		}
		return out
	})
	wish(all, func(m *nairav1.InvitationWithdrawn, _ redecide.Recorded) []event.Command {
		return one(savings.RejectMember{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetWithdrawnBy(), Reason: m.GetReason()})
	})
	wish(all, func(m *nairav1.MemberDeactivatedV2, _ redecide.Recorded) []event.Command { return one(deactivated(m)) })
	wishIn(all, func(v event.View, m *nairav1.SavingsClosed, events []redecide.Recorded, at int) []event.Command {
		return exited(v, m.GetGroupId(), m.GetUserId(), events, at)
	})
	wishIn(all, func(v event.View, m *nairav1.MemberExited, events []redecide.Recorded, at int) []event.Command {
		return exited(v, m.GetGroupId(), m.GetUserId(), events, at)
	})
}

func deactivated(m *nairav1.MemberDeactivatedV2) event.Command {
	return savings.DeactivateMember{GroupID: m.GetGroupId(), User: m.GetUserId(), By: m.GetDeactivatedBy(), Reason: m.GetReason()}
}

// exited is that a member leaves by some events. Their savings are closed in the order of the events.
func exited(v event.View, group, user string, events []redecide.Recorded, at int) []event.Command {
	var subs []string
	for _, e := range events[at:] {
		if closed, is := e.Message.(*nairav1.SavingsClosed); is && closed.GetGroupId() == group && closed.GetUserId() == user {
			subs = append(subs, closed.GetSubAccountId())
		}
	}
	for _, sub := range subAccountsOf(v, group) {
		if !slices.Contains(subs, sub) {
			subs = append(subs, sub)
		}
	}
	_, closing := ahead[*nairav1.AccountClosed](events, at)
	closing = closing || event.StateOf[account.Account](v, account.Stream(user)).Closed // Left behind by its closing.
	_, given := ahead[*nairav1.StolenActFound](events, at)
	return atEither(events[at], func(now time.Time) event.Command {
		return dues.LeaveGroup{GroupID: group, User: user, Forfeit: !given, SubAccounts: subs, Closing: closing || given, Now: now}
	})
}
