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

// newBank returns a member's bank account after a form, with the name that the bank gives.
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

// mayNameBank refuses a change of bank account while the member's money is frozen.
func (s *Service) mayNameBank(ctx context.Context, userID string) error {
	owner, err := s.owner(ctx, userID)
	if err != nil {
		return err
	}
	return owner.Standing().May(standing.NameBank)
}

// MayMoveEmail refuses a change of e-mail address while the member's money is frozen.
func (s *Service) MayMoveEmail(ctx context.Context, userID string) error {
	owner, err := s.owner(ctx, userID)
	if err != nil {
		return err
	}
	return owner.Standing().May(standing.MoveEmail)
}

// find checks an account number and finds its bank.
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

// enquire asks the bank for the account's holder.
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

// Enquiry returns the account's holder, with a warning when the number does not look like one of its bank.
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

// called gives the field of a refusal the name that the payment calls use.
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

// RefreshBanks updates the list of banks from the rail. It is a job.
func (s *Service) RefreshBanks(ctx context.Context) error { return s.Banks.Refresh(ctx, s.Enquirer) }
