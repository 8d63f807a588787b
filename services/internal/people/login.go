package people

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people/turns"
)

// Attempt is somebody at the door.
type Attempt struct {
	Email    string
	Password string
	Code     string // Of TOTP, or a recovery code; empty when not given.
	Device   string // See Device.
	From     Origin
}

// Login is an account and its new session: the token, the second secret that must come with it, and the secret by which
// the device is known from now on. They are shown once: only their hashes are kept.
type Login struct {
	Token        string
	Secret       string
	DeviceSecret string
	Profile      Profile
}

// Login opens a session. A wrong password and an unknown e-mail are the same fault.Credentials after the same time,
// and both make the next tries wait (fault.TooMany): those from there, and from devices that the account does not know.
// Only who knows the password hears that the e-mail is not verified yet (fault.Forbidden) or that a code is missing or
// wrong (fault.Credentials with the field code). The sixth session ends the oldest.
func (s *Service) Login(ctx context.Context, a Attempt) (Login, error) {
	email := NormaliseEmail(a.Email[:min(len(a.Email), 4*emailCharsMax)])
	profile, hash, err := s.credentials(ctx, email)
	if err != nil {
		return Login{}, err
	}
	on, err := s.deviceOf(ctx, s.pool, profile.UserID, a.From.Secret)
	if err != nil {
		return Login{}, err
	}
	tried := passwordsAt(email, a.From, on)
	if err := s.take(ctx, tried...); err != nil {
		return Login{}, wayBack(err)
	}
	right, err := checkHash(ctx, turns.Of(on.known), a.Password, hash)
	if err != nil {
		return Login{}, err
	}
	if !right || profile.UserID == "" {
		if err := s.warn(ctx, profile); err != nil {
			return Login{}, err
		}
		return Login{}, fault.New(fault.Credentials, errWrongPassword)
	}
	if err := s.giveBack(ctx, s.pool, tried...); err != nil {
		return Login{}, err
	}
	if !profile.EmailVerified {
		return Login{}, fault.New(fault.Forbidden, "Kindly click on the email verification link sent to your email.")
	}
	if err := s.secondFactor(ctx, profile.UserID, a.Code, on); err != nil {
		return Login{}, err
	}
	if hash, err = s.rehashed(ctx, profile.UserID, a.Password, hash); err != nil {
		return Login{}, err
	}
	return s.openSession(ctx, profile, hash, a.Device, a.From.Secret)
}

// rehashed keeps a right password as those of today are kept, where it was kept otherwise, and answers how it is kept.
// Where the password changed meanwhile that is another's, which opens nothing.
func (s *Service) rehashed(ctx context.Context, userID, password, hash string) (string, error) {
	if now, err := s.cost.keptAsNow(ctx, password, hash); err != nil || now {
		return hash, err
	}
	anew, err := s.cost.hash(ctx, turns.Known, password)
	if err != nil {
		return "", err
	}
	tag, err := s.pool.Exec(ctx, `UPDATE accounts SET password = $3 WHERE id = $1 AND password = $2`, userID, hash, anew)
	if err != nil || tag.RowsAffected() > 0 {
		return anew, outage("rehash", err)
	}
	var current string // Another login of theirs came first, or a change.
	if err := s.pool.QueryRow(ctx, `SELECT password FROM accounts WHERE id = $1`, userID).Scan(&current); err != nil {
		return "", outage("rehash", err)
	}
	right, err := checkHash(ctx, turns.Known, password, current)
	if err != nil || !right {
		return hash, err
	}
	return current, nil
}

// wayBack says to who has to wait what they can do meanwhile.
func wayBack(err error) error {
	refused := fault.As(err)
	if refused == nil || refused.Code != fault.TooMany {
		return err
	}
	with := *refused
	with.Message += " Or choose a new password by a link that we mail you: it lets this device in at once."
	return &with
}

// secondFactor asks for a code where the account has TOTP.
func (s *Service) secondFactor(ctx context.Context, userID, code string, on knownDevice) error {
	enabled, err := s.hasTOTP(ctx, userID)
	if err != nil || !enabled {
		return err
	}
	if code == "" {
		return &fault.Fault{Code: fault.Credentials, Field: "code", Message: "Please enter the code from your authenticator app."}
	}
	return s.checkCode(ctx, userID, code, codeFor(userID, on))
}

// credentials answers the account, or an empty profile with nobody's hash.
func (s *Service) credentials(ctx context.Context, email string) (Profile, string, error) {
	profile := Profile{Email: email}
	if len(email) > emailCharsMax || !storable(email) {
		return Profile{}, s.cost.nobody(), nil
	}
	var hash string
	err := s.pool.QueryRow(ctx, `
		SELECT id::text, password, first_name, last_name, phone, roles, email_verified_at IS NOT NULL, created_at
		FROM accounts WHERE email = $1`, email).Scan(&profile.UserID, &hash, &profile.FirstName, &profile.LastName,
		&profile.Phone, &profile.Roles, &profile.EmailVerified, &profile.Registered)
	if errors.Is(err, pgx.ErrNoRows) {
		return Profile{}, s.cost.nobody(), nil
	}
	return profile, hash, outage("login", err)
}
