package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	netmail "net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	gomail "github.com/wneessen/go-mail"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/services/internal/items"
)

// RetryMost is the longest pause before a letter is tried again.
const RetryMost = time.Hour

const (
	sendTimeMax = 20 * time.Second // For one letter.
	leased      = time.Minute      // A letter that nobody heard of for so long is tried again.
	retryFirst  = 30 * time.Second
	triedFor    = 24 * time.Hour
	keptFor     = 30 * 24 * time.Hour
)

// SenderOptions is what a Sender stands on. Pool, URL and From are required.
type SenderOptions struct {
	Pool *pgxpool.Pool
	URL  string      // smtp://user:password@host:port, which is encrypted by STARTTLS, or smtps://…
	From string      // Adashi <hello@adashi.ng>
	Now  clock.Clock // clock.System when nil.
}

// Sender sends what is queued. It is safe for concurrent use, also by several processes.
type Sender struct {
	pool   *pgxpool.Pool
	from   *netmail.Address
	client *gomail.Client
	now    clock.Clock
}

// NewSender reads the address of the server; nothing is dialled. Its error never repeats the URL.
func NewSender(options SenderOptions) (*Sender, error) {
	from, err := netmail.ParseAddress(options.From)
	if err != nil {
		return nil, errors.New("the sender must be an address such as Adashi <hello@adashi.ng>")
	}
	client, err := clientFor(options.URL)
	if err != nil {
		return nil, err
	}
	if options.Now == nil {
		options.Now = clock.System
	}
	return &Sender{pool: options.Pool, from: from, client: client, now: options.Now}, nil
}

// clientFor demands encryption, but on this very machine.
func clientFor(address string) (*gomail.Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" || u.Scheme != "smtp" && u.Scheme != "smtps" {
		return nil, errors.New("the server must be smtp://user:password@host:port or smtps://user:password@host:port")
	}
	loopback := u.Hostname() == "localhost" || u.Hostname() == "127.0.0.1" || u.Hostname() == "::1"
	port, auth := 587, gomail.SMTPAuthAutoDiscover
	options := []gomail.Option{gomail.WithTimeout(sendTimeMax)}
	switch {
	case u.Scheme == "smtps":
		port = 465
		options = append(options, gomail.WithSSL())
	case loopback:
		auth = gomail.SMTPAuthPlainNoEnc
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if u.Port() != "" {
		if port, err = strconv.Atoi(u.Port()); err != nil {
			return nil, errors.New("the server's port is not a number")
		}
	}
	options = append(options, gomail.WithPort(port))
	if u.User != nil {
		password, _ := u.User.Password()
		options = append(options, gomail.WithSMTPAuth(auth), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password))
	}
	return gomail.NewClient(u.Hostname(), options...)
}

// due is a letter that this process has taken on.
type due struct {
	id       int64
	message  Message
	created  time.Time
	attempts int // With this one.
}

// SendDue sends every letter whose time has come, one after another. Its error is ours or Postgres's: a server that
// refuses is none, the letter is tried again later.
func (s *Sender) SendDue(ctx context.Context) error {
	for ctx.Err() == nil {
		letter, err := s.claim(ctx)
		if errors.Is(err, pgx.ErrNoRows) {
			return Prune(ctx, s.pool, s.now())
		}
		if err != nil {
			return fmt.Errorf("mail: claim: %w", err)
		}
		refused := s.send(ctx, letter)
		// What happened is written down even when we are told to stop meanwhile.
		if err := s.settle(context.WithoutCancel(ctx), letter, refused); err != nil {
			return fmt.Errorf("mail: settle: %w", err)
		}
	}
	return nil
}

// claim takes the next letter for as long as the lease. Other processes pass over it.
func (s *Sender) claim(ctx context.Context) (due, error) {
	var d due
	now := s.now()
	err := s.pool.QueryRow(ctx, `
		UPDATE mail_outbox SET attempts = attempts + 1, next_try = $2 WHERE id = (
			SELECT id FROM mail_outbox WHERE state = 'QUEUED' AND next_try <= $1 ORDER BY next_try, id LIMIT 1 FOR UPDATE SKIP LOCKED)
		RETURNING id, recipient, form, said, subject, body_text, body_html, created_at, attempts, farewell`, now, now.Add(leased)).
		Scan(&d.id, &d.message.To, &d.message.form, &d.message.said, &d.message.old.Subject, &d.message.old.Text, &d.message.old.HTML, &d.created, &d.attempts, &d.message.Farewell)
	return d, err
}

func (s *Sender) send(ctx context.Context, d due) error {
	letter, err := d.message.Write()
	if err != nil {
		return err
	}
	m := gomail.NewMsg()
	m.FromMailAddress(s.from)
	if err := m.To(d.message.To); err != nil {
		return err
	}
	m.Subject(letter.Subject)
	m.SetDateWithValue(d.created)
	_, host, _ := strings.Cut(s.from.Address, "@")
	m.SetMessageIDWithValue(fmt.Sprintf("%d.%d@%s", d.id, d.created.UnixMicro(), host))
	m.SetBodyString(gomail.TypeTextPlain, letter.Text)
	m.AddAlternativeString(gomail.TypeTextHTML, letter.HTML)
	ctx, cancel := context.WithTimeout(ctx, sendTimeMax)
	defer cancel()
	err = s.client.DialAndSendWithContext(ctx, m)
	if m.IsDelivered() {
		return nil // The server has it; that it did not say goodbye is its own affair.
	}
	return err
}

// settle writes down how it went.
func (s *Sender) settle(ctx context.Context, d due, refused error) error {
	now := s.now()
	if refused == nil {
		_, err := s.pool.Exec(ctx, `
			UPDATE mail_outbox SET state = 'SENT', sent_at = $2, said = '', body_text = '', body_html = '', last_error = '' WHERE id = $1`, d.id, now)
		return err
	}
	reason := items.Reason(refused)
	if now.Sub(d.created) >= triedFor {
		slog.ErrorContext(ctx, "a letter is given up", "letter", d.id, "attempts", d.attempts, "error", reason)
		_, err := s.pool.Exec(ctx, `UPDATE mail_outbox SET state = 'GIVEN_UP', last_error = $2 WHERE id = $1`, d.id, reason)
		return err
	}
	slog.WarnContext(ctx, "a letter was not taken", "letter", d.id, "attempts", d.attempts, "error", reason)
	_, err := s.pool.Exec(ctx, `UPDATE mail_outbox SET next_try = $2, last_error = $3 WHERE id = $1`, d.id, now.Add(retryAfter(d.attempts)), reason)
	return err
}

// retryAfter doubles from half a minute to an hour.
func retryAfter(attempts int) time.Duration {
	return min(retryFirst<<min(attempts-1, 10), RetryMost)
}

// Prune removes letters and invitations of a month ago, and farewells as soon as they are over. Where nothing is sent,
// those that wait in the inbox go as well. It is a job there; a Sender does it by itself.
func Prune(ctx context.Context, db DB, now time.Time) error {
	if _, err := db.Exec(ctx, `DELETE FROM mail_outbox WHERE created_at < $1 OR farewell AND state <> 'QUEUED'`, now.Add(-keptFor)); err != nil {
		return err
	}
	_, err := db.Exec(ctx, `DELETE FROM invited_addresses WHERE greatest(invited_at, ended_at) <= $1`, now.Add(-invitedFor))
	return err
}

// Counts are how many letters stand where. Failed ones were tried in vain and wait for another try.
type Counts struct{ Queued, Failed, GivenUp int }

// Count answers how many letters wait and how many were given up.
func Count(ctx context.Context, db DB) (Counts, error) {
	var c Counts
	err := db.QueryRow(ctx, `SELECT count(*) FILTER (WHERE state = 'QUEUED'), count(*) FILTER (WHERE state = 'QUEUED' AND last_error <> ''),
		count(*) FILTER (WHERE state = 'GIVEN_UP') FROM mail_outbox WHERE state <> 'SENT'`).Scan(&c.Queued, &c.Failed, &c.GivenUp)
	return c, err
}

// Failed is a letter that no server took yet, without whom it is for.
type Failed struct {
	About     string // Its form.
	Reason    string // Without addresses.
	Attempts  int
	CreatedAt time.Time
	NextTry   *time.Time // None when it was given up.
}

// LastFailed answers the newest letters that failed or were given up.
func LastFailed(ctx context.Context, pool *pgxpool.Pool, limit int) ([]Failed, error) {
	rows, err := pool.Query(ctx, `SELECT form, last_error, attempts, created_at, CASE WHEN state = 'QUEUED' THEN next_try END FROM mail_outbox
		WHERE state <> 'SENT' AND last_error <> '' ORDER BY id DESC LIMIT $1`, limit)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Failed])
}

// TryAgain has letters that failed or were given up tried at once. One that is refused again after a day is given up
// again.
func TryAgain(ctx context.Context, db DB, now time.Time) error {
	_, err := db.Exec(ctx, `UPDATE mail_outbox SET state = 'QUEUED', next_try = $1
		WHERE state <> 'SENT' AND last_error <> '' AND (said <> '' OR body_text <> '')`, now)
	return err
}
