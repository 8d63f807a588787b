package people

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
)

// Authenticate finds who a token belongs to; an unknown, expired or ended session is fault.Unauthenticated. What it
// read is kept for cacheValid, so that a busy member costs Postgres one read every few seconds.
func (s *Service) Authenticate(ctx context.Context, token string) (Caller, error) {
	if len(token) != tokenChars {
		return Caller{}, fault.New(fault.Unauthenticated, "Your session has expired, please log in to continue")
	}
	hash := hashToken(token)
	if caller, ok := s.sessions.get(hash); ok {
		return caller, nil
	}
	return s.sessions.load(ctx, hash, s.readSession)
}

// readSession answers the session and until when it stands, and keeps it alive.
func (s *Service) readSession(ctx context.Context, hash [32]byte) (Caller, time.Time, error) {
	var caller Caller
	var seen, expires time.Time
	now := s.now()
	err := s.pool.QueryRow(ctx, `
		SELECT s.id::text, s.last_seen_at, s.expires_at, a.id::text, a.email, a.first_name, a.last_name, a.roles
		FROM sessions s JOIN accounts a ON a.id = s.user_id
		WHERE s.token_hash = $1 AND s.expires_at > $2 AND s.last_seen_at > $3`, hash[:], now, now.Add(-idleMax)).Scan(
		&caller.SessionID, &seen, &expires, &caller.UserID, &caller.Email, &caller.FirstName, &caller.LastName, &caller.Roles)
	if errors.Is(err, pgx.ErrNoRows) {
		return Caller{}, time.Time{}, fault.New(fault.Unauthenticated, "Your session has expired, please log in to continue")
	}
	if err != nil {
		return Caller{}, time.Time{}, outage("authenticate", err)
	}
	if now.Sub(seen) >= seenEvery {
		_, err = s.pool.Exec(ctx, `UPDATE sessions SET last_seen_at = $2 WHERE token_hash = $1 AND last_seen_at < $2`, hash[:], now)
	}
	return caller, expires, outage("authenticate", err)
}

// storable reports whether Postgres can hold the text.
func storable(text string) bool { return utf8.ValidString(text) && strings.IndexByte(text, 0) < 0 }
