package profile

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/fields"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/vault"
)

const (
	guardianPath = "/guardian-consent?token="
	// The limits of letters to a guardian's address in an hour, for one young member and for all.
	lettersToOneHour    = 3
	lettersToOneHourMax = 30
)

func guardianView(g vault.Guardian) contract.Guardian {
	view := contract.Guardian{
		Name: g.Name, Email: g.Email, Relationship: contract.GuardianRelationship(g.Relationship), Status: contract.GuardianStatus(g.Status),
	}
	if !g.AnsweredAt.IsZero() {
		at := g.AnsweredAt.UTC()
		view.AnsweredAt = &at
	}
	return view
}

// AskGuardian mails a member's parent or guardian a link to consent by. Only members of 15 to 17 need one.
func (s *Service) AskGuardian(ctx context.Context, userID string, form contract.GuardianRequest) (contract.Guardian, error) {
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return contract.Guardian{}, err
	}
	name, err := fields.Name("name", "guardian's name", form.Name)
	if err != nil {
		return contract.Guardian{}, err
	}
	email, err := people.ReadEmail(form.Email)
	if err != nil {
		return contract.Guardian{}, err
	}
	if m.Age(s.Now()) >= adult {
		return contract.Guardian{}, fault.New(fault.Conflict, "You are 18 or older and need nobody's consent.")
	}
	had, err := s.People.HadBy(ctx, email)
	if err != nil {
		return contract.Guardian{}, err
	}
	if email == m.Email || slices.Contains(had, userID) {
		return contract.Guardian{}, fault.Field("email", "Please enter your parent's or guardian's own email, not yours.")
	}
	r, err := s.Vault.Update(ctx, userID, func(ctx context.Context, tx vault.Tx) error {
		if tx.Guardian.Status == vault.Consented {
			return fault.New(fault.Conflict, "%s has consented already.", tx.Guardian.Name)
		}
		all, own, err := mail.CountSince(ctx, tx.Letters(), email, mail.KindGuardian, userID, s.Now().Add(-time.Hour))
		if err != nil {
			return err
		}
		if own >= lettersToOneHour || all >= lettersToOneHourMax {
			return fault.New(fault.TooMany, "We have just written to this address. Please ask them to look, and try again in an hour.")
		}
		token, request, err := tx.AskGuardian(ctx, s.Now())
		if err != nil {
			return err
		}
		tx.Guardian = vault.Guardian{Name: name, Email: email, Relationship: string(form.Relationship), Status: vault.Asked, Request: request}
		letter := mail.GuardianRequest(email, name, m.FirstName+" "+m.LastName, s.PublicURL+guardianPath+token)
		letter.Cause, letter.About = userID, []string{userID}
		return mail.Queue(ctx, tx.Letters(), letter, s.Now())
	})
	return guardianView(r.Guardian), err
}

// Consent takes a guardian's answer by their link's token; without an answer it only shows the question.
func (s *Service) Consent(ctx context.Context, form contract.ConsentRequest) (contract.Consent, error) {
	userID, err := s.Vault.GuardianOf(ctx, form.Token, s.Now())
	if err != nil {
		return contract.Consent{}, err
	}
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return contract.Consent{}, err
	}
	r, err := s.Vault.Read(ctx, userID)
	if err != nil {
		return contract.Consent{}, err
	}
	if form.Accept != nil && r.Guardian.Status != vault.Consented {
		if r, err = s.answer(ctx, m, r.Guardian, *form.Accept, value(form.Name)); err != nil {
			return contract.Consent{}, err
		}
	}
	return contract.Consent{Minor: m.FirstName + " " + m.LastName, Guardian: r.Guardian.Name, Status: contract.ConsentStatus(r.Guardian.Status)}, nil
}

// answer stores a guardian's answer. The member gets a letter about a new answer, not about a repeated one. A consent
// in the ledger is final, even when the vault does not have it because of an interruption: the guardian sees that
// consent and not a refusal. It ignores a guardian whom a thief named before the account was given back.
func (s *Service) answer(ctx context.Context, m people.Member, g vault.Guardian, accept bool, name string) (vault.Record, error) {
	owner, err := s.owner(ctx, m.UserID)
	if err != nil {
		return vault.Record{}, err
	}
	status := vault.Refused
	switch {
	case !owner.Consented && owner.Stolen(askedAt(g)):
		return vault.Record{}, fault.New(fault.Credentials, "This link has expired, or a newer one took its place. Ask for it to be sent again.")
	case owner.Consented:
		status = vault.Consented
	case accept:
		if !rails.SameName(name, g.Name) {
			return vault.Record{}, fault.Field("name", "Please enter your full name, %s, to consent.", g.Name)
		}
		status = vault.Consented
		if err := s.record(ctx, m.UserID, "consent "+g.Request, account.Consent(m.UserID, g.Request)); err != nil {
			return vault.Record{}, err
		}
	}
	return s.Vault.Update(ctx, m.UserID, func(ctx context.Context, tx vault.Tx) error {
		if tx.Guardian.Request != g.Request || tx.Guardian.Status == status {
			return nil
		}
		tx.Guardian.Status, tx.Guardian.AnsweredAt = status, s.Now().UTC()
		return mail.Queue(ctx, tx.Letters(), mail.GuardianAnswered(m.Email, m.FirstName, g.Name, status == vault.Consented, s.PublicURL+"/dashboard/profile"), s.Now())
	})
}

// askedAt is when we asked a guardian, to the millisecond: the request's id contains it.
func askedAt(g vault.Guardian) time.Time {
	id, err := uuid.Parse(g.Request)
	if err != nil {
		return time.Time{}
	}
	return time.Unix(id.Time().UnixTime())
}

// Adult reports whether a member is 18 or older.
func (s *Service) Adult(ctx context.Context, userID string) (bool, error) {
	if _, known := s.grown.Load(userID); known {
		return true, nil
	}
	m, err := s.People.Member(ctx, userID)
	if err != nil || m.Age(s.Now()) < adult {
		return false, err
	}
	s.grown.Store(userID, true)
	return true, nil
}

// SalaryDay is the day of the month on which a member is paid; 0 when they have not said.
func (s *Service) SalaryDay(ctx context.Context, userID string) (int, error) {
	r, err := s.Vault.Read(ctx, userID)
	if err != nil || r.DateForSalary.IsZero() {
		return 0, err
	}
	return r.DateForSalary.In(lagos.Zone).Day(), nil
}

// MayContribute refuses a member of 15 to 17 whose guardian has not consented. The ledger decides about the consent.
func (s *Service) MayContribute(ctx context.Context, userID string) error {
	grown, err := s.Adult(ctx, userID)
	if err != nil || grown {
		return err
	}
	owner, err := s.owner(ctx, userID)
	if err != nil {
		return err
	}
	if !owner.Consented {
		return standing.Ward.May(standing.PayDues)
	}
	return nil
}
