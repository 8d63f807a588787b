// Package people knows who the members are: accounts, e-mail verification, passwords, sessions, second factors and
// name cards. It owns the tables accounts, sessions, email_links, earlier_emails, devices, known_devices, totp,
// removed_totp, recovery_codes, remedies and tries, and it is the only package that holds passwords; the ledger knows
// opaque user ids.
//
// Authoritative for a session is its row. A process keeps what it read for a few seconds, so a logout ends a session
// at once in its own process, and in the others as soon as core NATS says so, or a few seconds later without NATS.
// A session is a token and a second secret, which never travel together: neither opens anything alone, and a token
// without its secret does the session no harm.
//
//	registered ──VerifyEmail──▶ verified ──Login──▶ session ──▶ ended
//	                                                          by Logout, 24 h idle, 14 days, a sixth login, a new
//	                                                          password, reset, new e-mail or erasure (all sessions)
//
// Wrong passwords and codes are answered ever more slowly, up to five minutes apart, and never locked out for good: the
// counts are in Postgres and outlive restarts. Strangers count apart from devices that the account knows and from open
// sessions, so that they shut nobody out: see passwordsAt. A right one, or a reset by mail, forgets what was its own.
//
// The erased are left as rows without a name, an address, a birth date or a password.
package people

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/services/internal/recent"
	"adashi.ng/services/internal/sealing"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrate makes the tables, recorded in goose_people.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, migrations, "goose_people")
}

// Caller is who a session belongs to.
type Caller struct {
	UserID    string
	Email     string // Normalised.
	FirstName string
	LastName  string
	Roles     []string // Shared: do not change it.
	SessionID string
	// SteppedUpUntil is until when the session may do what asks for a step-up; zero when it never stepped up.
	SteppedUpUntil  time.Time
	SteppedUpByCode bool // And whether it did so by a code, not by the password.
	tokenHash       [32]byte
}

// Profile is what a member sees of their own account.
type Profile struct {
	UserID        string
	Email         string
	FirstName     string
	LastName      string
	Phone         string // E.164.
	Roles         []string
	EmailVerified bool
	Registered    time.Time
	PendingEmail  string // An address that waits to be confirmed, or empty.
}

// Card is what other members see of somebody.
type Card struct{ FirstName, LastName string }

// Options is what a Service stands on. Pool, PublicURL and Key are required.
type Options struct {
	Pool      *pgxpool.Pool
	PublicURL string      // Where the links of mails lead, without a trailing slash.
	Key       []byte      // At least 32 secret bytes. TOTP secrets are sealed under it: without it nobody's codes work.
	Clock     clock.Clock // clock.System when nil.
	// DeviceClock is what members' authenticator apps go by: the present, also where a sandbox lives in the past. Clock
	// when nil.
	DeviceClock clock.Clock
	NATS        *nats.Conn // Tells other processes of ended sessions; may be nil.
	// OnSecurity hears, after the commit, that something about an account's security changed (PasswordChanged and its
	// like); may be nil. The context outlives the request.
	OnSecurity func(ctx context.Context, userID, kind string)
	// MayMove refuses that an account moves to another e-mail address, as while its money is frozen; may be nil.
	MayMove func(ctx context.Context, userID string) error
	// FastHashing is for tests only: new passwords are hashed at almost no cost. Stored hashes are checked at their own
	// cost either way.
	FastHashing bool
}

// Service is the door to accounts and sessions. It is safe for concurrent use; Close it to leave NATS.
type Service struct {
	pool       *pgxpool.Pool
	publicURL  string
	now        clock.Clock
	device     clock.Clock
	sessions   *sessionCache
	cards      *recent.Cache[Card]
	bus        *bus
	keys       sealing.Keys
	cost       cost // Of new hashes.
	onSecurity func(ctx context.Context, userID, kind string)
	moves      func(ctx context.Context, userID string) error
}

// New makes the service and subscribes to the other processes' ended sessions.
func New(options Options) (*Service, error) {
	if options.Clock == nil {
		options.Clock = clock.System
	}
	if options.DeviceClock == nil {
		options.DeviceClock = options.Clock
	}
	keys, err := sealing.New(options.Key)
	if err != nil {
		return nil, fmt.Errorf("people: %w", err)
	}
	s := &Service{
		keys: keys, cost: today, onSecurity: options.OnSecurity, moves: options.MayMove,
		pool: options.Pool, publicURL: strings.TrimRight(options.PublicURL, "/"), now: options.Clock, device: options.DeviceClock,
		sessions: newSessionCache(options.Clock), cards: recent.New[Card](options.Clock, cardValid),
	}
	if options.FastHashing {
		s.cost = fast
	}
	bus, err := newBus(options.NATS, s.sessions)
	if err != nil {
		return nil, fmt.Errorf("people: %w", err)
	}
	s.bus = bus
	return s, nil
}

// OnSessionEnded has f called with the SessionID of every session that is ended before its time, in this
// process or another. f must not block. Call it before serving.
func (s *Service) OnSessionEnded(f func(sessionID string)) { s.bus.listen(f) }

// Close leaves NATS.
func (s *Service) Close() { s.bus.close() }

// Profile answers one account. An id that is none of ours is fault.NotFound.
func (s *Service) Profile(ctx context.Context, userID string) (Profile, error) {
	id, err := uuid.Parse(userID)
	if err != nil {
		return Profile{}, fault.New(fault.NotFound, "There is no such account.")
	}
	profile := Profile{UserID: id.String()}
	err = s.pool.QueryRow(ctx, `
		SELECT email, first_name, last_name, phone, roles, email_verified_at IS NOT NULL, created_at, coalesce((
			SELECT new_email FROM email_links WHERE user_id = a.id AND purpose = $2 AND spent_at IS NULL AND expires_at > $3 LIMIT 1), '')
		FROM accounts a WHERE id = $1`, id, changeEmail, s.now()).Scan(&profile.Email, &profile.FirstName, &profile.LastName, &profile.Phone,
		&profile.Roles, &profile.EmailVerified, &profile.Registered, &profile.PendingEmail)
	if errors.Is(err, pgx.ErrNoRows) {
		return Profile{}, fault.New(fault.NotFound, "There is no such account.")
	}
	return profile, outage("profile", err)
}

// outage marks an error that Postgres did not answer with as fault.Unavailable: the person may try again. An error
// that Postgres did answer with is a bug and stays one. Nil stays nil.
func outage(operation string, err error) error {
	var answered *pgconn.PgError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &answered) && !shutdown(answered.Code), errors.Is(err, context.Canceled), fault.As(err) != nil:
		return fmt.Errorf("people: %s: %w", operation, err)
	default:
		return fmt.Errorf("people: %s: %w: %w", operation,
			fault.New(fault.Unavailable, "We could not do this just now. Nothing was taken. Please try again shortly."), err)
	}
}

// shutdown reports Postgres's own “not now”: class 57P (shutting down, starting), 53 (out of disk, memory,
// connections).
func shutdown(code string) bool {
	return strings.HasPrefix(code, "57P") || strings.HasPrefix(code, "53")
}

// What OnSecurity hears of.
const (
	PasswordChanged      = "password_changed"
	PasswordReset        = "password_reset"
	TOTPEnabled          = "totp_enabled"
	TOTPRemoved          = "totp_removed"
	EmailChanged         = "email_changed"
	NewDevice            = "new_device"
	RecoveryCodesRenewed = "recovery_codes_renewed"
	PasswordTried        = "password_tried" // Many wrong ones, by strangers.
)

// secured tells the hook of something that is done already: it is told even when the caller has gone.
func (s *Service) secured(ctx context.Context, userID, kind string) {
	if s.onSecurity != nil {
		s.onSecurity(context.WithoutCancel(ctx), userID, kind)
	}
}

// when is now as people in Nigeria read it.
func (s *Service) when() string {
	return lagos.Clock(s.now()) + " (Lagos)"
}
