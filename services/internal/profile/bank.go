package profile

import (
	"context"
	"errors"
	"regexp"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/vault"
)

var tenDigits = regexp.MustCompile(`^[0-9]{10}$`)

// newBank is the bank account that a form leaves a member with, its name as the bank says it.
func (s *Service) newBank(ctx context.Context, userID string, stands vault.Record, form contract.UpdateUserInfoRequest, steppedUp func() error) (vault.Bank, error) {
	number, code := stands.Bank.Number, stands.Bank.Code
	if form.BankAccountNumber != nil {
		number = *form.BankAccountNumber
	}
	if form.BankCode != nil {
		code = *form.BankCode
	}
	if number == stands.Bank.Number && code == stands.Bank.Code || number == "" && code == "" && stands.Bank.Number == "" {
		return stands.Bank, nil
	}
	if stands.Bvn.Status == vault.Pending {
		return vault.Bank{}, fault.New(fault.Conflict, "Your BVN is being checked with your bank account. Please wait for the answer before you change it.")
	}
	if err := s.mayNameBank(ctx, userID); err != nil {
		return vault.Bank{}, err
	}
	bank, err := s.find(number, code)
	if err != nil {
		return vault.Bank{}, err
	}
	if stands.Bank.Number != "" {
		if err := steppedUp(); err != nil {
			return vault.Bank{}, err
		}
	}
	found, err := s.enquire(ctx, bank, number)
	found.Replaced = stands.Bank.Number != ""
	return found, err
}

// mayNameBank refuses another bank account to somebody whose money is frozen.
func (s *Service) mayNameBank(ctx context.Context, userID string) error {
	owner, err := s.owner(ctx, userID)
	if err != nil {
		return err
	}
	return owner.Standing().May(standing.NameBank)
}

// MayMoveEmail refuses another e-mail address to somebody whose money is frozen.
func (s *Service) MayMoveEmail(ctx context.Context, userID string) error {
	owner, err := s.owner(ctx, userID)
	if err != nil {
		return err
	}
	return owner.Standing().May(standing.MoveEmail)
}

// find judges an account number and finds its bank.
func (s *Service) find(number, code string) (rails.Bank, error) {
	if !tenDigits.MatchString(number) {
		return rails.Bank{}, fault.Field("bankAccountNumber", "Please enter a valid 10-digit bank account number.")
	}
	bank, known := s.Banks.Find(code)
	if !known {
		return rails.Bank{}, fault.Field("bankCode", "Please select your bank.")
	}
	return bank, nil
}

// enquire asks the bank whose account it is.
func (s *Service) enquire(ctx context.Context, bank rails.Bank, number string) (vault.Bank, error) {
	name, err := s.Enquirer.AccountName(ctx, bank, number)
	if errors.Is(err, rails.ErrNoAccount) {
		return vault.Bank{}, fault.Field("bankAccountNumber", "%s has no account with this number. Please check the number and the bank.", bank.Name)
	}
	if err != nil {
		return vault.Bank{}, err
	}
	return vault.Bank{Number: number, Code: bank.Code, Name: bank.Name, AccountName: name, ChangedAt: s.Now().UTC()}, nil
}

// Enquiry answers whose account it is, with a warning when the number does not look like one of its bank.
func (s *Service) Enquiry(ctx context.Context, number, code string) (contract.AccountName, error) {
	bank, err := s.find(number, code)
	if err != nil {
		return contract.AccountName{}, called(err)
	}
	found, err := s.enquire(ctx, bank, number)
	if err != nil {
		return contract.AccountName{}, called(err)
	}
	out := contract.AccountName{AccountName: found.AccountName, BankName: found.Name}
	if banks.Doubtful(bank, number) {
		out.Warning = orNil("This number does not look like one of " + bank.Name + ". Please check that the name is right.")
	}
	return out, nil
}

// called names the field of a refusal as the payment calls do.
func called(err error) error {
	refusal := fault.As(err)
	if refusal == nil {
		return err
	}
	name, other := map[string]string{"bankAccountNumber": "account_number", "bankCode": "bank_code"}[refusal.Field]
	if !other {
		return err
	}
	return fault.Field(name, "%s", refusal.Message)
}

// RefreshBanks takes over what the rail knows of banks. It is a job.
func (s *Service) RefreshBanks(ctx context.Context) error { return s.Banks.Refresh(ctx, s.Enquirer) }
