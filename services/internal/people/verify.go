package people

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/mail"
)

// VerifyEmail spends a link's token for who knows the password that was chosen at sign-up: somebody who only has the
// mail did not sign up. A link works once and for 24 hours; anything else is fault.Credentials. A wrong password is
// fault.Credentials with the field password, leaves the link as it was and counts as a try.
func (s *Service) VerifyEmail(ctx context.Context, token, password string) error {
	l, err := s.link(ctx, token, verifyEmail)
	if err != nil {
		return err
	}
	if err := s.take(ctx, passwordOf(l.email)); err != nil {
		return err
	}
	right, err := checkHash(ctx, password, l.password)
	if err != nil {
		return err
	}
	if !right {
		return &fault.Fault{Code: fault.Credentials, Field: "password", Message: "This is not the password that you chose when you signed up."}
	}
	return outage("verify e-mail", pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.spend(ctx, tx, l); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE accounts SET email_verified_at = coalesce(email_verified_at, $2) WHERE id = $1`, l.userID, s.now()); err != nil {
			return err
		}
		return s.giveBack(ctx, tx, passwordOf(l.email))
	}))
}

// ResendVerification mails a new link to an account that waits for it; the older ones stop working. For any other
// e-mail it does nothing and answers the same, after the same time.
func (s *Service) ResendVerification(ctx context.Context, email string) error {
	email, err := readEmail(email)
	if err != nil {
		return err
	}
	return outage("resend verification", even(ctx, func() error {
		return enoughMail(pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var id uuid.UUID
			var name string
			err := tx.QueryRow(ctx, `SELECT id, first_name FROM accounts WHERE email = $1 AND email_verified_at IS NULL`, email).Scan(&id, &name)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			link, err := s.newLink(ctx, tx, id, verifyEmail, "")
			if err != nil {
				return err
			}
			return s.post(ctx, tx, mail.Verification(email, name, link))
		}))
	}))
}
