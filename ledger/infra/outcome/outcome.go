// Package outcome finds the outcome of the commands that a user gave under a key, for a caller who has only the key: a
// phone that lost the answer, and no longer knows what it asked for.
//
// The id of a command is a hash of its actor, operation and key, so the key alone does not find it. A key that begins
// with a UUID of version 8 therefore marks its commands: the first half of their ids is a hash of actor and key. They
// are adjacent in the index of commands. Other keys give the same ids as always, so that the retry of an older client
// is still the same command.
package outcome

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// marked is how many bytes of a command's id are a hash of its actor and key.
const marked = 8

// uuidChars is the length of a UUID as text.
const uuidChars = 36

// Separator is between a key and the suffix that a service adds to give several commands under it.
const Separator = "\x00"

// ofSeveral is the bit, after the mark, of a command that is one of several under a key.
const ofSeveral = 0x80

// Askable reports whether a key finds its commands: it begins with a UUID of version 8 in its usual form.
func Askable(key string) bool {
	if len(key) < uuidChars {
		return false
	}
	id, err := uuid.Parse(key[:uuidChars])
	return err == nil && id.Version() == 8
}

// Mark writes the mark of an actor and a key into a command's id, and whether it is one of several under that key.
func Mark(id *uuid.UUID, actor, key string) {
	key, _, several := strings.Cut(key, Separator)
	sum := sha256.Sum256([]byte("adashi key v1\x00" + actor + "\x00" + key))
	copy(id[:marked], sum[:])
	if id[marked] &^= ofSeveral; several {
		id[marked] |= ofSeveral
	}
}

// Range answers the first and the last id that a command of an actor under a key can have. The key must be Askable.
func Range(actor, key string) (first, last uuid.UUID) {
	last = uuid.UUID(bytes.Repeat([]byte{0xff}, len(last)))
	Mark(&first, actor, key)
	copy(last[:marked], first[:])
	return first, last
}

// Outcome is the outcome of the commands under a key. Its zero value says that none has been recorded.
type Outcome struct {
	Recorded bool           // At least one was recorded.
	Several  bool           // The key has several commands, and these are some. The total is not known.
	Records  []event.Record // Their events, by position; without those that are archived.
	Refusal  *fault.Fault   // Why the first one was refused, where none was recorded. Nil otherwise.
	At       time.Time      // When that was; the zero time if only archived events have it.
}

// Of answers the current outcome of an actor's commands under a key. A command on its way may be recorded afterwards.
func Of(ctx context.Context, pool *pgxpool.Pool, actor, key string) (out Outcome, err error) {
	first, last := Range(actor, key)
	err = pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) error {
		out, err = read(ctx, tx, actor, first, last)
		return err
	})
	if err != nil {
		return Outcome{}, fmt.Errorf("outcome: of a key: %w", err)
	}
	return out, nil
}

func read(ctx context.Context, tx pgx.Tx, actor string, first, last uuid.UUID) (out Outcome, err error) {
	var recorded int
	several := first
	several[marked] |= ofSeveral
	if err = tx.QueryRow(ctx, `SELECT count(*) FILTER (WHERE events > 0), EXISTS (SELECT FROM commands WHERE command BETWEEN $3 AND $2)
		OR EXISTS (SELECT FROM refusals WHERE command BETWEEN $3 AND $2) FROM commands WHERE command BETWEEN $1 AND $2`,
		first, last, several).Scan(&recorded, &out.Several); err != nil {
		return out, err
	}
	out.Recorded = recorded > 0
	if !out.Recorded {
		refused := fault.Fault{}
		err = tx.QueryRow(ctx, "SELECT code, message, field, recorded_at FROM refusals WHERE command BETWEEN $1 AND $2 AND actor = $3 ORDER BY recorded_at LIMIT 1",
			first, last, actor).Scan(&refused.Code, &refused.Message, &refused.Field, &out.At)
		if errors.Is(err, pgx.ErrNoRows) {
			return out, nil
		}
		out.Refusal = &refused
		return out, err
	}
	rows, err := tx.Query(ctx, "SELECT "+history.Columns+` FROM (SELECT pos AS first, events AS n FROM commands WHERE command BETWEEN $1 AND $2 AND events > 0) c
		JOIN LATERAL (SELECT * FROM events WHERE pos >= c.first AND pos < c.first + c.n OFFSET 0) e ON true WHERE actor = $3 ORDER BY pos`, first, last, actor)
	if err != nil {
		return out, err
	}
	if out.Records, err = pgx.CollectRows(rows, history.ScanRecord); err == nil && len(out.Records) > 0 {
		out.At = out.Records[0].RecordedAt
	}
	return out, err
}
