package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people/even"
	"adashi.ng/services/internal/people/fields"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/people/turns"
)

const (
	errSpentLink     = "This link has already been used, or it has expired. Please ask for a new one."
	errWrongPassword = "The email or password is not right." //nolint:gosec // A sentence.
)

// Registration is what a person fills in to sign up.
type Registration struct {
	Email       string
	Password    string
	FirstName   string
	LastName    string
	Phone       string         // +234… or 0…
	DateOfBirth string         // YYYY-MM-DD
	Invited     *invited.Place // What the person came for; nil for nothing.
}

// account is a registration that keeps every rule.
type account struct {
	email, password, firstName, lastName, phone string // The password is hashed.
	birth                                       time.Time
	invited                                     *invited.Place
}

// read judges the fields in the order of the form, then hashes the password.
func (s *Service) read(ctx context.Context, r Registration) (account, error) {
	a := account{invited: r.Invited}
	var err error
	if a.firstName, err = fields.Name("firstName", "first name", r.FirstName); err != nil {
		return a, err
	}
	if a.lastName, err = fields.Name("lastName", "last name", r.LastName); err != nil {
		return a, err
	}
	if a.email, err = readEmail(r.Email); err != nil {
		return a, err
	}
	if a.phone, err = fields.Phone(r.Phone); err != nil {
		return a, err
	}
	if a.birth, err = fields.Birth(r.DateOfBirth, s.now()); err != nil {
		return a, err
	}
	if err = fields.Password("password", r.Password); err != nil {
		return a, err
	}
	a.password, err = s.cost.hash(ctx, turns.Strangers, r.Password)
	return a, err
}

// Register makes an account and mails a link that verifies its e-mail. An e-mail that somebody has already answers the
// same, and its owner is mailed instead. Sign-ups of an address that was never verified stand beside each other: the
// one whose password comes with a link counts, and the others give way, so that nobody can sign up for another, neither
// to keep them out nor to keep a password to their account.
func (s *Service) Register(ctx context.Context, registration Registration, from Origin) error {
	a, err := s.read(ctx, registration)
	if err != nil {
		return err
	}
	return outage("register", even.Answer(ctx, func() error { return enoughMail(s.store(ctx, a, from)) }))
}

// unmailedMax is how many sign-ups of an address wait that no letter was written about any more: the newest.
const unmailedMax = 10

// store keeps a sign-up also when it may not be mailed about: any link to its address verifies it by its password.
func (s *Service) store(ctx context.Context, a account, from Origin) error {
	cause := s.cause(a.email, from, knownDevice{})
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		id, verified, err := s.insertAccount(ctx, tx, a)
		if err != nil {
			return err
		}
		if verified {
			there := "/login"
			if a.invited != nil {
				there = a.invited.Path()
			}
			letter := mail.AlreadyRegistered(a.email, s.publicURL+there)
			letter.Cause = cause
			return s.post(ctx, tx, letter)
		}
		enough, err := s.enough(ctx, tx, a.email, mail.KindVerification, cause)
		if err != nil {
			return err
		}
		link, err := s.newLink(ctx, tx, id, verifyEmail, carried{signUp: &a, unmailed: enough})
		if err != nil {
			return err
		}
		if enough {
			_, err := tx.Exec(ctx, `DELETE FROM email_links WHERE token_hash IN (
				SELECT token_hash FROM email_links WHERE user_id = $1 AND NOT mailed ORDER BY created_at DESC OFFSET $2)`, id, unmailedMax)
			return err
		}
		letter := mail.Verification(a.email, a.firstName, link)
		letter.Cause = cause
		return mail.Queue(ctx, tx, letter, s.now())
	})
}

// insertAccount answers the account's id, and whether it was there and verified already (and so left alone).
func (s *Service) insertAccount(ctx context.Context, tx pgx.Tx, a account) (uuid.UUID, bool, error) {
	id := clock.ID(s.now())
	err := tx.QueryRow(ctx, `
		INSERT INTO accounts (id, email, password, first_name, last_name, phone, date_of_birth, roles, created_at, seen_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)
		ON CONFLICT (email) DO UPDATE SET password = EXCLUDED.password, first_name = EXCLUDED.first_name,
			last_name = EXCLUDED.last_name, phone = EXCLUDED.phone, date_of_birth = EXCLUDED.date_of_birth
		WHERE accounts.email_verified_at IS NULL AND accounts.erased_at IS NULL
		RETURNING id`,
		id, a.email, a.password, a.firstName, a.lastName, a.phone, a.birth, []string{RoleUser}, s.now()).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return uuid.Nil, true, nil
	}
	return id, false, err
}

// CreateVerified makes an account that needs no mail, with these roles (User when empty), and answers its id; an
// e-mail that is there already answers that account's id and changes nothing. For demo data only: it is no way in.
func (s *Service) CreateVerified(ctx context.Context, registration Registration, roles ...string) (string, error) {
	a, err := s.read(ctx, registration)
	if err != nil {
		return "", err
	}
	if len(roles) == 0 {
		roles = []string{RoleUser}
	}
	id := clock.ID(s.now())
	_, err = s.pool.Exec(ctx, `
		INSERT INTO accounts (id, email, password, first_name, last_name, phone, date_of_birth, roles, created_at, seen_at, email_verified_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9, $9) ON CONFLICT (email) DO NOTHING`,
		id, a.email, a.password, a.firstName, a.lastName, a.phone, a.birth, roles, s.now())
	if err != nil {
		return "", outage("create", err)
	}
	err = s.pool.QueryRow(ctx, `SELECT id FROM accounts WHERE email = $1`, a.email).Scan(&id)
	return id.String(), outage("create", err)
}
