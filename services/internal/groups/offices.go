package groups

import (
	"context"
	"fmt"
	"slices"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// named returns the group that a caller named.
func (s *Service) named(ctx context.Context, groupID string) (savings.Group, error) {
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return savings.Group{}, err
	}
	return s.GroupState(ctx, id)
}

// AppointValidator makes a member the group's validator.
func (s *Service) AppointValidator(ctx context.Context, who usecase.Who, groupID, memberID string) (int64, error) {
	g, err := s.named(ctx, groupID)
	if err != nil {
		return 0, err
	}
	return s.onMember(ctx, who, "appoint validator", groupID, memberID, func(group, member string) event.Command {
		return savings.AppointValidator{GroupID: group, User: member, By: who.User, Owner: g.Owner}
	})
}

// AppointApprover makes a member one of the group's approvers.
func (s *Service) AppointApprover(ctx context.Context, who usecase.Who, groupID, memberID string) (int64, error) {
	return s.onMember(ctx, who, "appoint approver", groupID, memberID, func(group, member string) event.Command {
		return savings.AppointApprover{GroupID: group, User: member, By: who.User}
	})
}

// activationWait is how long the read model may take to know a new owner's groups.
const activationWait = 5 * time.Second

// ActivateGroupsOf activates an owner's waiting groups whose last missing condition was the owner's BVN, which was
// verified just now. Call it again after fault.Unavailable.
func (s Activator) ActivateGroupsOf(ctx context.Context, owner string) error {
	_, head, err := history.Head(ctx, s.Pool)
	if err != nil {
		return err
	}
	if at := s.Tracker.WaitFor(ctx, head, activationWait, groups.Name); at < head {
		return fault.New(fault.Unavailable, "The owner's groups are not known yet.")
	}
	waiting, err := groups.OwnedWaiting(ctx, s.Pool, owner)
	if err != nil {
		return err
	}
	for _, id := range waiting {
		command := store.NewCommandID()
		_, err := s.Record(ctx, usecase.Who{User: owner}, command, id, store.Fingerprint(id), savings.Activate{GroupID: id, Owner: owner})
		if err != nil && !fault.Is(err, fault.Conflict) {
			return fmt.Errorf("activate group %s: %w", id, err)
		}
	}
	return nil
}

// RemoveApprover removes an approver from their office.
func (s *Service) RemoveApprover(ctx context.Context, who usecase.Who, groupID, memberID string) (int64, error) {
	return s.onMember(ctx, who, "remove approver", groupID, memberID, func(group, member string) event.Command {
		return savings.RemoveApprover{GroupID: group, User: member, By: who.User}
	})
}

// OfferOwnership asks an approver, for the owner, to take over.
func (s *Service) OfferOwnership(ctx context.Context, who usecase.Who, groupID, memberID string) (int64, error) {
	return s.onMember(ctx, who, "offer ownership", groupID, memberID, func(group, member string) event.Command {
		return savings.OfferOwnership{GroupID: group, To: member, By: who.User}
	})
}

// AnswerOwnership accepts or declines the offer, in the version that the caller saw, or takes it back.
func (s *Service) AnswerOwnership(ctx context.Context, who usecase.Who, groupID string, form AnswerRequest) (int64, error) {
	saw, err := usecase.Saw(form.Seen, form.Accept)
	if err != nil {
		return 0, err
	}
	g, err := s.named(ctx, groupID)
	if err != nil {
		return 0, err
	}
	return s.onGroup(ctx, who, "answer ownership", groupID, store.Fingerprint(groupID, form.Accept), func(group string) event.Command {
		return savings.AnswerOwnership{GroupID: group, Seen: saw, By: who.User, Owner: g.Owner, Accept: form.Accept}
	})
}

// ProposeSuccession proposes a successor to an owner who is away.
func (s *Service) ProposeSuccession(ctx context.Context, who usecase.Who, groupID, memberID string) (int64, error) {
	seen, err := s.ownerSeen(ctx, groupID)
	if err != nil {
		return 0, err
	}
	officers, err := s.Membership.Officers(ctx, groupID, vault.Payee{}, memberID, who.User)
	if err != nil {
		return 0, err
	}
	return s.onMember(ctx, who, "propose succession", groupID, memberID, func(group, member string) event.Command {
		return savings.ProposeSuccession{GroupID: group, Candidate: member, By: who.User, OwnerSeen: seen, Officers: officers, Now: s.Now()}
	})
}

// VoteSuccession votes in the vote that the caller saw.
func (s *Service) VoteSuccession(ctx context.Context, who usecase.Who, groupID string, form SuccessionVoteRequest) (int64, error) {
	saw, err := usecase.Saw(&form.Seen, true)
	if err != nil {
		return 0, err
	}
	ownerSeen, err := s.ownerSeen(ctx, groupID)
	if err != nil {
		return 0, err
	}
	return s.onGroup(ctx, who, "vote succession", groupID, store.Fingerprint(groupID, form.CandidateId, form.Agrees), func(group string) event.Command {
		return savings.VoteSuccession{
			GroupID: group, Candidate: form.CandidateId, Seen: saw, By: who.User, Agrees: form.Agrees, OwnerSeen: ownerSeen, Now: s.Now(),
		}
	})
}

// ownerSeen returns when a group's owner was last here.
func (s *Service) ownerSeen(ctx context.Context, groupID string) (time.Time, error) {
	g, err := s.named(ctx, groupID)
	if err != nil {
		return time.Time{}, err
	}
	return s.seenOwner(ctx, g)
}

// CancelGroup cancels a group that never became active.
func (s *Service) CancelGroup(ctx context.Context, who usecase.Who, groupID, reason string) (int64, error) {
	return s.onGroup(ctx, who, "cancel group", groupID, store.Fingerprint(groupID, reason), func(group string) event.Command {
		return savings.CancelGroup(group, who.User, reason)
	})
}

// subAccountsOf returns all of a group's sub-accounts: those that the ledger counted, and those from before it did.
func (s *Service) subAccountsOf(ctx context.Context, groupID string) ([]string, error) {
	g, err := s.GroupState(ctx, groupID)
	if err != nil {
		return nil, err
	}
	older, err := groups.SubAccountIDs(ctx, s.Pool, groupID)
	return usecase.UniqueIDs(append(older, g.SubAccounts...)), err
}

// SuspendGroup is for Adashi's staff, as ResumeGroup and RejectGroup are.
func (s *Service) SuspendGroup(ctx context.Context, who usecase.Who, groupID, reason string) (int64, error) {
	return s.onGroup(ctx, who, "suspend group", groupID, store.Fingerprint(groupID, reason), func(group string) event.Command {
		return savings.SuspendGroup(group, who.User, reason)
	})
}

// ResumeGroup resumes a suspended group.
func (s *Service) ResumeGroup(ctx context.Context, who usecase.Who, groupID, reason string) (int64, error) {
	return s.onGroup(ctx, who, "resume group", groupID, store.Fingerprint(groupID, reason), func(group string) event.Command {
		return savings.ResumeGroup(group, who.User, reason)
	})
}

// RejectGroup refuses a group that waits to become active.
func (s *Service) RejectGroup(ctx context.Context, who usecase.Who, groupID, reason string) (int64, error) {
	return s.onGroup(ctx, who, "reject group", groupID, store.Fingerprint(groupID, reason), func(group string) event.Command {
		return savings.RejectGroup(group, who.User, reason)
	})
}

// ShowGroupTotal shows a group's total to plain members, or hides it.
func (s *Service) ShowGroupTotal(ctx context.Context, who usecase.Who, groupID string, show bool) (int64, error) {
	return s.onGroup(ctx, who, "show group total", groupID, store.Fingerprint(groupID, show), func(group string) event.Command {
		return savings.ShowGroupTotal{GroupID: group, By: who.User, Show: show}
	})
}

// SetSearchView sets how a group looks to outsiders in search.
func (s *Service) SetSearchView(ctx context.Context, who usecase.Who, groupID string, view savings.SearchView) (int64, error) {
	return s.onGroup(ctx, who, "set search view", groupID, store.Fingerprint(groupID, view), func(group string) event.Command {
		return savings.SetSearchView{GroupID: group, By: who.User, View: view}
	})
}

// ShowSubAccountTotal shows a sub-account's total to plain members, or hides it.
func (s *Service) ShowSubAccountTotal(ctx context.Context, who usecase.Who, subAccountID string, show bool) (int64, error) {
	id, err := usecase.ParseID(subAccountID, "sub-account")
	if err != nil {
		return 0, err
	}
	group, err := s.GroupOfSub(ctx, id)
	if err != nil {
		return 0, err
	}
	return s.onGroup(ctx, who, "show sub-account total", group, store.Fingerprint(id, show), func(group string) event.Command {
		return savings.ShowSubAccountTotal{GroupID: group, SubAccountID: id, By: who.User, Show: show}
	})
}

// SetNotice sets, for a group's owner, how long its payments wait for members' objections.
func (s *Service) SetNotice(ctx context.Context, who usecase.Who, groupID string, hours int) (int64, error) {
	return s.onGroup(ctx, who, "set notice", groupID, store.Fingerprint(groupID, hours), func(group string) event.Command {
		return savings.SetNotice{GroupID: group, By: who.User, Hours: hours, Now: s.Now()}
	})
}

// Ties returns the groups that depend on a person who wants to leave Adashi. A group that has ended does while it has
// money, or may get some back.
func (s *Service) Ties(ctx context.Context, user string) (ties []string, err error) {
	gs, err := groups.OfUser(ctx, s.Pool, user)
	for _, g := range gs {
		over, err := s.isOver(ctx, g)
		if err != nil {
			return nil, err
		}
		if over {
			continue
		}
		if g.Owner == user {
			ties = append(ties, fmt.Sprintf("You own the group %s.", g.Name))
		}
		if g.Validator == user {
			ties = append(ties, fmt.Sprintf("You are the validator of the group %s.", g.Name))
		}
		if g.Owner != user && slices.Contains(g.Approvers, user) {
			ties = append(ties, fmt.Sprintf("You are an approver of the group %s.", g.Name))
		}
	}
	return ties, err
}

// Leaves returns the memberships that end with a user's account. Those of a group that has ended remain: nothing in it
// changes any more. A person who is only invited has none, and their invitation lapses.
func (s *Service) Leaves(ctx context.Context, user string) (out []dues.LeaveGroup, err error) {
	gs, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	for _, g := range gs {
		state, err := s.Ledger.Load(ctx, savings.MemberStream(g.ID, user))
		if err != nil {
			return nil, err
		}
		if is := state.(savings.Member).Status; savings.Status(g.Status).Ended() || is == savings.None || is == savings.Invited {
			continue
		}
		leave, _, err := s.leaving(ctx, user, g.ID)
		if err != nil {
			return nil, err
		}
		leave.Closing = true
		out = append(out, leave)
	}
	return out, nil
}

// returnWithin is how long we ask a bank whether a payment came back: see payouts.
const returnWithin = 72 * time.Hour

// isOver reports whether a group has ended, has no money, and expects no return from its bank, as far as we know.
func (s *Service) isOver(ctx context.Context, g groups.Group) (bool, error) {
	if !savings.Status(g.Status).Ended() {
		return false, nil
	}
	subs, err := s.subAccountsOf(ctx, g.ID)
	if err != nil {
		return false, err
	}
	pools, err := requests.Pools(subs...).Read(ctx, s.Pool)
	for _, pool := range pools {
		if pool.Book() != 0 {
			return false, err
		}
	}
	if err != nil {
		return false, err
	}
	last, err := requests.LastPaid(ctx, s.Pool, g.ID)
	return s.Now().Sub(last) >= returnWithin, err
}
