package people

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/totp"
)

const codeCharsMax = 32

// TOTP is how an account's second factor stands.
type TOTP struct {
	Enabled           bool
	Since             time.Time // When it was enabled.
	RecoveryCodesLeft int
}

// Enrolment is what an authenticator app needs. It is shown once.
type Enrolment struct {
	Secret string // Base32.
	URI    string // otpauth://…
}

// TOTP answers how the caller's second factor stands.
func (s *Service) TOTP(ctx context.Context, caller Caller) (TOTP, error) {
	var t TOTP
	var since *time.Time
	err := s.pool.QueryRow(ctx, `
		SELECT (SELECT enabled_at FROM totp WHERE user_id = $1), (SELECT count(*) FROM recovery_codes WHERE user_id = $1 AND spent_at IS NULL)`,
		caller.UserID).Scan(&since, &t.RecoveryCodesLeft)
	if since != nil {
		t.Enabled, t.Since = true, *since
	}
	return t, outage("totp", err)
}

func (s *Service) hasTOTP(ctx context.Context, userID string) (enabled bool, err error) {
	err = s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM totp WHERE user_id = $1 AND enabled_at IS NOT NULL)`, userID).Scan(&enabled)
	return enabled, outage("totp", err)
}

// BeginTOTP makes a secret, which counts once ConfirmTOTP saw a code of it; an older one that was never confirmed is
// forgotten. It is fault.Conflict while TOTP is on. The caller must have stepped up.
func (s *Service) BeginTOTP(ctx context.Context, caller Caller) (Enrolment, error) {
	secret := make([]byte, totp.SecretBytes)
	_, _ = rand.Read(secret) // It never fails.
	err := s.changing(ctx, caller, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			INSERT INTO totp (user_id, secret, begun_at) VALUES ($1, $2, $3)
			ON CONFLICT (user_id) DO UPDATE SET secret = $2, begun_at = $3, last_step = 0 WHERE totp.enabled_at IS NULL`,
			caller.UserID, s.keys.Encrypt(secret, caller.UserID), s.now())
		if err == nil && tag.RowsAffected() == 0 {
			return fault.New(fault.Conflict, "Your authenticator app is set up already. Remove it first.")
		}
		return err
	})
	if err != nil {
		return Enrolment{}, outage("begin totp", err)
	}
	return Enrolment{Secret: totp.Base32.EncodeToString(secret), URI: totp.URI(secret, caller.Email)}, nil
}

// ConfirmTOTP turns TOTP on with a first code and answers ten recovery codes, which are shown once.
func (s *Service) ConfirmTOTP(ctx context.Context, caller Caller, code string) ([]string, error) {
	if err := s.take(ctx, codeIn(caller)); err != nil {
		return nil, err
	}
	codes := totp.NewRecoveryCodes()
	err := s.changing(ctx, caller, func(tx pgx.Tx) error {
		secret, _, enabled, err := s.lockTOTP(ctx, tx, caller.UserID)
		if err != nil {
			return err
		}
		if secret == nil || enabled {
			return fault.New(fault.Conflict, "There is no authenticator app that waits for a code. Please begin again.")
		}
		step := totp.StepWith(secret, totp.Plain(code), s.device(), 0)
		if step == 0 {
			return wrongCode()
		}
		if _, err := tx.Exec(ctx, `UPDATE totp SET enabled_at = $2, last_step = $3 WHERE user_id = $1`, caller.UserID, s.now(), step); err != nil {
			return err
		}
		if err := s.storeCodes(ctx, tx, caller.UserID, codes); err != nil {
			return err
		}
		if err := s.giveBack(ctx, tx, codeIn(caller)); err != nil {
			return err
		}
		return s.alert(ctx, tx, caller, "An authenticator app was added", "From now on, logging in to your account also asks for a code from your authenticator app.")
	})
	if err != nil {
		return nil, outage("confirm totp", err)
	}
	s.secured(ctx, caller.UserID, TOTPEnabled)
	return codes, nil
}

// RemoveTOTP turns it off and voids the recovery codes. The caller must have stepped up. Without TOTP it does nothing.
// An app that was removed is kept for as long as the letter's link may undo it, whatever is added and removed after
// it.
func (s *Service) RemoveTOTP(ctx context.Context, caller Caller) error {
	removed := false
	err := s.changing(ctx, caller, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `WITH gone AS (DELETE FROM totp WHERE user_id = $1 RETURNING user_id, secret, begun_at, enabled_at, last_step),
			kept AS (INSERT INTO removed_totp SELECT *, $2::timestamptz FROM gone WHERE enabled_at IS NOT NULL
				ON CONFLICT (user_id) DO UPDATE SET secret = excluded.secret, begun_at = excluded.begun_at, enabled_at = excluded.enabled_at,
					last_step = excluded.last_step, removed_at = excluded.removed_at WHERE removed_totp.removed_at < $3)
			SELECT enabled_at IS NOT NULL FROM gone`, caller.UserID, s.now(), s.now().Add(-kinds[undoChange].valid)).Scan(&removed)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = $1`, caller.UserID); err != nil || !removed {
			return err
		}
		return s.alert(ctx, tx, caller, "Your authenticator app was removed", "From now on, logging in to your account asks for your password alone.")
	})
	if err == nil && removed {
		s.secured(ctx, caller.UserID, TOTPRemoved)
	}
	return outage("remove totp", err)
}

// RenewRecoveryCodes answers ten new ones and voids the old. The caller must have stepped up. It is fault.Conflict
// without TOTP.
func (s *Service) RenewRecoveryCodes(ctx context.Context, caller Caller) ([]string, error) {
	codes := totp.NewRecoveryCodes()
	err := s.changing(ctx, caller, func(tx pgx.Tx) error {
		_, _, enabled, err := s.lockTOTP(ctx, tx, caller.UserID)
		if err != nil {
			return err
		}
		if !enabled {
			return fault.New(fault.Conflict, "Recovery codes come with an authenticator app. Set one up first.")
		}
		if err := s.storeCodes(ctx, tx, caller.UserID, codes); err != nil {
			return err
		}
		return s.alert(ctx, tx, caller, "Your recovery codes were renewed", "The recovery codes that you had before do not work any more.")
	})
	if err != nil {
		return nil, outage("renew recovery codes", err)
	}
	s.secured(ctx, caller.UserID, RecoveryCodesRenewed)
	return codes, nil
}

// lockTOTP answers an account's opened secret (nil for none), the newest step that was used, and whether TOTP is on.
func (s *Service) lockTOTP(ctx context.Context, tx pgx.Tx, userID string) (secret []byte, last int64, enabled bool, err error) {
	var sealed []byte
	err = tx.QueryRow(ctx, `SELECT secret, last_step, enabled_at IS NOT NULL FROM totp WHERE user_id = $1 FOR UPDATE`, userID).Scan(&sealed, &last, &enabled)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, 0, false, nil
	}
	if err != nil {
		return nil, 0, false, err
	}
	secret, err = s.keys.Decrypt(sealed, userID)
	return secret, last, enabled, err
}

func (s *Service) storeCodes(ctx context.Context, tx pgx.Tx, userID string, codes []string) error {
	if _, err := tx.Exec(ctx, `DELETE FROM recovery_codes WHERE user_id = $1`, userID); err != nil {
		return err
	}
	hashes := make([][]byte, len(codes))
	for n, code := range codes {
		hashes[n] = s.recoveryHash(userID, code)
	}
	_, err := tx.Exec(ctx, `INSERT INTO recovery_codes (user_id, code_hash, made_at) SELECT $1, unnest($2::bytea[]), $3`, userID, hashes, s.now())
	return err
}

func (s *Service) recoveryHash(userID, code string) []byte {
	return s.keys.Hash("recovery "+userID, totp.Plain(code))
}

func wrongCode() error {
	return &fault.Fault{Code: fault.Credentials, Field: "code", Message: "That code is not right. Please enter the newest one."}
}

// checkCode judges a code of the app or a recovery code, and uses it up: neither works twice. A wrong one is
// fault.Credentials with the field code and makes the next tries wait.
func (s *Service) checkCode(ctx context.Context, userID, code string, tried guess) error {
	if err := s.take(ctx, tried); err != nil {
		return err
	}
	if len(code) > codeCharsMax {
		return wrongCode()
	}
	return outage("check a code", pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		secret, last, enabled, err := s.lockTOTP(ctx, tx, userID)
		if err != nil {
			return err
		}
		if !enabled {
			return wrongCode()
		}
		if step := totp.StepWith(secret, totp.Plain(code), s.device(), last); step != 0 {
			if _, err := tx.Exec(ctx, `UPDATE totp SET last_step = $2 WHERE user_id = $1`, userID, step); err != nil {
				return err
			}
			return s.giveBack(ctx, tx, tried)
		}
		tag, err := tx.Exec(ctx, `UPDATE recovery_codes SET spent_at = $3 WHERE user_id = $1 AND code_hash = $2 AND spent_at IS NULL`,
			userID, s.recoveryHash(userID, code), s.now())
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return wrongCode()
		}
		return s.giveBack(ctx, tx, tried)
	}))
}

// alert mails the caller that something about their account's security changed.
func (s *Service) alert(ctx context.Context, tx pgx.Tx, caller Caller, what, means string) error {
	id, err := uuid.Parse(caller.UserID)
	if err != nil {
		return err
	}
	undo, err := s.newLink(ctx, tx, id, undoChange, carried{newEmail: caller.Email})
	if err != nil {
		return err
	}
	means += " If it was not you, the button below undoes it. So does a new password that you choose within 72 hours at " + s.publicURL + "/send_forgot_password_mail."
	return mail.Queue(ctx, tx, mail.SecurityAlert(caller.Email, caller.FirstName, what, means, s.when(), undo), s.now())
}
