package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/session"
)

const (
	idleMax          = 24 * time.Hour
	sessionMax       = 14 * 24 * time.Hour
	sessionsMax      = 5
	accountSeenEvery = time.Hour   // How often an account's seen_at is written at most.
	seenEvery        = time.Minute // How often last_seen_at is written at most.
)

// SessionMax is how long a session lasts at most.
const SessionMax = sessionMax

// Session is an open session as its owner sees it.
type Session struct {
	ID       string
	Current  bool // The caller's own.
	Created  time.Time
	LastSeen time.Time // To a minute or so.
	Device   string    // See Device.
}

// Sessions are the caller's open sessions, this one first, then the newest used.
func (s *Service) Sessions(ctx context.Context, caller Caller) ([]Session, error) {
	now := s.now()
	rows, err := s.pool.Query(ctx, `
		SELECT id::text, id = $2, created_at, last_seen_at, device FROM sessions
		WHERE user_id = $1 AND expires_at > $3 AND last_seen_at > $4
		ORDER BY id = $2 DESC, last_seen_at DESC, id`, caller.UserID, caller.SessionID, now, now.Add(-idleMax))
	if err != nil {
		return nil, outage("sessions", err)
	}
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Session])
	return sessions, outage("sessions", err)
}

// Stands reports, by the row and not by the cache, that the caller's session has ended: fault.Unauthenticated.
func (s *Service) Stands(ctx context.Context, caller Caller) error {
	var there bool
	if err := s.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM sessions WHERE id = $1)`, caller.SessionID).Scan(&there); err != nil {
		return outage("session", err)
	}
	if !there {
		return expired()
	}
	return nil
}

// Logout ends the session at once here, and in the other processes as soon as they hear. A session that has ended
// already is no error.
func (s *Service) Logout(ctx context.Context, sessionID string) error {
	over, err := end(ctx, s.pool, `id = $1`, sessionID)
	if err != nil {
		return outage("end sessions", err)
	}
	s.bus.tell(over)
	return nil
}

// EndSession ends one of the caller's sessions; one that is not theirs, or has ended, is fault.NotFound.
func (s *Service) EndSession(ctx context.Context, caller Caller, sessionID string) error {
	id, err := uuid.Parse(sessionID)
	if err != nil {
		return fault.New(fault.NotFound, "There is no such session.")
	}
	n, err := s.endOwn(ctx, caller, `id = $1 AND user_id = $2`, id, caller.UserID)
	if err == nil && n == 0 {
		return fault.New(fault.NotFound, "There is no such session.")
	}
	return err
}

// EndOtherSessions ends all of the caller's sessions but this one.
func (s *Service) EndOtherSessions(ctx context.Context, caller Caller) error {
	_, err := s.endOwn(ctx, caller, `user_id = $1 AND id <> $2`, caller.UserID, caller.SessionID)
	return err
}

// endOwn ends the caller's sessions that match a condition and returns how many it ended.
func (s *Service) endOwn(ctx context.Context, caller Caller, where string, args ...any) (int, error) {
	var over []ended
	err := s.changing(ctx, caller, func(tx pgx.Tx) (err error) {
		over, err = end(ctx, tx, where, args...)
		return err
	})
	if err != nil {
		return 0, outage("end sessions", err)
	}
	s.bus.tell(over)
	return len(over), nil
}

// querier is a pool or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// end ends the sessions that match a condition. The caller tells the bus after the commit.
func end(ctx context.Context, db querier, where string, args ...any) ([]ended, error) {
	rows, err := db.Query(ctx, `DELETE FROM sessions WHERE `+where+` RETURNING id::text, token_hash`, args...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, collectEnded)
}

// endAll ends every session of an account.
func endAll(ctx context.Context, tx pgx.Tx, userID uuid.UUID) ([]ended, error) {
	return end(ctx, tx, `user_id = $1`, userID)
}

// changing runs a change of the caller's account in one transaction that locks first the account, then the session.
// Whatever ends sessions locks in the same order. A session that has ended is fault.Unauthenticated.
func (s *Service) changing(ctx context.Context, caller Caller, change func(tx pgx.Tx) error) error {
	id, err := uuid.Parse(caller.SessionID)
	if err != nil {
		return expired()
	}
	err = pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		if err := lock(ctx, tx, caller.UserID); err != nil {
			return err
		}
		if err := session.HoldOne(ctx, tx, id); err != nil {
			return err
		}
		return change(tx)
	})
	if err == nil {
		session.Acted(ctx)
	}
	return err
}

// lock locks an account's row until the transaction ends.
func lock(ctx context.Context, tx pgx.Tx, userID string) error {
	_, err := tx.Exec(ctx, `SELECT FROM accounts WHERE id = $1 FOR UPDATE`, userID)
	return err
}

// openSession makes a session, ends the oldest beyond five, and mails the owner when the device was never seen. hash is
// of the password that was judged: when another is there by now, it was the wrong one. deviceSecret is what the device
// is known by, if it is.
func (s *Service) openSession(ctx context.Context, profile Profile, hash, device, deviceSecret string) (Login, error) {
	login := Login{Profile: profile}
	var token, secret [32]byte
	login.Token, token = newToken()
	login.Secret, secret = newToken()
	id := clock.ID(s.now())
	var over []ended
	var strange bool
	err := pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		now := s.now()
		// The lock makes logins of one account take turns, or six could each see four others.
		var current string
		if err := tx.QueryRow(ctx, `SELECT password FROM accounts WHERE id = $1 FOR UPDATE`, profile.UserID).Scan(&current); err != nil {
			return err
		}
		if current != hash {
			return fault.New(fault.Credentials, errWrongPassword)
		}
		if _, err := tx.Exec(ctx, `
			INSERT INTO sessions (id, token_hash, secret_hash, user_id, created_at, last_seen_at, expires_at, device) VALUES ($1, $2, $3, $4, $5, $5, $6, $7)`,
			id, token[:], secret[:], profile.UserID, now, now.Add(sessionMax), device); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `UPDATE accounts SET seen_at = greatest(seen_at, $2) WHERE id = $1`, profile.UserID, now); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			DELETE FROM sessions WHERE user_id = $1 AND (expires_at <= $2 OR last_seen_at <= $3 OR id IN (
				SELECT id FROM sessions WHERE user_id = $1 ORDER BY created_at DESC, id DESC OFFSET $4))
			RETURNING id::text, token_hash`, profile.UserID, now, now.Add(-idleMax), sessionsMax)
		if err != nil {
			return err
		}
		if over, err = pgx.CollectRows(rows, collectEnded); err != nil {
			return err
		}
		if strange, err = s.meet(ctx, tx, profile, device, deviceSecret); err != nil {
			return err
		}
		login.DeviceSecret, err = s.remember(ctx, tx, profile.UserID, deviceSecret, true)
		return err
	})
	if err != nil {
		return Login{}, outage("login", err)
	}
	s.bus.tell(over)
	if strange {
		s.secured(ctx, profile.UserID, NewDevice)
	}
	return login, nil
}

// meet remembers the device's description and reports whether the device is new to an account that knows others: one
// that does not show the secret of an earlier login, whatever browser it says that it is. Its owner is then mailed.
func (s *Service) meet(ctx context.Context, tx pgx.Tx, profile Profile, device, deviceSecret string) (strange bool, err error) {
	on, err := s.deviceOf(ctx, tx, profile.UserID, deviceSecret)
	if err != nil {
		return false, err
	}
	err = tx.QueryRow(ctx, `
		WITH met AS (INSERT INTO devices (user_id, device, first_seen_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING)
		SELECT EXISTS (SELECT FROM devices WHERE user_id = $1)`, profile.UserID, device, s.now()).Scan(&strange)
	if err != nil || !strange || on.known {
		return false, err
	}
	return true, mail.Queue(ctx, tx, mail.NewDevice(profile.Email, profile.FirstName, device, s.when(), s.publicURL+"/dashboard/security"), s.now())
}

// MetDevice is a device that an account was logged in from.
type MetDevice struct {
	Device    string // See Device.
	FirstSeen time.Time
}

// MetDevices are a member's, oldest first.
func (s *Service) MetDevices(ctx context.Context, userID string) ([]MetDevice, error) {
	rows, err := s.pool.Query(ctx, `SELECT device, first_seen_at FROM devices WHERE user_id = $1 ORDER BY first_seen_at, device`, userID)
	if err != nil {
		return nil, outage("devices", err)
	}
	met, err := pgx.CollectRows(rows, pgx.RowToStructByPos[MetDevice])
	return met, outage("devices", err)
}

func collectEnded(row pgx.CollectableRow) (ended, error) {
	var e ended
	var hash []byte
	err := row.Scan(&e.SessionID, &hash)
	e.TokenHash = hex.EncodeToString(hash)
	return e, err
}

// tokenChars is the length of 256 bits in base64url.
const tokenChars = 43

// newToken makes a random 256-bit token and the hash that is stored in its place.
func newToken() (token string, hash [32]byte) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // It never fails.
	token = base64.RawURLEncoding.EncodeToString(raw[:])
	return token, hashToken(token)
}

func hashToken(token string) [32]byte { return sha256.Sum256([]byte(token)) }
