package profile

import (
	"context"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/vault"
)

// ChangeAvatar shows an uploaded picture of the member's; an empty id removes the avatar.
func (s *Service) ChangeAvatar(ctx context.Context, userID, file string) (contract.Account, error) {
	return s.use(ctx, userID, func(ctx context.Context, tx vault.Tx) error {
		if err := tx.Use(ctx, "image", files.Profile, file, tx.Avatar); err != nil {
			return err
		}
		return tx.ShowAvatar(ctx, file)
	})
}

// SaveUtilityBill replaces the member's utility bill with an uploaded document.
func (s *Service) SaveUtilityBill(ctx context.Context, userID, file string) (contract.Account, error) {
	return s.save(ctx, userID, file, func(r *vault.Record) *string { return &r.UtilityBill })
}

// SaveBankStatement replaces the member's bank statement with an uploaded document.
func (s *Service) SaveBankStatement(ctx context.Context, userID, file string) (contract.Account, error) {
	return s.save(ctx, userID, file, func(r *vault.Record) *string { return &r.BankStatement })
}

// SaveOfferLetter replaces the member's offer letter with an uploaded document.
func (s *Service) SaveOfferLetter(ctx context.Context, userID, file string) (contract.Account, error) {
	return s.save(ctx, userID, file, func(r *vault.Record) *string { return &r.OfferLetter })
}

func (s *Service) save(ctx context.Context, userID, file string, place func(*vault.Record) *string) (contract.Account, error) {
	return s.use(ctx, userID, func(ctx context.Context, tx vault.Tx) error {
		at := place(tx.Record)
		if err := tx.Use(ctx, "document", files.Document, file, *at); err != nil {
			return err
		}
		*at = file
		return nil
	})
}

func (s *Service) use(ctx context.Context, userID string, change func(context.Context, vault.Tx) error) (contract.Account, error) {
	r, err := s.Vault.Update(ctx, userID, change)
	if err != nil {
		return contract.Account{}, err
	}
	m, err := s.People.Member(ctx, userID)
	if err != nil {
		return contract.Account{}, err
	}
	ajo, err := s.hasAjoAccess(ctx, userID)
	return s.view(m, r, ajo), err
}
