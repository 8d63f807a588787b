package ajo

import (
	"context"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// Invite mails the invitation link to addresses and returns how many there were. It skips an address that has had many
// invitations.
func (s *Service) Invite(ctx context.Context, who usecase.Who, id string, emails []string) (int, error) {
	addresses, err := people.Emails(emails)
	if err != nil {
		return 0, err
	}
	r, err := s.room(ctx, who.User, id)
	if err != nil {
		return 0, err
	}
	if r.a.Status != rules.Open && len(r.a.Openings) == 0 {
		return 0, fault.New(fault.Conflict, "This ajo takes nobody in now, so nobody can be invited.")
	}
	cards, err := s.names(ctx, []string{who.User})
	if err != nil {
		return 0, err
	}
	inviter, err := s.AccountState(ctx, who.User)
	if err != nil {
		return 0, err
	}
	from := mail.Inviter{User: who.User, Name: usecase.FullName(cards, who.User), Verified: inviter.Bvn == account.Verified}
	place := mail.Place{ID: r.id, Name: r.a.Name, Link: s.invitationLink(r.id)}
	command, _ := who.ID("send ajo invitations")
	return len(addresses), mail.Invite(ctx, s.Pool, from, addresses, place, command, s.Now())
}
