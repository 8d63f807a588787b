package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people/even"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/people/turns"
)

// VerifyEmail spends a link's token for who knows the password that was chosen at sign-up: somebody who only has the
// mail did not sign up. It may be of any sign-up of the address, which then counts, and the others are forgotten. A
// link works once and for 24 hours, a sign-up for 30 days; anything else is fault.Credentials. A wrong password is
// fault.Credentials with the field password, leaves the link as it was and counts as a try. What the person signed up
// for is on their account from now on.
func (s *Service) VerifyEmail(ctx context.Context, token, password string, from Origin) (v Verified, err error) {
	l, err := s.link(ctx, token, verifyEmail)
	if err != nil {
		return v, err
	}
	if err := s.take(ctx, passwordWith(l)); err != nil {
		return v, err
	}
	a, err := s.signUpBy(ctx, l, password)
	if err != nil {
		return v, err
	}
	v.Invited = a.invited
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.spend(ctx, tx, &l); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			UPDATE accounts SET email_verified_at = $2, password = $3, first_name = $4, last_name = $5, phone = $6, date_of_birth = $7
			WHERE id = $1 AND email_verified_at IS NULL`, l.userID, s.now(), a.password, a.firstName, a.lastName, a.phone, a.birth)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return fault.New(fault.Credentials, errSpentLink)
		}
		if _, err := tx.Exec(ctx, `DELETE FROM email_links WHERE user_id = $1 AND purpose = $2`, l.userID, verifyEmail); err != nil {
			return err
		}
		if err := invited.Keep(ctx, tx, l.userID.String(), a.invited, s.now()); err != nil {
			return err
		}
		if v.Device, err = s.remember(ctx, tx, l.userID.String(), from.Secret, false); err != nil {
			return err
		}
		return s.giveBack(ctx, tx, passwordWith(l))
	})
	v.Email = l.email
	return v, outage("verify e-mail", err)
}

// Verified is whose address was verified, and what they came for.
type Verified struct {
	Email   string
	Device  string         // The secret by which the device is known from now on.
	Invited *invited.Place // Nil for nothing.
}

// signUpsMax is how many sign-ups of an address a password is compared with: the link's own, and the newest others;
// signUpStays is for how long one waits for a link that works.
const (
	signUpsMax  = 12
	signUpStays = 30 * 24 * time.Hour
)

// signUpBy finds the sign-up that a password is of: the link's own, or another of the same address.
func (s *Service) signUpBy(ctx context.Context, l linked, password string) (account, error) {
	rows, err := s.pool.Query(ctx, `
		SELECT password, first_name, last_name, phone, date_of_birth, invited FROM email_links
		WHERE user_id = $1 AND purpose = $2 AND spent_at IS NULL AND created_at > $3 AND password IS NOT NULL
		ORDER BY token_hash = $4 DESC, created_at DESC LIMIT $5`, l.userID, verifyEmail, s.now().Add(-signUpStays), l.hash[:], signUpsMax)
	if err != nil {
		return account{}, outage("sign-ups", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (a account, err error) {
		err = row.Scan(&a.password, &a.firstName, &a.lastName, &a.phone, &a.birth, &a.invited)
		return a, err
	})
	if err != nil {
		return account{}, outage("sign-ups", err)
	}
	for _, a := range found {
		if right, err := checkHash(ctx, turns.Strangers, password, a.password); err != nil || right {
			return a, err
		}
	}
	return account{}, &fault.Fault{Code: fault.Credentials, Field: "password", Message: "This is not the password that you chose when you signed up."}
}

// ResendVerification mails a new link to an account that waits for it; the older ones go on working. For any other
// e-mail it does nothing and answers the same, after the same time.
func (s *Service) ResendVerification(ctx context.Context, email string, from Origin) error {
	email, err := readEmail(email)
	if err != nil {
		return err
	}
	return outage("resend verification", even.Answer(ctx, func() error {
		return enoughMail(pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var id uuid.UUID
			var name string
			err := tx.QueryRow(ctx, `SELECT id, first_name FROM accounts WHERE email = $1 AND email_verified_at IS NULL FOR UPDATE`, email).Scan(&id, &name)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			link, err := s.newLink(ctx, tx, id, verifyEmail, carried{})
			if err != nil {
				return err
			}
			letter := mail.Verification(email, name, link)
			letter.Cause = s.cause(email, from, knownDevice{})
			return s.post(ctx, tx, letter)
		}))
	}))
}
