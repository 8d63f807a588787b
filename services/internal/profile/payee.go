package profile

import (
	"context"
	"errors"
	"time"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/vault"
)

// coolOff is how long we pay nothing out after a change of bank account.
const coolOff = 24 * time.Hour

// Payee returns the destination of a member's withdrawals: their own account, as its bank knows it now. It returns
// fault.Forbidden under 18, fault.Conflict when the profile or the bank does not allow it, and fault.Unavailable when
// the bank cannot be asked.
func (s *Service) Payee(ctx context.Context, userID string) (vault.Payee, error) {
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return vault.Payee{}, err
	}
	r, _, err := s.stands(ctx, userID)
	if err != nil {
		return vault.Payee{}, err
	}
	if err := s.mayBePaid(m, r); err != nil {
		return vault.Payee{}, err
	}
	bank, known := s.Banks.Find(r.Bank.Code)
	if !known {
		return vault.Payee{}, fault.New(fault.Conflict, "We do not know your bank any more. Please choose it again in your profile. Nothing was taken.")
	}
	name, err := s.Payer.AccountName(ctx, bank, r.Bank.Number)
	switch {
	case errors.Is(err, rails.ErrNoAccount):
		return vault.Payee{}, fault.New(fault.Conflict, "%s says that it has no account with your number. Please check it in your profile. Nothing was taken.", bank.Name)
	case err != nil:
		return vault.Payee{}, err
	case !rails.SameName(name, m.FirstName, m.LastName):
		return vault.Payee{}, fault.New(fault.Conflict, "%s has your account under another name than yours, and money goes to your own account alone. Nothing was taken.", bank.Name)
	}
	return vault.Payee{BankCode: bank.Code, BankNIP: bank.NIP, BankName: bank.Name, Number: r.Bank.Number, AccountName: name}, nil
}

func (s *Service) mayBePaid(m people.Member, r vault.Record) error {
	until := r.Bank.ChangedAt.Add(coolOff)
	switch {
	case m.Age(s.Now()) < adult:
		return standing.Minor.May(standing.Withdraw)
	case r.Bank.Number == "":
		return fault.New(fault.Conflict, "Please add your bank account in your profile first. Nothing was taken.")
	case r.Bvn.Status != vault.Verified:
		return fault.New(fault.Conflict, "Please verify your BVN in your profile first: money leaves Adashi only for its owner's own account. Nothing was taken.")
	case r.Bank.Replaced && s.Now().Before(until):
		return fault.New(fault.Conflict, "Your bank account was changed, and nothing is sent to a new one for 24 hours. You can withdraw from %s on. Nothing was taken.",
			lagos.Clock(until)+" (Lagos)")
	}
	return nil
}

// PayeeAt returns the holder of an account that somebody named, as its bank knows it now. It returns fault.Invalid for
// an invalid number or bank, and fault.Unavailable when the bank cannot be asked.
func (s *Service) PayeeAt(ctx context.Context, code, number string) (vault.Payee, error) {
	if !tenDigits.MatchString(number) {
		return vault.Payee{}, fault.Field("accountNumber", "Please enter a valid 10-digit bank account number.")
	}
	bank, known := s.Banks.Find(code)
	if !known {
		return vault.Payee{}, fault.Field("bankCode", "Please select the bank.")
	}
	name, err := s.Payer.AccountName(ctx, bank, number)
	if errors.Is(err, rails.ErrNoAccount) {
		return vault.Payee{}, fault.Field("accountNumber", "%s has no account with this number. Please check the number and the bank. Nothing was taken.", bank.Name)
	}
	return vault.Payee{BankCode: bank.Code, BankNIP: bank.NIP, BankName: bank.Name, Number: number, AccountName: name}, err
}
