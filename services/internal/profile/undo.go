package profile

import (
	"context"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/vault"
)

// Undo takes back what was changed about an account since a letter told its owner of a change, by the token of the
// letter's link. The bank account comes first, so that a call that fails may be made again. See people.Undo for the
// rest.
func (s *Service) Undo(ctx context.Context, token string) error {
	user, since, err := s.People.Undoes(ctx, token)
	if err != nil {
		return err
	}
	if err := s.restoreBank(ctx, user, since); err != nil {
		return err
	}
	return s.People.Undo(ctx, token)
}

// restoreBank gives a member the bank account back that they had before a moment. Nothing is sent there for a day.
func (s *Service) restoreBank(ctx context.Context, userID string, since time.Time) error {
	r, err := s.Vault.Read(ctx, userID)
	if err != nil {
		return err
	}
	if _, changed := r.BankAt(since); !changed {
		return nil
	}
	if err := s.must(ctx, userID, "bank back "+r.Bank.ChangedAt.Format(time.RFC3339Nano), account.Alert(userID, nairav1.SecurityAlert_SECURITY_ALERT_BANK_ACCOUNT_CHANGED)); err != nil {
		return err
	}
	_, err = s.Vault.Set(ctx, userID, func(r *vault.Record) {
		if bank, changed := r.BankAt(since); changed {
			bank.ChangedAt, bank.Replaced = s.Now().UTC(), true
			r.Bank = bank
		}
	})
	return err
}
