package people

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
)

// Attempt is somebody at the door.
type Attempt struct {
	Email    string
	Password string
	Code     string // Of TOTP, or a recovery code; empty when not given.
	Device   string // See Device.
}

// Login is an account and its new session: the token, and the second secret that must come with it. Both are shown
// once: only their hashes are kept.
type Login struct {
	Token   string
	Secret  string
	Profile Profile
}

// Login opens a session. A wrong password and an unknown e-mail are the same fault.Credentials after the same time,
// and both make the next tries wait (fault.TooMany). Only who knows the password hears that the e-mail is not verified
// yet (fault.Forbidden) or that a code is missing or wrong (fault.Credentials with the field code). The sixth session
// ends the oldest.
func (s *Service) Login(ctx context.Context, a Attempt) (Login, error) {
	email := NormaliseEmail(a.Email[:min(len(a.Email), 4*emailCharsMax)])
	if err := s.take(ctx, passwordOf(email)); err != nil {
		return Login{}, err
	}
	profile, hash, err := s.credentials(ctx, email)
	if err != nil {
		return Login{}, err
	}
	right, err := checkHash(ctx, a.Password, hash)
	if err != nil {
		return Login{}, err
	}
	if !right || profile.UserID == "" {
		return Login{}, fault.New(fault.Credentials, errWrongPassword)
	}
	if err := s.giveBack(ctx, s.pool, passwordOf(email)); err != nil {
		return Login{}, err
	}
	if !profile.EmailVerified {
		return Login{}, fault.New(fault.Forbidden, "Kindly click on the email verification link sent to your email.")
	}
	if err := s.secondFactor(ctx, profile.UserID, a.Code); err != nil {
		return Login{}, err
	}
	return s.openSession(ctx, profile, hash, a.Device)
}

// secondFactor asks for a code where the account has TOTP.
func (s *Service) secondFactor(ctx context.Context, userID, code string) error {
	enabled, err := s.hasTOTP(ctx, userID)
	if err != nil || !enabled {
		return err
	}
	if code == "" {
		return &fault.Fault{Code: fault.Credentials, Field: "code", Message: "Please enter the code from your authenticator app."}
	}
	return s.checkCode(ctx, userID, code)
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
