package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"golang.org/x/text/unicode/norm"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people/even"
	"adashi.ng/services/internal/people/fields"
	"adashi.ng/services/internal/people/turns"
)

// ChangePassword takes the current password and ends every session of the account, the caller's too. A wrong one is
// fault.Credentials with the field currentPassword and counts as a try. Of two changes at once one succeeds: the
// other's session has ended.
func (s *Service) ChangePassword(ctx context.Context, caller Caller, current, next string) error {
	if err := fields.Password("newPassword", next); err != nil {
		return err
	}
	right, err := s.knowsPassword(ctx, caller, current)
	if err != nil {
		return err
	}
	if !right {
		return &fault.Fault{Code: fault.Credentials, Field: "currentPassword", Message: "Your current password is not right."}
	}
	if norm.NFC.String(current) == norm.NFC.String(next) {
		return fault.Field("newPassword", "That is your current password. Please choose another.")
	}
	hash, err := s.cost.hash(ctx, turns.Known, next)
	if err != nil {
		return err
	}
	id, err := uuid.Parse(caller.UserID)
	if err != nil {
		return err
	}
	var over []ended
	err = s.changing(ctx, caller, func(tx pgx.Tx) error {
		over, err = s.storePassword(ctx, tx, id, hash)
		return err
	})
	return s.passwordStored(ctx, id, PasswordChanged, over, err)
}

// knowsPassword judges the account's password as one more try at it in the caller's session.
func (s *Service) knowsPassword(ctx context.Context, caller Caller, password string) (bool, error) {
	if err := s.take(ctx, passwordIn(caller)); err != nil {
		return false, err
	}
	var hash string
	err := s.pool.QueryRow(ctx, `SELECT password FROM accounts WHERE id = $1`, caller.UserID).Scan(&hash)
	if err != nil {
		return false, outage("password", err)
	}
	right, err := checkHash(ctx, turns.Known, password, hash)
	if err != nil || !right {
		return false, err
	}
	return true, s.giveBack(ctx, s.pool, passwordIn(caller))
}

// storePassword stores a hash, ends every session and link, forgets wrong tries and mails the owner. It answers the
// sessions that it ended.
func (s *Service) storePassword(ctx context.Context, tx pgx.Tx, userID uuid.UUID, hash string) ([]ended, error) {
	var email, name string
	if err := tx.QueryRow(ctx, `UPDATE accounts SET password = $2 WHERE id = $1 RETURNING email, first_name`, userID, hash).Scan(&email, &name); err != nil {
		return nil, err
	}
	if err := s.voidLinks(ctx, tx, userID); err != nil {
		return nil, err
	}
	if err := s.forget(ctx, tx, strangers(email)); err != nil {
		return nil, err
	}
	over, err := endAll(ctx, tx, userID)
	if err != nil {
		return nil, err
	}
	undo, err := s.newLink(ctx, tx, userID, undoChange, carried{newEmail: email})
	if err != nil {
		return nil, err
	}
	return over, mail.Queue(ctx, tx, mail.PasswordChanged(email, name, s.when(), undo), s.now())
}

// passwordStored spreads the news of a new password once it is committed.
func (s *Service) passwordStored(ctx context.Context, userID uuid.UUID, kind string, over []ended, err error) error {
	if err != nil {
		return outage("new password", err)
	}
	s.bus.tell(over)
	s.secured(ctx, userID.String(), kind)
	return nil
}

// resetEvery is how often one more reset letter goes out, whoever asks and however many did: half of the time that its
// link works, so that whoever asks has a link in their mailbox that works for as long again.
var resetEvery = kinds[resetPassword].valid / 2

// SendPasswordResetLink mails a link that works once and for 20 minutes; the earlier ones go on working, so that nobody
// takes away another's by asking for one more. An e-mail without a verified account is answered the same, after the
// same time, and so is an account that waits for its owner's address; an account that was never verified is signed up
// for again instead.
func (s *Service) SendPasswordResetLink(ctx context.Context, email string, from Origin) error {
	email, err := readEmail(email)
	if err != nil {
		return err
	}
	return outage("send reset link", even.Answer(ctx, func() error {
		return enoughMail(pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
			var id uuid.UUID
			var name string
			var last *time.Time
			err := tx.QueryRow(ctx, `SELECT id, first_name FROM accounts WHERE email = $1 AND email_verified_at IS NOT NULL AND NOT `+needsAddress+` FOR UPDATE`, email).Scan(&id, &name)
			if errors.Is(err, pgx.ErrNoRows) {
				return nil
			}
			if err != nil {
				return err
			}
			// Asked once the account is locked: of many who ask at once, only the first finds no earlier letter.
			err = tx.QueryRow(ctx, `SELECT max(created_at) FROM email_links WHERE user_id = $1 AND purpose = $2 AND spent_at IS NULL`, id, resetPassword).Scan(&last)
			if err != nil {
				return err
			}
			on, err := s.deviceOf(ctx, tx, id.String(), from.Secret)
			if err != nil {
				return err
			}
			link, err := s.newLink(ctx, tx, id, resetPassword, carried{})
			if err != nil {
				return err
			}
			letter := mail.PasswordReset(email, name, link)
			letter.Cause = s.cause(email, from, on)
			if last == nil || !last.After(s.now().Add(-resetEvery)) {
				return mail.Queue(ctx, tx, letter, s.now())
			}
			return s.post(ctx, tx, letter)
		}))
	}))
}

// ResetPassword spends a link of SendPasswordResetLink: every session and link of the account ends, and its owner is
// mailed that it happened. A link that does not work (any more) is fault.Credentials. TOTP stays as it was, unless it
// is younger than the letter about it can be answered: an owner who reads the mailbox is not locked out by a thief's
// app. It answers the secret by which the device is known from now on.
func (s *Service) ResetPassword(ctx context.Context, token, next string, from Origin) (device string, err error) {
	if err := fields.Password("newPassword", next); err != nil {
		return "", err
	}
	l, err := s.link(ctx, token, resetPassword)
	if err != nil {
		return "", err
	}
	hash, err := s.cost.hash(ctx, turns.Known, next)
	if err != nil {
		return "", err
	}
	var over []ended
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := s.spend(ctx, tx, &l); err != nil {
			return err
		}
		if err := s.giveBack(ctx, tx, passwordFrom(l.email, from)); err != nil {
			return err
		}
		if device, err = s.remember(ctx, tx, l.userID.String(), from.Secret, false); err != nil {
			return err
		}
		if err := s.dropTOTP(ctx, tx, l, s.now().Add(-kinds[undoChange].valid), false); err != nil {
			return err
		}
		over, err = s.storePassword(ctx, tx, l.userID, hash)
		return err
	})
	return device, s.passwordStored(ctx, l.userID, PasswordReset, over, err)
}
