package people

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
)

const (
	idleMax     = 24 * time.Hour
	sessionMax  = 14 * 24 * time.Hour
	sessionsMax = 5
	seenEvery   = time.Minute // How often last_seen_at is written at most.
)

// Login is an account and the token of its new session. The token is shown once: only its hash is kept.
type Login struct {
	Token   string
	Profile Profile
}

// Login opens a session. A wrong password and an unknown e-mail are the same fault.Credentials after the same time;
// an e-mail that is not verified yet is fault.Forbidden, said only to who knows the password. The sixth session ends
// the oldest.
func (s *Service) Login(ctx context.Context, email, password string) (Login, error) {
	profile, hash, err := s.credentials(ctx, NormaliseEmail(email))
	if err != nil {
		return Login{}, err
	}
	if len(password) > 4*passwordCharsMax {
		password = "" // No account has it, and hashing a long one is slow.
	}
	right, err := checkHash(ctx, password, hash)
	if err != nil {
		return Login{}, err
	}
	if !right || profile.UserID == "" {
		return Login{}, fault.New(fault.Credentials, errWrongPassword)
	}
	if !profile.EmailVerified {
		return Login{}, fault.New(fault.Forbidden, "Kindly click on the email verification link sent to your email.")
	}
	token, err := s.openSession(ctx, profile.UserID)
	return Login{Token: token, Profile: profile}, err
}

// credentials answers the account, or an empty profile with nobody's hash.
func (s *Service) credentials(ctx context.Context, email string) (Profile, string, error) {
	profile := Profile{Email: email}
	if len(email) > emailCharsMax || !storable(email) {
		return Profile{}, nobody, nil
	}
	var hash string
	err := s.pool.QueryRow(ctx, `
		SELECT id::text, password, first_name, last_name, phone, roles, email_verified_at IS NOT NULL, created_at
		FROM accounts WHERE email = $1`, email).Scan(&profile.UserID, &hash, &profile.FirstName, &profile.LastName,
		&profile.Phone, &profile.Roles, &profile.EmailVerified, &profile.Registered)
	if errors.Is(err, pgx.ErrNoRows) {
		return Profile{}, nobody, nil
	}
	return profile, hash, outage("login", err)
}

func (s *Service) openSession(ctx context.Context, userID string) (string, error) {
	token, hash := newToken()
	id, err := uuid.NewV7()
	if err != nil {
		return "", err
	}
	var ended []ended
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		now := s.now()
		// The lock makes logins of one account take turns, or six could each see four others.
		if _, err := tx.Exec(ctx, `SELECT FROM accounts WHERE id = $1 FOR UPDATE`, userID); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `
			INSERT INTO sessions (id, token_hash, user_id, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $4, $4, $5)`,
			id, hash[:], userID, now, now.Add(sessionMax)); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= $2 OR last_seen_at <= $3 OR id IN (
				SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $4))
			RETURNING id::text, token_hash`, userID, now, now.Add(-idleMax), sessionsMax)
		if err != nil {
			return err
		}
		ended, err = pgx.CollectRows(rows, collectEnded)
		return err
	})
	if err != nil {
		return "", outage("login", err)
	}
	s.bus.tell(ended)
	return token, nil
}

// Logout ends the session at once here, and in the other processes as soon as they hear. A session that has ended
// already is no error.
func (s *Service) Logout(ctx context.Context, sessionID string) error {
	rows, err := s.pool.Query(ctx, `DELETE FROM sessions WHERE id = $1 RETURNING id::text, token_hash`, sessionID)
	if err != nil {
		return outage("logout", err)
	}
	ended, err := pgx.CollectRows(rows, collectEnded)
	if err != nil {
		return outage("logout", err)
	}
	s.bus.tell(ended)
	return nil
}

func collectEnded(row pgx.CollectableRow) (ended, error) {
	var e ended
	var hash []byte
	err := row.Scan(&e.SessionID, &hash)
	e.TokenHash = hex.EncodeToString(hash)
	return e, err
}
