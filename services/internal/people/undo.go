package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
)

// undoSlack is how much before its letter's link an authenticator app may have been added.
const undoSlack = time.Minute

// UndoLink answers a link for the letter that tells an account's address of a change: for 72 hours it undoes that
// change and what came after it.
func (s *Service) UndoLink(ctx context.Context, userID, email string) (link string, err error) {
	id, err := uuid.Parse(userID)
	if err != nil {
		return "", fault.New(fault.NotFound, "There is no such account.")
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		link, err = s.newLink(ctx, tx, id, undoChange, carried{newEmail: email})
		return err
	})
	return link, outage("undo link", err)
}

// Undo spends a link of a letter about a change. The account comes back to the address that the letter went to, every
// session ends, no password works, known devices are forgotten, and an authenticator app that was added since is gone
// with its recovery codes. An app that was there before stays with its codes, which may be all that the owner has left.
// Later links work no more, so that nobody undoes this; earlier ones still do. The address gets a link to choose a new
// password. An address that another account has by now is fault.Conflict. also notes in the same transaction what else
// is to be undone of whose, and since when; it may be nil.
func (s *Service) Undo(ctx context.Context, token string, also func(tx pgx.Tx, userID string, since time.Time) error) error {
	l, err := s.link(ctx, token, undoChange)
	if err != nil {
		return err
	}
	moved, over := false, []ended(nil)
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.spend(ctx, tx, &l); err != nil {
			return err
		}
		moved = l.email != l.newEmail
		if also != nil {
			if err := also(tx, l.userID.String(), l.created); err != nil {
				return err
			}
		}
		if over, err = s.takeBack(ctx, tx, &l); err != nil || !moved {
			return err
		}
		return mail.Queue(ctx, tx, mail.SecurityAlert(l.email, l.name, "Your account moved back to its earlier email", "Somebody opened the link in the letter to that address.", s.when(), s.publicURL+"/contact-us"), s.now())
	})
	if err != nil {
		return outage("undo a change", err)
	}
	s.bus.tell(over)
	s.secured(ctx, l.userID.String(), map[bool]string{true: EmailChanged, false: PasswordReset}[moved])
	return nil
}

// GiveBack gives an account to the address of a remedy that two of our staff agreed to, once, as Undo does: what was
// set up since then ends, also recovery codes and every link, one too that is still to put a bank account back. Where
// another account has the address by now, the remedy keeps no address and nothing moves. Nobody who has left gets one.
func (s *Service) GiveBack(ctx context.Context, remedyID string, since time.Time) error {
	l, over := linked{created: since, staff: true}, []ended(nil)
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `SELECT a.id, a.email, a.first_name, r.email FROM remedies r JOIN accounts a ON a.id = r.user_id
			WHERE r.id = $1 AND r.given_at IS NULL AND r.email IS NOT NULL AND a.erased_at IS NULL FOR UPDATE OF a`, remedyID).Scan(&l.userID, &l.email, &l.name, &l.newEmail)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			over, err = s.takeBack(ctx, tx, &l)
		}
		if err == nil {
			_, err = tx.Exec(ctx, `WITH given AS (UPDATE remedies SET given_at = $2, email = nullif($5, '') WHERE id = $1), undone AS (DELETE FROM bank_restores WHERE user_id = $3)
				DELETE FROM recovery_codes WHERE user_id = $3 AND coalesce(made_at >= $4, true)`, remedyID, s.now(), l.userID, since, l.newEmail)
		}
		return err
	})
	if err == nil {
		s.bus.tell(over)
	}
	return outage("give an account back", err)
}

// needsAddress is that an account was given back last when another account had the address that its owner proved. Its
// mailbox may be the thief's until our staff agree to another address.
const needsAddress = `coalesce((SELECT email IS NULL FROM remedies WHERE user_id = accounts.id AND given_at IS NOT NULL ORDER BY given_at DESC LIMIT 1), false)`

// NeedsAddress reports whether our staff must propose another address for an account that was given back.
func (s *Service) NeedsAddress(ctx context.Context, userID string) (needs bool, err error) {
	err = s.pool.QueryRow(ctx, "SELECT "+needsAddress+" FROM accounts WHERE id = $1", userID).Scan(&needs)
	return needs, outage("an account that was given back", err)
}

// takeBack takes back what was changed since a link was made, ends every session, and mails the address a link to
// choose a password, unless our staff's was taken: then newEmail is empty.
func (s *Service) takeBack(ctx context.Context, tx pgx.Tx, l *linked) ([]ended, error) {
	if err := s.undo(ctx, tx, l); err != nil {
		return nil, err
	}
	over, err := endAll(ctx, tx, l.userID)
	if err != nil || l.newEmail == "" {
		return over, err
	}
	link, err := s.newLink(ctx, tx, l.userID, resetPassword, carried{})
	if err != nil {
		return nil, err
	}
	return over, mail.Queue(ctx, tx, mail.PasswordReset(l.newEmail, l.name, link), s.now())
}

// undo takes back what was changed about an account since a link was made.
func (s *Service) undo(ctx context.Context, tx pgx.Tx, l *linked) error {
	if l.email != l.newEmail {
		err := pgx.BeginFunc(ctx, tx, func(tx pgx.Tx) error { return s.moveTo(ctx, tx, *l) })
		if l.staff && fault.Is(err, fault.Conflict) {
			l.newEmail = ""
		} else if err != nil {
			return err
		}
	}
	since := l.created.Add(-undoSlack)
	err := s.dropTOTP(ctx, tx, *l, since, true)
	if err == nil {
		err = restoreTOTP(ctx, tx, *l, since)
	}
	if err == nil && l.newEmail != "" {
		err = s.forget(ctx, tx, strangers(l.newEmail))
	}
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `WITH known AS (DELETE FROM known_devices WHERE user_id = $1) UPDATE accounts SET password = $2 WHERE id = $1`, l.userID, s.cost.nobody()); err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE email_links SET spent_at = $2 WHERE user_id = $1 AND spent_at IS NULL AND ($5 OR purpose <> $3 OR created_at >= $4)`, l.userID, s.now(), undoChange, l.created, l.staff)
	return err
}

// restoreTOTP brings the authenticator app back that was removed since then, but for one that was added since then
// too. Its recovery codes are gone: the app makes new ones.
func restoreTOTP(ctx context.Context, tx pgx.Tx, l linked, since time.Time) error {
	_, err := tx.Exec(ctx, `WITH back AS (DELETE FROM removed_totp WHERE user_id = $1 AND removed_at >= $2 AND enabled_at < $2
			RETURNING user_id, secret, begun_at, enabled_at, last_step)
		INSERT INTO totp (user_id, secret, begun_at, enabled_at, last_step) SELECT * FROM back ON CONFLICT (user_id) DO NOTHING`, l.userID, since)
	return err
}

// dropTOTP takes an authenticator app away that was added since then, and its recovery codes. An undo takes any app. A
// reset leaves an app that took the place of an older one: a thief with the password alone had no code for that.
func (s *Service) dropTOTP(ctx context.Context, tx pgx.Tx, l linked, since time.Time, undo bool) error {
	var dropped bool
	err := tx.QueryRow(ctx, `DELETE FROM totp WHERE user_id = $1 AND (enabled_at IS NULL OR enabled_at >= $2)
		AND ($3 OR NOT EXISTS (SELECT FROM removed_totp WHERE user_id = $1 AND removed_at >= $2 AND enabled_at < $2))
		RETURNING enabled_at IS NOT NULL`, l.userID, since, undo).Scan(&dropped)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil || !dropped {
		return err
	}
	_, err = tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = $1`, l.userID)
	return err
}
