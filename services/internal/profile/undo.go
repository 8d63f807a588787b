package profile

import (
	"context"
	"time"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/rails"
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
	if err := s.RestoreBank(ctx, user, since); err != nil {
		return err
	}
	return s.People.Undo(ctx, token)
}

// RestoreBank gives a member the bank account back that they had before a moment, or none. Nothing is sent there for a
// day. Where the bank calls it by another name, a match of their BVN is undone, as when they name such an account.
func (s *Service) RestoreBank(ctx context.Context, userID string, since time.Time) error {
	r, err := s.Vault.Read(ctx, userID)
	if err != nil {
		return err
	}
	before, changed := r.BankAt(since)
	if !changed {
		return nil
	}
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return err
	}
	undo := r.Bvn.Status == vault.Verified && !rails.SameName(before.AccountName, m.FirstName, m.LastName)
	if err := s.must(ctx, userID, "bank back "+r.Bank.ChangedAt.Format(time.RFC3339Nano), account.RestoreBank(userID, undo)); err != nil {
		return err
	}
	_, err = s.Vault.Set(ctx, userID, func(r *vault.Record) {
		bank, changed := r.BankAt(since)
		if !changed {
			return
		}
		bank.ChangedAt, bank.Replaced = s.Now().UTC(), true
		r.Bank = bank
		if undo {
			r.Bvn = vault.Bvn{}
		}
	})
	return err
}

// FollowBvn has the vault say of a member's BVN what the ledger says: that it is not verified once another may be.
func (s *Service) FollowBvn(ctx context.Context, userID string) error {
	_, _, err := s.stands(ctx, userID)
	return err
}
