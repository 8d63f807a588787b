package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/mail"
)

// purpose is what a mailed link is for.
type purpose string

const (
	verifyEmail   purpose = "VERIFY_EMAIL"
	resetPassword purpose = "RESET_PASSWORD"
	changeEmail   purpose = "CHANGE_EMAIL"
)

// kinds says where each purpose's link leads and how long it works.
var kinds = map[purpose]struct {
	path  string
	valid time.Duration
}{
	verifyEmail:   {"/verifyMail?token=", 24 * time.Hour},
	resetPassword: {"/forgot_password?token=", 20 * time.Minute},
	changeEmail:   {"/confirm-email?token=", 24 * time.Hour},
}

// mailsPerHourMax is for one address, whoever asks.
const mailsPerHourMax = 6

// errEnoughMail undoes what may not be mailed about any more. The answer stays the same.
var errEnoughMail = errors.New("enough mail for one address")

func enoughMail(err error) error {
	if errors.Is(err, errEnoughMail) {
		return nil
	}
	return err
}

// post queues a letter unless its address has had enough for an hour.
func (s *Service) post(ctx context.Context, tx pgx.Tx, letter mail.Message) error {
	sent, err := mail.CountSince(ctx, tx, letter.To, s.now().Add(-time.Hour))
	if err != nil {
		return err
	}
	if sent >= mailsPerHourMax {
		return errEnoughMail
	}
	return mail.Queue(ctx, tx, letter, s.now())
}

// newLink voids the account's older links of that purpose and answers the new one. newEmail is for changeEmail alone.
func (s *Service) newLink(ctx context.Context, tx pgx.Tx, userID uuid.UUID, p purpose, newEmail string) (string, error) {
	now := s.now()
	if _, err := tx.Exec(ctx, `UPDATE email_links SET spent_at = $3 WHERE user_id = $1 AND purpose = $2 AND spent_at IS NULL`, userID, p, now); err != nil {
		return "", err
	}
	token, hash := newToken()
	_, err := tx.Exec(ctx, `
		INSERT INTO email_links (token_hash, user_id, purpose, created_at, expires_at, new_email) VALUES ($1, $2, $3, $4, $5, nullif($6, ''))`,
		hash[:], userID, p, now, now.Add(kinds[p].valid), newEmail)
	return s.publicURL + kinds[p].path + token, err
}

// linked is who a link that still works was made for.
type linked struct {
	hash                  [32]byte
	userID                uuid.UUID
	email, name, password string // Of the account. The password is hashed.
	newEmail              string
	verified              bool
}

// link finds a link that still works, without spending it; any other is fault.Credentials.
func (s *Service) link(ctx context.Context, token string, p purpose) (linked, error) {
	l := linked{hash: hashToken(token)}
	if len(token) != tokenChars {
		return l, fault.New(fault.Credentials, errSpentLink)
	}
	err := s.pool.QueryRow(ctx, `
		SELECT a.id, a.email, a.first_name, a.password, coalesce(l.new_email, ''), a.email_verified_at IS NOT NULL
		FROM email_links l JOIN accounts a ON a.id = l.user_id
		WHERE l.token_hash = $1 AND l.purpose = $2 AND l.spent_at IS NULL AND l.expires_at > $3`, l.hash[:], p, s.now()).
		Scan(&l.userID, &l.email, &l.name, &l.password, &l.newEmail, &l.verified)
	if errors.Is(err, pgx.ErrNoRows) {
		return l, fault.New(fault.Credentials, errSpentLink)
	}
	return l, outage("read a link", err)
}

// spend works once; whoever comes second gets fault.Credentials.
func (s *Service) spend(ctx context.Context, tx pgx.Tx, l linked) error {
	tag, err := tx.Exec(ctx, `UPDATE email_links SET spent_at = $2 WHERE token_hash = $1 AND spent_at IS NULL AND expires_at > $2`, l.hash[:], s.now())
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.Credentials, errSpentLink)
	}
	return err
}

// voidLinks ends all of an account's links.
func (s *Service) voidLinks(ctx context.Context, tx pgx.Tx, userID uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE email_links SET spent_at = $2 WHERE user_id = $1 AND spent_at IS NULL`, userID, s.now())
	return err
}
