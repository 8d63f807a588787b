// Package asks is how something goes to a bank or gateway once: one process at a time sends it, and from then on it is
// only asked about, soon at first, then less and less often, until it is known what became of it. It owns the table
// asks, which is bookkeeping of the asking and no fact of the ledger.
package asks

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

const (
	// First is how long after it was sent something is asked about first; then it takes twice as long each time.
	First = 5 * time.Second
	// UnknownFor is how far apart two answers must be that they know of no such thing before that is believed.
	UnknownFor = 15 * time.Minute
	// SendWithin is how long after it was recorded as sent something may still be sent; far less than UnknownFor.
	SendWithin = time.Minute
)

// Within is how long something may still be sent that was recorded as sent at a time.
func Within(recorded, now time.Time) time.Duration {
	return min(SendWithin, recorded.Add(SendWithin).Sub(now))
}

// Store keeps how far things of one kind have been asked about.
type Store struct {
	Pool *pgxpool.Pool
	Kind string
	Most time.Duration // The longest pause between two questions.
}

// Asking is how far something has been asked about; the zero Asking where nobody came to it yet.
type Asking struct {
	Tries        int
	AskedAt      *time.Time
	NextAt       *time.Time // None where it is not to be asked about by itself.
	UnknownSince *time.Time // Since when they say that they know of no such thing.
	Answer       string

	version int64 // Of what was read.
	anew    bool  // It replaces what was noted, whatever that was.
}

// Of reads it by ids. What nobody came to yet is absent.
func (k Store) Of(ctx context.Context, ids ...string) (map[string]Asking, error) {
	rows, err := k.Pool.Query(ctx, "SELECT id, tries, asked_at, next_at, unknown_since, answer, version FROM asks WHERE kind = $1 AND id = ANY($2)", k.Kind, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[string]Asking, len(ids))
	var (
		id string
		a  Asking
	)
	_, err = pgx.ForEachRow(rows, []any{&id, &a.Tries, &a.AskedAt, &a.NextAt, &a.UnknownSince, &a.Answer, &a.version}, func() error { found[id] = a; return nil })
	return found, err
}

// One reads it of one.
func (k Store) One(ctx context.Context, id string) (Asking, error) {
	found, err := k.Of(ctx, id)
	return found[id], err
}

// Note writes it down, unless somebody else has since it was read: an answer from before something was sent anew says
// nothing of what was sent.
func (k Store) Note(ctx context.Context, id string, a Asking) error {
	_, err := k.Pool.Exec(ctx, `INSERT INTO asks AS k (kind, id, tries, asked_at, next_at, unknown_since, answer, version) VALUES ($1, $2, $3, $4, $5, $6, $7, 1)
		ON CONFLICT (kind, id) DO UPDATE SET tries = excluded.tries, asked_at = excluded.asked_at, next_at = excluded.next_at, unknown_since = excluded.unknown_since,
			answer = excluded.answer, version = k.version + 1 WHERE k.version = $8 OR $9`,
		k.Kind, id, a.Tries, a.AskedAt, a.NextAt, a.UnknownSince, usecase.Plain(a.Answer), a.version, a.anew)
	return err
}

// Begin has things asked about from now on that nobody is to ask about yet.
func (k Store) Begin(ctx context.Context, ids []string, now time.Time) error {
	_, err := k.Pool.Exec(ctx, `INSERT INTO asks AS k (kind, id, next_at) SELECT $1, id, $3 FROM unnest($2::text[]) AS id
		ON CONFLICT (kind, id) DO UPDATE SET next_at = excluded.next_at, version = k.version + 1 WHERE k.next_at IS NULL`, k.Kind, ids, now)
	return err
}

// Due are the ids of what is to be asked about now, what waits longest first.
func (k Store) Due(ctx context.Context, now time.Time, most int) ([]string, error) {
	rows, err := k.Pool.Query(ctx, "SELECT id FROM asks WHERE kind = $1 AND next_at <= $2 ORDER BY next_at LIMIT $3", k.Kind, now, most)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// Own has one process at a time go on with something: what others may hold of it meanwhile is left to that one, however
// long it takes.
func (k Store) Own(ctx context.Context, id string, do func() error) error {
	_, err := items.Alone(ctx, k.Pool, k.Kind+" "+id, do)
	return err
}

// Again notes an answer and when to ask again: where they know of no such thing, not later than that is believed.
func (k Store) Again(a Asking, now time.Time, answer string) Asking {
	next := now.Add(min(First<<min(a.Tries, 10), k.Most))
	if a.UnknownSince != nil {
		if last := a.UnknownSince.Add(UnknownFor); last.After(now) && next.After(last) {
			next = last
		}
	}
	a.Tries, a.AskedAt, a.NextAt, a.Answer = a.Tries+1, &now, &next, answer
	return a
}

// Sent is what is noted before something is sent: nothing that was said before is about it.
func Sent(now time.Time) Asking {
	next := now.Add(First)
	return Asking{NextAt: &next, Answer: "Sent, and not asked about yet.", anew: true}
}

// Waits notes why something is not sent yet although nobody keeps it: that is looked at again soon, and counts as no
// try.
func (a Asking) Waits(now time.Time, why string) Asking {
	next := now.Add(First)
	a.AskedAt, a.NextAt, a.Answer = &now, &next, why
	return a
}

// Over notes that nothing is to be asked any more.
func (a Asking) Over(now time.Time, answer string) Asking {
	a.Tries, a.AskedAt, a.NextAt, a.Answer = a.Tries+1, &now, nil, answer
	return a
}

// Told notes since when they know of no such thing, by their latest answer.
func (a Asking) Told(now time.Time, unknown bool) Asking {
	switch {
	case !unknown:
		a.UnknownSince = nil
	case a.UnknownSince == nil:
		a.UnknownSince = &now
	}
	return a
}

// Due reports whether it is time to ask, or to try to send.
func (a Asking) Due(now time.Time) bool { return a.NextAt == nil || !now.Before(*a.NextAt) }

// Unknown reports whether they have known of no such thing for so long that they never will.
func (a Asking) Unknown(now time.Time) bool {
	return a.UnknownSince != nil && now.Sub(*a.UnknownSince) >= UnknownFor
}
