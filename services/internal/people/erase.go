package people

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/mail"
)

// erasedDomain cannot exist (RFC 2606), so that nothing is ever mailed to the erased.
const (
	erasedDomain  = "@erased" + invalidDomain
	invalidDomain = ".invalid" // No address that anybody gives is there.
)

// Erase forgets a person: every session ends; names, e-mail, phone, birth date, password, second factor, devices, links
// and letters are gone, and the address is free for a new account. The row stays, for the ledger's opaque id. They are
// written to for the last time, once. An account that was erased already is no error; an id that is none of ours is
// fault.NotFound.
func (s *Service) Erase(ctx context.Context, userID string) error {
	id, err := uuid.Parse(userID)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	var over []ended
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		var email, firstName string
		var before bool
		err := tx.QueryRow(ctx, `SELECT email, first_name, erased_at IS NOT NULL FROM accounts WHERE id = $1 FOR UPDATE`, id).Scan(&email, &firstName, &before)
		if errors.Is(err, pgx.ErrNoRows) {
			return fault.New(fault.NotFound, "There is no such account.")
		}
		if err != nil {
			return err
		}
		if over, err = endAll(ctx, tx, id); err != nil {
			return err
		}
		for _, table := range []string{"email_links", "earlier_emails", "devices", "known_devices", "totp", "removed_totp", "recovery_codes", "remedies", "bank_restores", "kept_invitations"} {
			if _, err := tx.Exec(ctx, `DELETE FROM `+table+` WHERE user_id = $1`, id); err != nil {
				return err
			}
		}
		for _, g := range []guess{strangers(email), codeFor(id.String(), knownDevice{})} {
			if err := s.forget(ctx, tx, g); err != nil {
				return err
			}
		}
		if err := mail.Forget(ctx, tx, id.String(), email); err != nil {
			return err
		}
		if !before {
			if err := mail.Queue(ctx, tx, mail.AccountClosed(email, firstName, lagos.Date(s.now())), s.now()); err != nil {
				return err
			}
		}
		_, err = tx.Exec(ctx, `
			UPDATE accounts SET email = $2, password = $3, first_name = 'A former', last_name = 'member', phone = '', date_of_birth = NULL, warned_at = NULL,
				roles = $4, email_verified_at = NULL, erased_at = coalesce(erased_at, $5)
			WHERE id = $1`, id, id.String()+erasedDomain, s.cost.nobody(), []string{RoleUser}, s.now())
		return err
	})
	if err != nil {
		return outage("erase", err)
	}
	s.cards.Forget(id.String())
	s.bus.tell(over)
	return nil
}
