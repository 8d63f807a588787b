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
	old        Written  // As letters were kept before they had forms.
	Kind       Kind     // Of the letters that are limited; others have none.
	Cause      string   // Who caused it, in a form that says nothing of them, to limit its kind by.
	About      []string // Ids of the members whom it speaks of besides its reader: Forget finds it by them.
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
	KindWithdrawn    Kind = "INVITATION_WITHDRAWN"
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
	var to, form, said, kind, cause, of []string
	var farewell []bool
	for _, m := range messages {
		to, form, said = append(to, m.To), append(form, m.form), append(said, m.said)
		farewell, kind, cause = append(farewell, m.Farewell), append(kind, string(m.Kind)), append(cause, m.Cause)
		of = append(of, strings.Join(m.About, ","))
	}
	_, err := db.Exec(ctx, `INSERT INTO mail_outbox (recipient, form, said, created_at, next_try, farewell, kind, cause, about)
		SELECT l.recipient, l.form, l.said, $4, $4, l.farewell, l.kind, l.cause, string_to_array(l.about, ',')
		FROM unnest($1::text[], $2::text[], $3::text[], $5::boolean[], $6::text[], $7::text[], $8::text[]) AS l (recipient, form, said, farewell, kind, cause, about)`,
		to, form, said, now, farewell, kind, cause, of)
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

// Forget forgets a member's letters: every one to their own address is removed, as is where that address was invited,
// and of every one to others that is about them what it says, sent or not. A letter to others of a limited kind still
// counts. A Farewell that waits stays. Either may be empty.
func Forget(ctx context.Context, db DB, userID, address string) error {
	for _, statement := range []struct{ sql, of string }{
		{`DELETE FROM mail_outbox WHERE recipient = $1 AND NOT (farewell AND state = 'QUEUED')`, address},
		{`DELETE FROM invited_addresses WHERE address = $1`, address},
		{`DELETE FROM mail_outbox WHERE about @> ARRAY[$1] AND kind = ''`, userID},
		{`UPDATE mail_outbox SET said = '', last_error = '', about = '{}', state = CASE state WHEN 'SENT' THEN 'SENT' ELSE 'FORGOTTEN' END WHERE about @> ARRAY[$1]`, userID},
	} {
		if statement.of == "" {
			continue
		}
		if _, err := db.Exec(ctx, statement.sql, statement.of); err != nil {
			return fmt.Errorf("mail: forget: %w", err)
		}
	}
	return nil
}

// ofMembers are the forms that tell a member of their money and groups.
var ofMembers = []string{"money received", "bvn result", "notice", "payments"}

// Follow has what waits for a member under their earlier address, and tells of their money and groups, go to the
// address that they have now. What concerns the safety of their account stays: the earlier address is the one that a
// thief has not.
func Follow(ctx context.Context, db DB, earlier, now string) error {
	_, err := db.Exec(ctx, `UPDATE mail_outbox SET recipient = $2 WHERE recipient = $1 AND state = 'QUEUED' AND form = ANY($3)`, earlier, now, ofMembers)
	if err != nil {
		return fmt.Errorf("mail: follow: %w", err)
	}
	return nil
}
