package people

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/mail"
)

// What is tried at, and how many tries are free before each next one has to wait twice as long.
const (
	passwordTries = 10
	codeTries     = 5
	waitMaxSec    = 300
	triesForgot   = 24 * time.Hour
)

// guess is something that somebody may try to guess.
type guess struct {
	kind, of string
	free     int
}

// passwordOf is the password of an e-mail, of which nobody says whether there is an account.
func passwordOf(email string) guess { return guess{"password", email, passwordTries} }

func codeOf(userID string) guess { return guess{"code", userID, codeTries} }

// take counts a try before it is judged, so that many at once are no more than one after another. Right answers give
// it back. While it is too soon it answers fault.TooMany with the time to wait.
func (s *Service) take(ctx context.Context, g guess) error {
	key, now := s.keys.hash(g.kind, g.of), s.now()
	var taken int
	err := s.pool.QueryRow(ctx, `
		INSERT INTO tries AS t (key_hash, taken, tried_at, next_at) VALUES ($1, 1, $2, $2)
		ON CONFLICT (key_hash) DO UPDATE SET tried_at = $2,
			taken = CASE WHEN t.tried_at < $3 THEN 1 ELSE t.taken + 1 END,
			next_at = CASE WHEN t.tried_at < $3 OR t.taken < $4 THEN $2
				ELSE $2 + interval '1 second' * least($5, power(2, least(t.taken + 1 - $4, 20))) END
		WHERE t.next_at <= $2 RETURNING taken`, key, now, now.Add(-triesForgot), g.free, waitMaxSec).Scan(&taken)
	if err == nil || !errors.Is(err, pgx.ErrNoRows) {
		return outage("count tries", err)
	}
	var next time.Time
	if err := s.pool.QueryRow(ctx, `SELECT next_at FROM tries WHERE key_hash = $1`, key).Scan(&next); err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return outage("count tries", err)
	}
	return fault.Wait(max(next.Sub(now), time.Second))
}

// giveBack forgets the tries at what was right.
func (s *Service) giveBack(ctx context.Context, db mail.DB, g guess) error {
	_, err := db.Exec(ctx, `DELETE FROM tries WHERE key_hash = $1`, s.keys.hash(g.kind, g.of))
	return outage("count tries", err)
}

// Tidy removes what nobody will ask for again: counts that are forgotten, links a month after they expired, sessions
// that ran out.
func (s *Service) Tidy(ctx context.Context) error {
	now := s.now()
	for _, old := range []struct {
		sql    string
		before time.Time
	}{
		{`DELETE FROM tries WHERE tried_at < $1`, now.Add(-triesForgot)},
		{`DELETE FROM email_links WHERE expires_at < $1`, now.AddDate(0, -1, 0)},
		{`DELETE FROM sessions WHERE expires_at < $1`, now},
	} {
		if _, err := s.pool.Exec(ctx, old.sql, old.before); err != nil {
			return outage("tidy", err)
		}
	}
	return nil
}
