package people

import (
	"context"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/session"
)

func expired() error { return session.Expired() }

// Authenticate finds who a token belongs to that comes with its second secret; an unknown, expired or ended session, or
// another secret, is fault.Unauthenticated. A token without its secret changes nothing about the session. The row is
// kept for cacheValid, so that a busy member costs Postgres one read every few seconds.
func (s *Service) Authenticate(ctx context.Context, token, secret string) (Caller, error) {
	if len(token) != tokenChars || len(secret) != tokenChars {
		return Caller{}, expired()
	}
	k := sessionKey{token: hashToken(token), secret: hashToken(secret)}
	if caller, found, right := s.sessions.get(k); found {
		if !right {
			return Caller{}, expired()
		}
		return caller, nil
	}
	return s.sessions.load(ctx, k, s.readSession)
}

// readSession answers the session and until when it stands, and keeps it alive. Here alone it is judged whether its
// time has run out: sessions_hold, which every change runs in its transaction, asks only whether its row is there.
func (s *Service) readSession(ctx context.Context, k sessionKey) (Caller, time.Time, error) {
	var caller Caller
	var secret []byte
	var seen, expires time.Time
	var stepped *time.Time
	now := s.now()
	err := s.pool.QueryRow(ctx, `
		SELECT s.id::text, s.secret_hash, s.last_seen_at, s.expires_at, s.stepped_up_until, s.stepped_up_by_code, a.id::text, a.email, a.first_name, a.last_name, a.roles
		FROM sessions s JOIN accounts a ON a.id = s.user_id
		WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3`, k.token[:], now, now.Add(-idleMax)).Scan(
		&caller.SessionID, &secret, &seen, &expires, &stepped, &caller.SteppedUpByCode, &caller.UserID, &caller.Email, &caller.FirstName, &caller.LastName, &caller.Roles)
	if errors.Is(err, pgx.ErrNoRows) || err == nil && subtle.ConstantTimeCompare(secret, k.secret[:]) != 1 {
		return Caller{}, time.Time{}, expired()
	}
	if err != nil {
		return Caller{}, time.Time{}, outage("authenticate", err)
	}
	if stepped != nil && stepped.Before(now.Add(stepUpValid+clocksApart)) { // Not by a clock that was ahead.
		caller.SteppedUpUntil = *stepped
	}
	caller.tokenHash = k.token
	if now.Sub(seen) >= seenEvery {
		_, err = s.pool.Exec(ctx, `
			WITH seen AS (UPDATE sessions SET last_seen_at = $2 WHERE token_hash = $1 AND last_seen_at < $2 RETURNING user_id)
			UPDATE accounts SET seen_at = $2 WHERE id IN (SELECT user_id FROM seen) AND seen_at < $3`, k.token[:], now, now.Add(-accountSeenEvery))
	}
	return caller, expires, outage("authenticate", err)
}

// storable reports whether Postgres can hold the text.
func storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }

const (
	stepUpValid = 5 * time.Minute // How long a session may do what asks for a step-up.
	clocksApart = 3 * time.Minute // How far the clocks of two processes may be apart.
)

// StepUp shows again who is there, by the password or by a code of the second factor: exactly one of them, the other
// empty. A wrong one is fault.Credentials with its field, and makes the next tries in this session wait; tries
// elsewhere do not count here.
func (s *Service) StepUp(ctx context.Context, caller Caller, password, code string) error {
	if (password == "") == (code == "") {
		return fault.Field("password", "Please enter your password, or a code from your authenticator app.")
	}
	if code != "" {
		if err := s.checkCode(ctx, caller.UserID, code, codeIn(caller)); err != nil {
			return err
		}
	} else {
		right, err := s.knowsPassword(ctx, caller, password)
		if err != nil {
			return err
		}
		if !right {
			return &fault.Fault{Code: fault.Credentials, Field: "password", Message: "That password is not right."}
		}
	}
	tag, err := s.pool.Exec(ctx, `UPDATE sessions SET stepped_up_until = $2, stepped_up_by_code = $3 WHERE id = $1`, caller.SessionID, s.now().Add(stepUpValid), code != "")
	if err != nil {
		return outage("step up", err)
	}
	if tag.RowsAffected() == 0 {
		return expired()
	}
	s.bus.tell([]ended{{SessionID: caller.SessionID, TokenHash: hex.EncodeToString(caller.tokenHash[:]), Changed: true}})
	return nil
}
