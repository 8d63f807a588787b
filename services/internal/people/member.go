package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/mail"
)

// Member is an account with what only its owner, and the rules about age, may know.
type Member struct {
	Profile
	Birth time.Time // Midnight UTC of the day.
}

// Age is in whole years on today's day in Lagos.
func (m Member) Age(now time.Time) int {
	year, month, day := now.In(lagos.Zone).Date()
	age := year - m.Birth.Year()
	if m.Birth.AddDate(age, 0, 0).After(time.Date(year, month, day, 0, 0, 0, 0, time.UTC)) {
		age--
	}
	return age
}

// Member answers one account. An id that is none of ours, or erased, is fault.NotFound.
func (s *Service) Member(ctx context.Context, userID string) (Member, error) {
	profile, err := s.Profile(ctx, userID)
	if err != nil {
		return Member{}, err
	}
	m := Member{Profile: profile}
	err = s.pool.QueryRow(ctx, `SELECT date_of_birth FROM accounts WHERE id = $1 AND erased_at IS NULL`, profile.UserID).Scan(&m.Birth)
	if errors.Is(err, pgx.ErrNoRows) {
		return Member{}, fault.New(fault.NotFound, "There is no such account.")
	}
	return m, outage("member", err)
}

// Rename changes what a member is called and reached by; the values are as ReadName and ReadPhone answer them. An id
// that is none of ours, or erased, is fault.NotFound.
func (s *Service) Rename(ctx context.Context, userID, firstName, lastName, phone string) error {
	defer s.Renamed(userID)
	return s.RenameTx(ctx, s.pool, userID, firstName, lastName, phone)
}

// RenameTx is Rename in a transaction, which may be one of the vault. The caller tells Renamed after the commit.
func (*Service) RenameTx(ctx context.Context, tx mail.DB, userID, firstName, lastName, phone string) error {
	var there bool
	err := tx.QueryRow(ctx, `SELECT accounts_rename($1, $2, $3, $4)`, userID, firstName, lastName, phone).Scan(&there)
	if err == nil && !there {
		return fault.New(fault.NotFound, "There is no such account.")
	}
	return outage("rename", err)
}

// Renamed has everybody see a member's new name in this process at once.
func (s *Service) Renamed(userID string) { s.cards.Forget(userID) }

// ReadEmail normalises and judges an address.
func ReadEmail(email string) (string, error) { return readEmail(email) }

// OpenSession is a session as its owner's export tells it.
type OpenSession struct {
	ID                     string
	Began, LastSeen, Until time.Time
	Device                 string // See Device.
}

// OpenSessions are a member's, oldest first.
func (s *Service) OpenSessions(ctx context.Context, userID string) ([]OpenSession, error) {
	rows, err := s.pool.Query(ctx, `SELECT id::text, created_at, last_seen_at, expires_at, device FROM sessions WHERE user_id = $1 ORDER BY created_at, id`, userID)
	if err != nil {
		return nil, outage("sessions", err)
	}
	sessions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[OpenSession])
	return sessions, outage("sessions", err)
}

// Address is where a member is written to, and by which name; until when it was theirs, of an earlier one.
type Address struct {
	Email, FirstName string
	Until            time.Time
}

// Addresses answers the verified addresses of some accounts by id. One that is gone or was never there is absent.
func (s *Service) Addresses(ctx context.Context, ids ...string) (map[string]Address, error) {
	known := make([]uuid.UUID, 0, len(ids))
	for _, text := range ids {
		if id, err := uuid.Parse(text); err == nil {
			known = append(known, id)
		}
	}
	return s.addresses(ctx, "id = ANY($1)", known)
}

// Holders answers where the holders of a role are written to, by their ids.
func (s *Service) Holders(ctx context.Context, role string) (map[string]Address, error) {
	return s.addresses(ctx, "$1 = ANY(roles)", role)
}

// addresses reads the verified addresses of the open accounts that a condition with one argument is true of.
func (s *Service) addresses(ctx context.Context, condition string, arg any) (map[string]Address, error) {
	rows, err := s.pool.Query(ctx, "SELECT id::text, email, first_name FROM accounts WHERE email_verified_at IS NOT NULL AND erased_at IS NULL AND "+condition, arg)
	if err != nil {
		return nil, outage("addresses", err)
	}
	addresses := map[string]Address{}
	var id string
	var a Address
	_, err = pgx.ForEachRow(rows, []any{&id, &a.Email, &a.FirstName}, func() error { addresses[id] = a; return nil })
	return addresses, outage("addresses", err)
}

// Find answers whose verified account has an address; fault.NotFound when nobody's has.
func (s *Service) Find(ctx context.Context, email string) (userID string, err error) {
	err = s.pool.QueryRow(ctx, `SELECT id::text FROM accounts WHERE email = $1 AND email_verified_at IS NOT NULL AND erased_at IS NULL`, NormaliseEmail(email)).Scan(&userID)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", fault.New(fault.NotFound, "There is no account with this e-mail.")
	}
	return userID, outage("find", err)
}

// SeenAt answers when somebody was last here, to the hour: when they logged in or used a session.
func (s *Service) SeenAt(ctx context.Context, userID string) (seen time.Time, err error) {
	err = s.pool.QueryRow(ctx, `SELECT seen_at FROM accounts WHERE id = $1`, userID).Scan(&seen)
	if errors.Is(err, pgx.ErrNoRows) {
		return seen, fault.New(fault.NotFound, "There is no such account.")
	}
	return seen, outage("seen", err)
}

const cardValid = time.Minute

// Cards answers the name cards of these users by id. An id that is none of ours is absent.
func (s *Service) Cards(ctx context.Context, ids []string) (map[string]Card, error) {
	return s.cards.Get(ids, func(missing []uuid.UUID) (map[string]Card, error) {
		rows, err := s.pool.Query(ctx, `SELECT id::text, first_name, last_name FROM accounts WHERE id = ANY($1)`, missing)
		if err != nil {
			return nil, outage("cards", err)
		}
		cards := make(map[string]Card, len(missing))
		var id string
		var card Card
		_, err = pgx.ForEachRow(rows, []any{&id, &card.FirstName, &card.LastName}, func() error { cards[id] = card; return nil })
		return cards, outage("cards", err)
	})
}
