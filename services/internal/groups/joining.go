package groups

import (
	"context"
	"errors"
	"sync"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// onGroup gives a command about a group.
func (s *Service) onGroup(ctx context.Context, who usecase.Who, operation, groupID string, hash [16]byte, make func(group string) event.Command) (int64, error) {
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return 0, err
	}
	command, _ := who.ID(operation)
	result, err := s.Record(ctx, who, command, id, hash, make(id))
	return result.Position(), err
}

// AddMember invites a person by e-mail: one with an account into the group, anybody else by a letter with the link. The
// inviter cannot tell which it was: neither the answer nor the list of invited people shows it.
func (s *Service) AddMember(ctx context.Context, who usecase.Who, groupID, email string) error {
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return err
	}
	address := people.NormaliseEmail(email)
	if !people.IsEmail(address) {
		return fault.Field("email", "Please enter an e-mail address.")
	}
	user, err := s.People.Find(ctx, address)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return err
	}
	command, _ := who.ID("invite member")
	asked := mail.Invited{ID: command, Place: id, Address: address}
	if user == "" {
		err = s.inviteAddress(ctx, who, asked)
	} else {
		err = s.inviteMember(ctx, who, asked, user)
	}
	if err != nil {
		return err
	}
	return s.keepTyped(ctx, id, address, user)
}

// inviter returns the inviter's name for letters.
func (s *Service) inviter(ctx context.Context, user string) (mail.Inviter, error) {
	cards, err := s.People.Cards(ctx, []string{user})
	if err != nil {
		return mail.Inviter{}, err
	}
	state, err := s.AccountState(ctx, user)
	return mail.Inviter{User: user, Name: usecase.FullName(cards, user), Verified: state.Bvn == account.Verified}, err
}

// AcceptInvitation accepts an invitation.
func (s *Service) AcceptInvitation(ctx context.Context, who usecase.Who, groupID string) (int64, error) {
	return s.onGroup(ctx, who, "accept invitation", groupID, store.Fingerprint(groupID), func(group string) event.Command {
		return savings.AcceptInvitation{GroupID: group, User: who.User, Now: s.Now()}
	})
}

// DeclineInvitation declines an invitation.
func (s *Service) DeclineInvitation(ctx context.Context, who usecase.Who, groupID string) (int64, error) {
	pos, err := s.onGroup(ctx, who, "decline invitation", groupID, store.Fingerprint(groupID), func(group string) event.Command {
		return savings.DeclineInvitation{GroupID: group, User: who.User}
	})
	if err != nil {
		return pos, err
	}
	return pos, s.endInvitations(ctx, groupID, who.User)
}

// lapsedAtOnce limits how many invitations one run of the job ends.
const lapsedAtOnce = 500

// LapseInvitations ends the invitations that nobody accepted in time. It is a job.
func (s *Service) LapseInvitations(ctx context.Context) error {
	if _, err := s.Pool.Exec(ctx, `DELETE FROM typed_invitations WHERE expires_at <= $1`, s.Now()); err != nil {
		return err
	}
	lapsed, err := groups.LapsedInvitations(ctx, s.Pool, s.Now(), lapsedAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("lapse invitations"), lapsed, func(m groups.Waiting) string { return m.GroupID + " " + m.User }, func(ctx context.Context, m groups.Waiting) error {
		c := savings.LapseInvitation{GroupID: m.GroupID, User: m.User, Now: s.Now()}
		_, err := s.Record(ctx, usecase.Who{}, store.NewCommandID(), m.GroupID, store.Fingerprint(m.GroupID, m.User), c)
		return usecase.UnlessRefused(err)
	})
}

// RejectMember rejects a waiting person, or takes an invitation back by its id in the list of invited people.
func (s *Service) RejectMember(ctx context.Context, who usecase.Who, groupID, memberID, reason string) (int64, error) {
	group, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return 0, err
	}
	user, found, err := s.takeBack(ctx, who.User, group, memberID, reason)
	switch {
	case err != nil || found && user == "":
		return 0, err
	case found:
		memberID = user
	}
	pos, err := s.becauseOf(ctx, who, "reject member", groupID, memberID, reason, func(group, member string) event.Command {
		return savings.RejectMember{GroupID: group, User: member, By: who.User, Reason: reason}
	})
	if err != nil {
		return pos, err
	}
	return pos, s.endInvitations(ctx, groupID, memberID)
}

// DeactivateMember makes a member inactive.
func (s *Service) DeactivateMember(ctx context.Context, who usecase.Who, groupID, memberID, reason string) (int64, error) {
	return s.becauseOf(ctx, who, "deactivate member", groupID, memberID, reason, func(group, member string) event.Command {
		return savings.DeactivateMember{GroupID: group, User: member, By: who.User, Reason: reason}
	})
}

func (s *Service) becauseOf(ctx context.Context, who usecase.Who, operation, groupID, memberID, reason string, make func(group, member string) event.Command) (int64, error) {
	member, err := usecase.ParseID(memberID, "member")
	if err != nil {
		return 0, err
	}
	return s.onGroup(ctx, who, operation, groupID, store.Fingerprint(groupID, member, reason), func(group string) event.Command { return make(group, member) })
}

// changesAtOnce limits how many changes of a bulk run at the same time.
const changesAtOnce = 16

// changesMax limits how many members may be changed at once.
const changesMax = 500

// ChangeMembers makes the same change to many members, each separately, and returns those for whom it was refused, with
// the reason.
func (s *Service) ChangeMembers(ctx context.Context, who usecase.Who, form BulkMembersRequest) (BulkMembers, int64, error) {
	switch n := len(form.MemberIds); {
	case n < 1 || n > changesMax:
		return BulkMembers{}, 0, fault.Field("memberIds", "Give 1 to %d members; these are %d.", changesMax, n)
	case !form.Action.Valid():
		return BulkMembers{}, 0, fault.Field("action", "action is APPROVE, REJECT, DEACTIVATE or REACTIVATE.")
	}
	if err := s.mayChange(ctx, who.User, form.GroupId); err != nil {
		return BulkMembers{}, 0, err
	}
	reason := ""
	if form.Reason != nil {
		reason = *form.Reason
	}
	out := BulkMembers{Refused: []RefusedMember{}}
	results := make([]changed, len(form.MemberIds))
	turns := make(chan struct{}, s.AtOnce(changesAtOnce))
	var running sync.WaitGroup
	for n, member := range form.MemberIds {
		turns <- struct{}{}
		running.Go(func() {
			defer func() { <-turns }()
			results[n].pos, results[n].err = s.changeMember(ctx, who, string(form.Action), form.GroupId, member, reason)
		})
	}
	running.Wait()
	var last int64
	for n, r := range results {
		switch f := fault.As(r.err); {
		case r.err == nil:
			out.Done++
			last = max(last, r.pos)
		case f == nil || errors.Is(r.err, store.ErrUnknown):
			return out, 0, r.err
		default:
			out.Refused = append(out.Refused, RefusedMember{MemberId: form.MemberIds[n], Message: f.Message})
		}
	}
	return out, last, nil
}

const noSuchGroup = "There is no such group."

type changed struct {
	pos int64
	err error
}

func (s *Service) changeMember(ctx context.Context, who usecase.Who, action, groupID, memberID, reason string) (int64, error) {
	who = who.Part(memberID)
	switch action {
	case string(BulkMembersRequestActionREJECT):
		return s.RejectMember(ctx, who, groupID, memberID, reason)
	case string(BulkMembersRequestActionDEACTIVATE):
		return s.DeactivateMember(ctx, who, groupID, memberID, reason)
	default: // Approving makes an inactive member active again.
		_, pos, err := s.ApproveMember(ctx, who, groupID, memberID)
		return pos, err
	}
}

// mayChange refuses a bulk from people who could change nobody in the group.
func (s *Service) mayChange(ctx context.Context, user, groupID string) error {
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return err
	}
	g, err := s.GroupState(ctx, id)
	if err != nil {
		return err
	}
	state, err := s.Ledger.Load(ctx, savings.MemberStream(id, user))
	switch {
	case err != nil:
		return err
	case g.Status == savings.None || state.(savings.Member).Status == savings.None:
		return fault.New(fault.NotFound, noSuchGroup)
	case !g.MayApprove(user):
		return fault.New(fault.Forbidden, "Only an approver of the group can do this.")
	}
	return nil
}

// seenOwner returns when a group's owner was last here.
func (s *Service) seenOwner(ctx context.Context, g savings.Group) (time.Time, error) {
	if g.Status == savings.None {
		return time.Time{}, fault.New(fault.NotFound, noSuchGroup)
	}
	return s.People.SeenAt(ctx, g.Owner)
}

// WatchVotes ends the votes on owners who were seen again, and decided votes. It is a job.
func (s *Service) WatchVotes(ctx context.Context) error {
	open, err := groups.OpenVotes(ctx, s.Pool)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("watch votes on owners"), open, func(v groups.Vote) string { return v.GroupID }, func(ctx context.Context, vote groups.Vote) error {
		seen, err := s.People.SeenAt(ctx, vote.Owner)
		if err != nil {
			return err
		}
		g, err := s.GroupState(ctx, vote.GroupID)
		if err != nil {
			return err
		}
		c := savings.EndSuccession{GroupID: vote.GroupID, Candidate: vote.Candidate, Voters: g.Voters(), OwnerSeen: seen, Now: s.Now()}
		_, err = s.Record(ctx, usecase.Who{}, store.NewCommandID(), vote.GroupID, store.Fingerprint(vote.GroupID), c)
		return usecase.UnlessRefused(err)
	})
}
