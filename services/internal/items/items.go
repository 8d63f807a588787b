// Package items has jobs go through their lists so that one bad item stops no other: it fails alone, is tried again
// after growing pauses, and is kept with its reason for those who run the product. It owns the table failing_items.
package items

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/infra/store"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrate makes the table, recorded in goose_items.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, migrations, "goose_items")
}

// PauseMost is the longest pause before an item is tried again.
const PauseMost = time.Hour

const (
	pauseFirst = 30 * time.Second
	seenAgain  = 25 * time.Hour // What no run came to for so long is no longer in its list.
)

// Job is what goes through a list.
type Job struct {
	Pool   *pgxpool.Pool
	Name   string
	Now    time.Time
	Beside int           // How many items are under way together; one when 0.
	GiveUp time.Duration // After which an item is no longer tried; 0 is never.
	// Always notes what is Unavailable too: for a list that the next run does not come to again.
	Always bool
}

// ErrNotNoted is among the failures when an item was neither done nor noted.
var ErrNotNoted = errors.New("items: not all were come to")

// ErrNotTried is returned for an item that could not be looked at. What is noted of it stays as it is.
var ErrNotTried = errors.New("items: it was not tried")

// Finding is a failure that is no accident, such as a rule that somebody's history breaks. It is told from the first
// try on, and stays until a later try of the item is well.
type Finding struct{ Says string }

func (f Finding) Error() string { return f.Says }

// Failing is an item that could not be done.
type Failing struct {
	Item    string
	Since   time.Time
	LastAt  time.Time
	Tries   int
	NextTry *time.Time // None once it was given up.
	Reason  string     // Without addresses.
}

func (f Failing) waits(now time.Time) bool { return f.NextTry == nil || f.NextTry.After(now) }

// Each does something for each item of a list; key is an item's opaque id. One that fails or panics is tried again by a
// run after its pause, and the others are done all the same. An Unavailable error says nothing of the item: nothing is
// noted, and the next run comes to it again. The answer is all that failed.
func Each[T any](ctx context.Context, j Job, list []T, key func(T) string, do func(context.Context, T) error) error {
	if len(list) == 0 {
		return nil
	}
	known, err := j.known(ctx)
	if err != nil {
		return err
	}
	var (
		under    sync.WaitGroup
		mu       sync.Mutex
		failures []error
		room     = make(chan struct{}, max(1, j.Beside))
	)
	for _, item := range list {
		id := key(item)
		before, failed := known[id]
		if failed && before.waits(j.Now) {
			continue
		}
		room <- struct{}{}
		if ctx.Err() != nil {
			mu.Lock()
			failures = append(failures, ErrNotNoted) // The others' turn comes.
			mu.Unlock()
			break
		}
		under.Go(func() {
			defer func() { <-room }()
			err := guard.Call(func() error { return do(ctx, item) })
			if p := (*guard.Panicked)(nil); errors.As(err, &p) {
				slog.ErrorContext(ctx, "a job's item panicked", "job", j.Name, "panic", p.Value, "stack", string(p.Stack))
			}
			if err := j.settle(ctx, id, failed, err); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failures = append(failures, fmt.Errorf("%s: %w", id, err))
			}
		})
	}
	under.Wait()
	return errors.Join(failures...)
}

// Together does something for all of a list at once, which does it for all or for none. When that fails, or an item of
// the list failed before, it goes through the list as Each does.
func Together[T any](ctx context.Context, j Job, list []T, key func(T) string, all func(context.Context, []T) error, one func(context.Context, T) error) error {
	if len(list) == 0 {
		return nil
	}
	known, err := j.known(ctx)
	if err != nil {
		return err
	}
	failed := func(item T) bool { _, failed := known[key(item)]; return failed }
	if !slices.ContainsFunc(list, failed) && guard.Call(func() error { return all(ctx, list) }) == nil {
		return nil
	}
	return Each(ctx, j, list, key, one)
}

// settle notes what became of an item and answers what is to be told of it.
func (j Job) settle(ctx context.Context, id string, failedBefore bool, failure error) error {
	switch {
	case failure == nil && !failedBefore, errors.Is(failure, ErrNotTried):
		return nil
	case failure != nil && (ctx.Err() != nil || !j.Always && fault.Is(failure, fault.Unavailable) && !errors.Is(failure, store.ErrUndecided)):
		return fmt.Errorf("%w: %w", ErrNotNoted, failure)
	case failure == nil:
		_, err := j.Pool.Exec(ctx, `DELETE FROM failing_items WHERE job = $1 AND item = $2`, j.Name, id)
		return err
	}
	finding := errors.As(failure, new(Finding))
	_, err := j.Pool.Exec(ctx, `
		INSERT INTO failing_items AS f (job, item, since, last_at, tries, next_try, reason, finding) VALUES ($1, $2, $3, $3, 1, $3::timestamptz + $4::interval, $7, $8)
		ON CONFLICT (job, item) DO UPDATE SET last_at = excluded.last_at, tries = f.tries + 1, reason = excluded.reason, finding = f.finding OR excluded.finding,
			next_try = CASE WHEN $6::interval = '0' OR excluded.last_at < f.since + $6 THEN excluded.last_at + least($5::interval, $4 * (2 ^ least(f.tries, 20))) END`,
		j.Name, id, j.Now, pauseFirst, PauseMost, j.GiveUp, Reason(failure), finding)
	if err != nil {
		return fmt.Errorf("%w: %w: %w", ErrNotNoted, failure, err)
	}
	return failure
}

// known are the job's failing items, without those that no run came to any more and that are no findings.
func (j Job) known(ctx context.Context) (map[string]Failing, error) {
	_, err := j.Pool.Exec(ctx, `DELETE FROM failing_items WHERE job = $1 AND next_try IS NOT NULL AND last_at < $2 AND NOT finding`, j.Name, j.Now.Add(-seenAgain))
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	list, err := read(ctx, j.Pool, `WHERE job = $1`, j.Name)
	known := make(map[string]Failing, len(list))
	for _, f := range list {
		known[f.Item] = f
	}
	return known, err
}

func read(ctx context.Context, pool *pgxpool.Pool, where string, args ...any) ([]Failing, error) {
	rows, err := pool.Query(ctx, `SELECT item, since, last_at, tries, next_try, reason FROM failing_items `+where, args...)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Failing])
}

// Due are the failing items of a job whose time has come.
func (j Job) Due(ctx context.Context, limit int) ([]Failing, error) {
	return read(ctx, j.Pool, `WHERE job = $1 AND next_try <= $2 ORDER BY next_try LIMIT $3`, j.Name, j.Now, limit)
}

// Last are the newest failing items of a job, given up or not.
func (j Job) Last(ctx context.Context, limit int) ([]Failing, error) {
	return read(ctx, j.Pool, `WHERE job = $1 ORDER BY last_at DESC LIMIT $2`, j.Name, limit)
}

// TryAgain has a job's items tried again at once, for as long as new ones are.
func (j Job) TryAgain(ctx context.Context) error {
	_, err := j.Pool.Exec(ctx, `UPDATE failing_items SET next_try = $2, since = $2, last_at = $2 WHERE job = $1`, j.Name, j.Now)
	return err
}

// Forget removes what was given up so long ago.
func (j Job) Forget(ctx context.Context, before time.Time) error {
	_, err := j.Pool.Exec(ctx, `DELETE FROM failing_items WHERE job = $1 AND last_at < $2`, j.Name, before)
	return err
}

// Count is how many of a job's items fail.
type Count struct {
	Job              string
	Failing, GivenUp int
	Since            time.Time // Of the oldest.
}

// Count answers how many of the job's items fail.
func (j Job) Count(ctx context.Context) (c Count, err error) {
	c.Job = j.Name
	err = j.Pool.QueryRow(ctx, `SELECT count(*) FILTER (WHERE next_try IS NOT NULL), count(*) FILTER (WHERE next_try IS NULL), coalesce(min(since), $2)
		FROM failing_items WHERE job = $1`, j.Name, j.Now).Scan(&c.Failing, &c.GivenUp, &c.Since)
	return c, err
}

// Counts answers the jobs of which items failed more than once, or are findings.
func Counts(ctx context.Context, pool *pgxpool.Pool) ([]Count, error) {
	rows, err := pool.Query(ctx, `SELECT job, count(*) FILTER (WHERE next_try IS NOT NULL), count(*) FILTER (WHERE next_try IS NULL), min(since)
		FROM failing_items WHERE tries > 1 OR finding GROUP BY job ORDER BY job`)
	if err != nil {
		return nil, fmt.Errorf("items: %w", err)
	}
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Count])
}

var anAddress = regexp.MustCompile(`[^\s<>"']+@[^\s<>"',;]+`)

const reasonBytesMax = 300

// Reason is an error as a log or a table may have it: servers like to repeat who they would not write to.
func Reason(err error) string {
	reason := strings.ReplaceAll(anAddress.ReplaceAllString(err.Error(), "(address)"), "\x00", "")
	return strings.ToValidUTF8(reason[:min(len(reason), reasonBytesMax)], "")
}
