package mail

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/migrate"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrate makes the table, recorded in goose_mail.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, migrations, "goose_mail")
}

// Message is one letter.
type Message struct {
	To         string // One normalised address.
	form, said string
	old        Written // As letters were kept before they had forms.
	Kind       Kind    // Of the letters that are limited; others have none.
	Cause      string  // Who caused it, in a form that says nothing of them, for whoever limits its kind.
	// Farewell is the last letter to somebody who is forgotten: Forget leaves it, and once it is sent nothing remains.
	Farewell bool
}

// Kind is what a letter is about, where its number is limited.
type Kind string

// The kinds.
const (
	KindVerification Kind = "VERIFICATION"
	KindRegistered   Kind = "REGISTERED" // There is an account already.
	KindReset        Kind = "RESET"
	KindNewEmail     Kind = "NEW_EMAIL"
	KindInvitation   Kind = "INVITATION"
	KindGuardian     Kind = "GUARDIAN"
)

// DB is a pool, a connection or a transaction.
type DB interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Queue stores the letter to be sent, in db's transaction when it is one.
func Queue(ctx context.Context, db DB, message Message, now time.Time) error {
	return QueueAll(ctx, db, []Message{message}, now)
}

// QueueAll stores some letters to be sent, all of them or none.
func QueueAll(ctx context.Context, db DB, messages []Message, now time.Time) error {
	var to, form, said, kind, cause []string
	var farewell []bool
	for _, m := range messages {
		to, form, said = append(to, m.To), append(form, m.form), append(said, m.said)
		farewell, kind, cause = append(farewell, m.Farewell), append(kind, string(m.Kind)), append(cause, m.Cause)
	}
	_, err := db.Exec(ctx, `INSERT INTO mail_outbox (recipient, form, said, created_at, next_try, farewell, kind, cause)
		SELECT l.recipient, l.form, l.said, $4, $4, l.farewell, l.kind, l.cause
		FROM unnest($1::text[], $2::text[], $3::text[], $5::boolean[], $6::text[], $7::text[]) AS l (recipient, form, said, farewell, kind, cause)`,
		to, form, said, now, farewell, kind, cause)
	if err != nil {
		return fmt.Errorf("mail: queue: %w", err)
	}
	return nil
}

// CountSince is how many letters of a kind an address was queued since then, and how many of them one cause has.
func CountSince(ctx context.Context, db DB, to string, kind Kind, cause string, since time.Time) (all, own int, err error) {
	err = db.QueryRow(ctx, `SELECT count(*), count(*) FILTER (WHERE cause = $4) FROM mail_outbox WHERE recipient = $1 AND created_at > $2 AND kind = $3`,
		to, since, kind, cause).Scan(&all, &own)
	if err != nil {
		return 0, 0, fmt.Errorf("mail: count: %w", err)
	}
	return all, own, nil
}

// Writing is what goes by this name, one process at a time (see items.InTurn): letters about what members were told are
// written, in which others are named.
const Writing = "letters are written"

// Forget removes every letter to these addresses, and every one to others that speaks of the person by their full name
// or an address, sent or not, but a Farewell that still waits. name may be empty.
func Forget(ctx context.Context, db DB, name string, addresses ...string) error {
	for _, trace := range append([]string{name}, addresses...) {
		if trace == "" {
			continue
		}
		// As plainJSON writes it within a text.
		said := strings.TrimSuffix(strings.TrimPrefix(plainJSON(trace), `"`), `"`)
		_, err := db.Exec(ctx, `
			DELETE FROM mail_outbox WHERE (recipient = $1 OR position($2 IN said) > 0 OR position($1 IN body_text) > 0 OR position($1 IN subject) > 0)
				AND NOT (farewell AND state = 'QUEUED')`, trace, said)
		if err != nil {
			return fmt.Errorf("mail: forget: %w", err)
		}
	}
	return nil
}
