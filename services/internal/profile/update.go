package profile

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/lookups"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/fields"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/vault"
)

const (
	addressCharsMax = 200
	salaryMax       = 1_000_000_000 * money.Naira
)

// Update changes the given details of a member's own and leaves the rest. It returns fault.Forbidden for a field that
// the member may not set, unless its value is unchanged, so that a client may send back a whole account as it read it.
// It calls steppedUp before it replaces a bank account.
func (s *Service) Update(ctx context.Context, userID string, form contract.UpdateUserInfoRequest, steppedUp func() error) (contract.Account, error) {
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	stands, owner, err := s.stands(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	ajo, err := s.hasAjoAccess(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	next := stands
	if err := change(&next, form); err != nil {
		return contract.Account{}, err
	}
	named := m
	if err := rename(&named, form, owner.Known || stands.Bvn.Status == vault.Pending); err != nil {
		return contract.Account{}, err
	}
	if next.Bank, err = s.newBank(ctx, userID, stands, form, steppedUp); err != nil {
		return contract.Account{}, err
	}
	if err := readOnly(s.view(m, stands, ajo), s.view(named, next, ajo), form); err != nil {
		return contract.Account{}, err
	}
	forget, err := s.left(ctx, userID, form)
	if err != nil {
		return contract.Account{}, err
	}
	r, err := s.write(ctx, form, edit{m, named, stands, next.Bank})
	if err != nil {
		return contract.Account{}, err
	}
	if err := s.forget(ctx, userID, forget); err != nil {
		return contract.Account{}, err
	}
	account := s.view(named, r, ajo)
	account.CardDetailsDtos, err = s.Cards(ctx, userID)
	return account, err
}

// edit is a change of details, checked against the member and their record as they were then. A bank may have been
// asked since.
type edit struct {
	member, named people.Member
	stands        vault.Record
	bank          vault.Bank
}

// moved reports whether another bank account is named, and whether it replaces one.
func (e edit) moved() (moved, replaced bool) {
	moved = e.bank != e.stands.Bank
	return moved, moved && e.stands.Bank.Number != ""
}

// holds refuses an edit if its facts have changed since it was checked.
func (e edit) holds(r vault.Record) error {
	moved, _ := e.moved()
	renamed := e.named.FirstName != e.member.FirstName || e.named.LastName != e.member.LastName
	if (moved || renamed) && (r.Bank != e.stands.Bank || r.Bvn != e.stands.Bvn) {
		return fault.New(fault.Conflict, "Your bank account or BVN changed in the meantime. Nothing was saved. Please look at your profile and try again.")
	}
	return nil
}

// write stores an edit, all of it or nothing, if its facts are still the same. It first records the replacement of a
// bank account in the ledger, which refuses it while the member's money is frozen.
func (s *Service) write(ctx context.Context, form contract.UpdateUserInfoRequest, e edit) (vault.Record, error) {
	user := e.member.UserID
	moved, replaced := e.moved()
	undo, link := false, ""
	if replaced {
		now, _, err := s.stands(ctx, user)
		if err == nil {
			err = e.holds(now)
		}
		undo = e.stands.Bvn.Status == vault.Verified && !rails.SameName(e.bank.AccountName, e.member.FirstName, e.member.LastName)
		if err == nil {
			link, err = s.People.UndoLink(ctx, user, e.member.Email)
			e.bank.ChangedAt = s.Now().UTC() // Not before the link, which undoes later changes.
		}
		if err == nil {
			err = s.must(ctx, user, "bank "+e.bank.ChangedAt.Format(time.RFC3339Nano), account.MoveBank(user, undo))
		}
		if err != nil {
			return vault.Record{}, err
		}
	}
	r, err := s.Vault.Update(ctx, user, func(ctx context.Context, tx vault.Tx) error {
		if err := e.holds(*tx.Record); err != nil {
			return err
		}
		if err := change(tx.Record, form); err != nil {
			return err
		}
		if err := s.People.RenameTx(ctx, tx.Letters(), user, e.named.FirstName, e.named.LastName, e.named.Phone); err != nil {
			return err
		}
		if moved {
			tx.Bank = e.bank
		}
		if undo {
			tx.Bvn = vault.Bvn{}
		}
		if !replaced {
			return nil
		}
		return mail.Queue(ctx, tx.Letters(), s.bankMoved(e.named, link), s.Now())
	})
	s.People.Renamed(user)
	if err == nil {
		session.Acted(ctx)
	}
	return r, err
}

// forget removes saved cards from the vault. It is not an error if a card is already gone.
func (s *Service) forget(ctx context.Context, userID string, cards []string) error {
	for _, card := range cards {
		if err := s.Vault.ForgetCard(ctx, userID, card); err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	return nil
}

// bankMoved is the letter to a member whose withdrawals now go to another bank account. The link undoes the change.
func (s *Service) bankMoved(m people.Member, undo string) mail.Message {
	return mail.SecurityAlert(m.Email, m.FirstName, "Your bank account was changed", "Withdrawals go to the new account from tomorrow on.",
		lagos.Clock(s.Now())+" (Lagos)", undo)
}

// change checks and sets the vault's details, except the bank account.
func change(r *vault.Record, form contract.UpdateUserInfoRequest) error {
	for _, choice := range []struct {
		field, label string
		given        *string
		of           []contract.LookupValue
		to           *string
	}{
		{"gender", "gender", form.Gender, lookups.Genders, &r.Gender},
		{"stateId", "state", form.StateId, lookups.States, &r.StateID},
	} {
		if choice.given == nil {
			continue
		}
		if _, known := lookups.Name(choice.of, *choice.given); !known && *choice.given != "" {
			return fault.Field(choice.field, "Please choose your %s from the list.", choice.label)
		}
		*choice.to = *choice.given
	}
	for _, text := range []struct {
		field string
		given *string
		to    *string
	}{
		{"address", form.Address, &r.Address},
		{"residentialAddress", form.ResidentialAddress, &r.ResidentialAddress},
		{"officeAddress", form.OfficeAddress, &r.OfficeAddress},
	} {
		if err := readAddress(text.field, text.given, text.to); err != nil {
			return err
		}
	}
	if err := readSalary(form.MonthlySalaray, &r.MonthlySalary); err != nil {
		return err
	}
	return readSalaryDate(form.DateForSalary, &r.DateForSalary)
}

func readAddress(field string, given, to *string) error {
	if given == nil {
		return nil
	}
	text := strings.TrimSpace(*given)
	if utf8.RuneCountInString(text) > addressCharsMax {
		return fault.Field(field, "An address may have at most %d characters.", addressCharsMax)
	}
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
		return fault.Field(field, "An address may have letters, numbers and punctuation only.")
	}
	*to = text
	return nil
}

func readSalary(given *wire.Naira, to *money.Kobo) error {
	if given == nil {
		return nil
	}
	salary, err := money.FromNaira(given.Decimal)
	if err != nil || salary < 0 || salary > salaryMax {
		return fault.Field("monthlySalaray", "Please enter your monthly salary, from ₦0 to %s.", salaryMax)
	}
	*to = salary
	return nil
}

// readSalaryDate reads a text of at most ten characters as a day, which begins at its start in Lagos.
func readSalaryDate(given *string, to *time.Time) error {
	if given == nil {
		return nil
	}
	if *given == "" {
		*to = time.Time{}
		return nil
	}
	layout := time.RFC3339
	if len(*given) <= len(time.DateOnly) {
		layout = time.DateOnly
	}
	at, err := time.ParseInLocation(layout, *given, lagos.Zone)
	if err != nil || at.Year() < 2000 || at.Year() > 2100 {
		return fault.Field("dateForSalary", "Please enter the day of your salary as year-month-day, such as 2026-11-28.")
	}
	*to = at.UTC()
	return nil
}

// rename checks names and phone. stays forbids a change of the name that a bank is or was asked about with a BVN, and
// knew the member by.
func rename(m *people.Member, form contract.UpdateUserInfoRequest, stays bool) error {
	for _, name := range []struct {
		field, label string
		given        *string
		to           *string
	}{
		{"firstName", "first name", form.FirstName, &m.FirstName},
		{"lastName", "last name", form.LastName, &m.LastName},
	} {
		if name.given == nil || *name.given == *name.to { // The present name may be older than the rules.
			continue
		}
		clean, err := fields.Name(name.field, name.label, *name.given)
		if err != nil {
			return err
		}
		if stays && clean != *name.to {
			return &fault.Fault{Code: fault.Conflict, Field: name.field, Message: "Your " + name.label + " is the one that your BVN is checked with. Please contact us to change it."}
		}
		*name.to = clean
	}
	if form.Phone == nil {
		return nil
	}
	phone, err := fields.Phone(*form.Phone)
	if err == nil {
		m.Phone = phone
	}
	return err
}

// readOnly refuses a change of a field that is not the member's to set. A name that goes with an id may also be the new
// one.
func readOnly(stands, next contract.Account, form contract.UpdateUserInfoRequest) error {
	text := func(given *string, allowed ...*string) bool {
		return given == nil || slices.ContainsFunc(allowed, func(a *string) bool { return value(a) == *given })
	}
	flag := func(given *bool, stands bool) bool { return given == nil || *given == stands }
	for _, one := range []struct {
		field string
		same  bool
	}{
		{"id", text(form.Id, &stands.Id)},
		{"roles", form.Roles == nil || slices.Equal(slices.Sorted(slices.Values(*form.Roles)), slices.Sorted(slices.Values(stands.Roles)))},
		{"bvnVerified", flag(form.BvnVerified, stands.BvnVerified)},
		{"hasAjoAccess", flag(form.HasAjoAccess, stands.HasAjoAccess)},
		{"isEmailVerified", flag(form.IsEmailVerified, stands.IsEmailVerified)},
		{"genderName", text(form.GenderName, stands.GenderName, next.GenderName)},
		{"stateName", text(form.StateName, stands.StateName, next.StateName)},
		{"bankName", text(form.BankName, stands.BankName, next.BankName)},
		{"avatar", text(form.Avatar, stands.Avatar)},
		{"utilitybillUrl", text(form.UtilitybillUrl, stands.UtilitybillUrl)},
		{"bankAccountStatementUrl", text(form.BankAccountStatementUrl, stands.BankAccountStatementUrl)},
		{"offerLetterUrl", text(form.OfferLetterUrl, stands.OfferLetterUrl)},
		{"pendingEmail", text(form.PendingEmail, stands.PendingEmail)},
		{"phoneNumberConfirmed", flag(form.PhoneNumberConfirmed, stands.PhoneNumberConfirmed)},
		{"associatedClaims", form.AssociatedClaims == nil || slices.Equal(*form.AssociatedClaims, stands.AssociatedClaims)},
		{"dateRegistered", form.DateRegistered == nil || form.DateRegistered.Equal(stands.DateRegistered)},
		{"dateOfBirth", text(form.DateOfBirth, &stands.DateOfBirth)},
		{"bankAccountName", text(form.BankAccountName, stands.BankAccountName, next.BankAccountName)},
		{"bvn", text(form.Bvn, stands.Bvn)},
		{"bvnStatus", form.BvnStatus == nil || *form.BvnStatus == string(stands.BvnStatus)},
		{"needsGuardian", flag(form.NeedsGuardian, stands.NeedsGuardian)},
		{"settings", form.Settings == nil || reflect.DeepEqual(*form.Settings, stands.Settings)},
		{"guardian", form.Guardian == nil || stands.Guardian != nil && reflect.DeepEqual(*form.Guardian, *stands.Guardian)},
	} {
		if !one.same {
			return &fault.Fault{Code: fault.Forbidden, Field: one.field, Message: "You cannot change " + one.field + " yourself."}
		}
	}
	return nil
}

func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
