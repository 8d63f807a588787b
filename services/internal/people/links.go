package people

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/mail"
)

// purpose is what a mailed link is for.
type purpose string

const (
	verifyEmail   purpose = "VERIFY_EMAIL"
	resetPassword purpose = "RESET_PASSWORD"
	changeEmail   purpose = "CHANGE_EMAIL"
	undoChange    purpose = "UNDO"
)

// kinds says where each purpose's link leads and how long it works.
var kinds = map[purpose]struct {
	path  string
	valid time.Duration
}{
	verifyEmail:   {"/verifyMail?token=", 24 * time.Hour},
	resetPassword: {"/forgot_password?token=", 20 * time.Minute},
	changeEmail:   {"/confirm-email?token=", 24 * time.Hour},
	undoChange:    {"/undo?token=", 72 * time.Hour},
}

// How many letters of one kind an address is sent in an hour: those that one device or address caused, and all.
const (
	mailsPerCauseMax = 4
	mailsPerHourMax  = 30
)

// errEnoughMail undoes what may not be mailed about any more. The answer stays the same.
var errEnoughMail = errors.New("enough mail for one address")

func enoughMail(err error) error {
	if errors.Is(err, errEnoughMail) {
		return nil
	}
	return err
}

// post queues a letter unless there are enough of its kind.
func (s *Service) post(ctx context.Context, tx pgx.Tx, letter mail.Message) error {
	enough, err := s.enough(ctx, tx, letter.To, letter.Kind, letter.Cause)
	if err != nil {
		return err
	}
	if enough {
		return errEnoughMail
	}
	return mail.Queue(ctx, tx, letter, s.now())
}

// enough reports whether an address has had enough letters of a kind for an hour, from one cause or from all.
func (s *Service) enough(ctx context.Context, tx pgx.Tx, to string, kind mail.Kind, cause string) (bool, error) {
	all, own, err := mail.CountSince(ctx, tx, to, kind, cause, s.now().Add(-time.Hour))
	most := mailsPerHourMax
	if kind == mail.KindRegistered { // Nobody waits for one.
		most = mailsPerCauseMax
	}
	return own >= mailsPerCauseMax || all >= most, err
}

// carried is what comes into effect with a link.
type carried struct {
	newEmail string   // Of changeEmail; of undoChange the address that it is sent to.
	signUp   *account // Of verifyEmail; nil when it is only the way to those that are there.
	unmailed bool     // The link itself is lost, and the sign-up waits for another.
}

// newLink answers a new link. Of an earlier change of e-mail it voids the links; those that strangers can ask for stay,
// or strangers could take them away.
func (s *Service) newLink(ctx context.Context, tx pgx.Tx, userID uuid.UUID, p purpose, with carried) (string, error) {
	now := s.now()
	if p == changeEmail {
		if _, err := tx.Exec(ctx, `UPDATE email_links SET spent_at = $3 WHERE user_id = $1 AND purpose = $2 AND spent_at IS NULL`, userID, p, now); err != nil {
			return "", err
		}
	}
	var a account
	var birth *time.Time
	if with.signUp != nil {
		a, birth = *with.signUp, &with.signUp.birth
	}
	token, hash := newToken()
	_, err := tx.Exec(ctx, `
		INSERT INTO email_links (token_hash, user_id, purpose, created_at, expires_at, new_email, mailed, password, first_name, last_name, phone, date_of_birth, invited)
		VALUES ($1, $2, $3, $4, $5, nullif($6, ''), $7, nullif($8, ''), nullif($9, ''), nullif($10, ''), nullif($11, ''), $12, $13)`,
		hash[:], userID, p, now, now.Add(kinds[p].valid), with.newEmail, !with.unmailed, a.password, a.firstName, a.lastName, a.phone, birth, a.invited)
	return s.publicURL + kinds[p].path + token, err
}

// linked is who a link that still works was made for.
type linked struct {
	hash                  [32]byte
	userID                uuid.UUID
	email, name, newEmail string
	created               time.Time
	staff                 bool // Two of our staff give the account back: earlier links end too.
}

// link finds a link that still works, without spending it; any other is fault.Credentials.
func (s *Service) link(ctx context.Context, token string, p purpose) (linked, error) {
	l := linked{hash: hashToken(token)}
	if len(token) != tokenChars {
		return l, fault.New(fault.Credentials, errSpentLink)
	}
	err := s.pool.QueryRow(ctx, `
		SELECT a.id, a.email, a.first_name, coalesce(l.new_email, ''), l.created_at
		FROM email_links l JOIN accounts a ON a.id = l.user_id
		WHERE l.token_hash = $1 AND l.purpose = $2 AND l.spent_at IS NULL AND l.expires_at > $3`, l.hash[:], p, s.now()).
		Scan(&l.userID, &l.email, &l.name, &l.newEmail, &l.created)
	if errors.Is(err, pgx.ErrNoRows) {
		return l, fault.New(fault.Credentials, errSpentLink)
	}
	return l, outage("read a link", err)
}

// spend works once; a second caller gets fault.Credentials. It locks the account and reads its address again, which may
// have moved since the link was found.
func (s *Service) spend(ctx context.Context, tx pgx.Tx, l *linked) error {
	if err := lock(ctx, tx, l.userID.String()); err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `UPDATE email_links SET spent_at = $2 WHERE token_hash = $1 AND spent_at IS NULL AND expires_at > $2`, l.hash[:], s.now())
	if err == nil && tag.RowsAffected() == 0 {
		return fault.New(fault.Credentials, errSpentLink)
	}
	if err != nil {
		return err
	}
	return tx.QueryRow(ctx, "SELECT email, first_name FROM accounts WHERE id = $1", l.userID).Scan(&l.email, &l.name)
}

// voidLinks ends all of an account's links but those that undo a change: the person who made the change does not
// take them away.
func (s *Service) voidLinks(ctx context.Context, tx pgx.Tx, userID uuid.UUID) error {
	_, err := tx.Exec(ctx, `UPDATE email_links SET spent_at = $2 WHERE user_id = $1 AND spent_at IS NULL AND purpose <> $3`, userID, s.now(), undoChange)
	return err
}
