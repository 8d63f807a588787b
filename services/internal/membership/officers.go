package membership

import (
	"context"
	"errors"
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// BankAccount is a bank account as two people may share it. A BVN is never shared: the vault gives each to one account.
type BankAccount struct{ Code, Number string }

// BankOf is the bank account that a user is paid to; the zero account when they have none.
func (r *Reader) BankOf(ctx context.Context, user string) (BankAccount, error) {
	record, err := r.Vault.Read(ctx, user)
	if errors.Is(err, vault.ErrGone) || fault.Is(err, fault.NotFound) {
		return BankAccount{}, nil
	}
	return BankAccount{record.Bank.Code, record.Bank.Number}, err
}

// Officers are a group's officials, and which of them share a bank account with one of some users or with a payee.
func (r *Reader) Officers(ctx context.Context, groupID string, payee vault.Payee, users ...string) (savings.Officers, error) {
	g, err := r.GroupState(ctx, groupID)
	if err != nil {
		return savings.Officers{}, err
	}
	concerned := []BankAccount{{payee.BankCode, payee.Number}}
	for _, user := range users {
		bank, err := r.BankOf(ctx, user)
		if err != nil {
			return savings.Officers{}, err
		}
		concerned = append(concerned, bank)
	}
	o := savings.Officers{Users: usecase.UniqueIDs(append([]string{g.Validator}, g.Approvers...))}
	for _, user := range o.Users {
		bank, err := r.BankOf(ctx, user)
		if err != nil {
			return savings.Officers{}, err
		}
		if bank.Number != "" && slices.Contains(concerned, bank) && !slices.Contains(users, user) {
			o.Interested = append(o.Interested, user)
		}
	}
	return o, nil
}
