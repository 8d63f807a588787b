package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/mail"
)

const (
	knownDevicesMax = 20
	deviceForgotten = DeviceMax
)

// DeviceMax is how long a device stays known after it was last used.
const DeviceMax = 400 * 24 * time.Hour

// Origin is where a call without a session comes from.
type Origin struct {
	Address string // As it is counted: see httpapi.Subscriber.
	Secret  string // What the device was given when somebody showed who they are on it; may be empty.
}

// knownDevice is a device that somebody has shown who they are on; the zero one is a stranger's.
type knownDevice struct {
	hash     [32]byte
	known    bool
	loggedIn bool // All the way, with a code where the account asks for one.
}

// deviceOf finds the device with that secret among those of an account. No account has none, and is asked for alike.
func (s *Service) deviceOf(ctx context.Context, db mail.DB, userID, secret string) (knownDevice, error) {
	d := knownDevice{hash: hashToken(secret)}
	if len(secret) != tokenChars {
		return knownDevice{}, nil
	}
	if userID == "" {
		userID = uuid.Nil.String()
	}
	err := db.QueryRow(ctx, `SELECT logged_in FROM known_devices WHERE user_id = $1 AND secret_hash = $2 AND seen_at >= $3`, userID, d.hash[:], s.now().Add(-deviceForgotten)).Scan(&d.loggedIn)
	if errors.Is(err, pgx.ErrNoRows) {
		return knownDevice{}, nil
	}
	d.known = err == nil
	return d, outage("device", err)
}

// Knows reports whether a device with that secret is anybody's.
func (s *Service) Knows(ctx context.Context, secret string) (bool, error) {
	known, err := s.knows(ctx, s.pool, secret)
	return known, outage("device", err)
}

func (s *Service) knows(ctx context.Context, db mail.DB, secret string) (known bool, err error) {
	if len(secret) != tokenChars {
		return false, nil
	}
	hash := hashToken(secret)
	err = db.QueryRow(ctx, `SELECT EXISTS (SELECT FROM known_devices WHERE secret_hash = $1 AND seen_at >= $2)`, hash[:], s.now().Add(-deviceForgotten)).Scan(&known)
	return known, err
}

// remember makes a device an account's own and answers its secret. One that nobody gave out gets another.
func (s *Service) remember(ctx context.Context, tx pgx.Tx, userID, secret string, loggedIn bool) (string, error) {
	known, err := s.knows(ctx, tx, secret)
	if err != nil {
		return "", err
	}
	if !known {
		secret, _ = newToken()
	}
	hash := hashToken(secret)
	if _, err := tx.Exec(ctx, `
		INSERT INTO known_devices (user_id, secret_hash, logged_in, seen_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (user_id, secret_hash) DO UPDATE SET seen_at = $4, logged_in = known_devices.logged_in OR $3`, userID, hash[:], loggedIn, s.now()); err != nil {
		return "", err
	}
	_, err = tx.Exec(ctx, `
		DELETE FROM known_devices WHERE user_id = $1 AND secret_hash IN (
			SELECT secret_hash FROM known_devices WHERE user_id = $1 ORDER BY secret_hash = $2 DESC, seen_at DESC OFFSET $3)`, userID, hash[:], knownDevicesMax)
	return secret, err
}
