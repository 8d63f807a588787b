package groups

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// inviteAddress invites an address without an account, by a letter.
func (s *Service) inviteAddress(ctx context.Context, who usecase.Who, i mail.Invited) error {
	from, place, err := s.mayInvite(ctx, who, i.Place)
	if err != nil {
		return err
	}
	return mail.Ask(ctx, s.Pool, i, from.Invitation(i.Address, place), s.Now())
}

// inviteMember invites a person who has an account. It counts as an invitation unless the ledger refuses it.
func (s *Service) inviteMember(ctx context.Context, who usecase.Who, i mail.Invited, user string) error {
	c := savings.InviteMember{GroupID: i.Place, User: user, By: who.User, Now: s.Now()}
	err := s.UnlessRecorded(ctx, i.ID, func() error {
		_, err := s.Ledger.DryRun(ctx, c)
		return s.unlessInvited(ctx, i.Place, user, err)
	})
	if err != nil {
		return err
	}
	if err := mail.Ask(ctx, s.Pool, i, nil, s.Now()); err != nil {
		return err
	}
	_, err = s.Record(ctx, who, i.ID, i.Place, store.Fingerprint(i.Place, i.Address), c)
	err = s.unlessInvited(ctx, i.Place, user, err)
	if err != nil && usecase.UnlessRefused(err) == nil { // While we do not know whether it was recorded, it counts.
		return errors.Join(err, mail.TakeBack(context.WithoutCancel(ctx), s.Pool, i.ID))
	}
	return err
}

// unlessInvited ignores the refusal that a person is already invited: for a person without an account, a repeated
// invitation succeeds too.
func (s *Service) unlessInvited(ctx context.Context, groupID, user string, err error) error {
	if !fault.Is(err, fault.Conflict) {
		return err
	}
	if state, lost := s.Ledger.Load(ctx, savings.MemberStream(groupID, user)); lost == nil && state.(savings.Member).Status == savings.Invited {
		return nil
	}
	return err
}

// SendInvitations mails the invitation link to addresses and returns how many there were. It skips an address that has
// had many invitations.
func (s *Service) SendInvitations(ctx context.Context, who usecase.Who, groupID string, emails []string) (int, error) {
	addresses, err := people.Emails(emails)
	if err != nil {
		return 0, err
	}
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return 0, err
	}
	from, place, err := s.mayInvite(ctx, who, id)
	if err != nil {
		return 0, err
	}
	command, _ := who.ID("send invitations")
	return len(addresses), mail.Invite(ctx, s.Pool, from, addresses, place, command, s.Now())
}

// mayInvite refuses people who may not invite, and returns the names for the letters.
func (s *Service) mayInvite(ctx context.Context, who usecase.Who, groupID string) (from mail.Inviter, place mail.Place, err error) {
	if _, err = s.Ledger.DryRun(ctx, savings.InviteMember{GroupID: groupID, User: uuid.NewString(), By: who.User, Now: s.Now()}); err != nil {
		return from, place, err
	}
	g, err := groups.One(ctx, s.Pool, groupID)
	if err != nil {
		return from, place, usecase.NotThere(err, groups.ErrNone, "group")
	}
	from, err = s.inviter(ctx, who.User)
	return from, mail.Place{ID: groupID, Name: g.Name, Link: s.invitationLink(groupID)}, err
}

// endInvitations records that a member refused the invitations to a group, or that they were withdrawn, under the typed
// addresses.
func (s *Service) endInvitations(ctx context.Context, groupID, memberID string) error {
	id, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return err
	}
	user, err := usecase.ParseID(memberID, "member")
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.Pool, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT email FROM typed_invitations WHERE group_id = $1 AND user_id = $2 ORDER BY email`, id, user)
		if err != nil {
			return err
		}
		typed, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, email := range typed {
			if err := mail.EndInvitations(ctx, tx, id, email, s.Now()); err != nil {
				return err
			}
		}
		return nil
	})
}
