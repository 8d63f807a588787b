package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
)

// While a clock is ahead, jobs write times of the future into the database. When the clock is set back, they would wait
// for those times. So a row that waits longer than it ever should is set to now.
//
// There are two clocks here. River compares the times in its tables with the database's clock, so these are set by it:
// it is the machine's, and decides when a process looks for work. Waits hold times of the product: when a letter or a
// payout is tried next. They are compared with the product's clock, and set by it.

// Wait is a column that holds when something is tried next by the product's clock, and the longest pause before that.
type Wait struct {
	Table, Column string
	Most          time.Duration
	Where         string // An SQL condition for the rows to look at, in which $1 is the present; all when empty.
}

// pullEvery is how often PullBack runs.
var pullEvery = time.Minute

// leaderMost is longer than River's leader ever leads without a new election.
const leaderMost = time.Minute

// PullBack sets to now the time of each job that lies further ahead than the job's period, and each wait that is longer
// than its longest pause. It returns the number of rows. now is the product's present, for the waits; for jobs it uses
// the database's clock, as River does.
func PullBack(ctx context.Context, pool *pgxpool.Pool, now time.Time, periodics []Periodic, waits []Wait) (pulled int64, err error) {
	names, every := make([]string, len(periodics)), make([]time.Duration, len(periodics))
	for n, p := range periodics {
		names[n], every[n] = p.Name, p.Every
	}
	count := func(err error, rows int64, what string) error {
		if err != nil {
			return fmt.Errorf("jobs: pull back %s: %w", what, err)
		}
		pulled += rows
		return nil
	}
	const ahead = ` FROM unnest($1::text[], $2::interval[]) AS p (name, every) WHERE kind = 'periodic' AND args ->> 'name' = p.name AND `
	waiting, err := pool.Exec(ctx, `UPDATE river_job SET scheduled_at = now()`+ahead+`state IN ('available', 'pending', 'retryable', 'scheduled') AND scheduled_at > now() + p.every`, names, every)
	failed := []error{count(err, waiting.RowsAffected(), "jobs")}
	// A process that died left them running. River rescues them some time after attempted_at.
	running, err := pool.Exec(ctx, `UPDATE river_job SET attempted_at = now()`+ahead+`state = 'running' AND attempted_at > now() + p.every`, names, every)
	failed = append(failed, count(err, running.RowsAffected(), "running jobs"))
	leader, err := pool.Exec(ctx, `DELETE FROM river_leader WHERE expires_at > now() + $1::interval`, leaderMost)
	failed = append(failed, count(err, leader.RowsAffected(), "the leader"))
	for _, w := range waits {
		table, column := pgx.Identifier{w.Table}.Sanitize(), pgx.Identifier{w.Column}.Sanitize()
		tag, err := pool.Exec(ctx, `UPDATE `+table+` SET `+column+` = $1 WHERE `+column+` > $1::timestamptz + $2::interval AND `+cmp.Or(w.Where, "true"), now, w.Most)
		failed = append(failed, count(err, tag.RowsAffected(), w.Table))
	}
	if pulled > 0 {
		slog.WarnContext(ctx, "jobs: times lay further ahead than anything waits, as after a clock was set back; they are due now", "rows", pulled)
	}
	return pulled, errors.Join(failed...)
}

// keepPullingBack runs PullBack once a minute until the context ends, but not while the clock is in doubt. Its ticker
// is monotonic, so setting the clock does not stop it.
func keepPullingBack(ctx context.Context, pool *pgxpool.Pool, now clock.Clock, doubted func() bool, periodics []Periodic, waits []Wait) {
	tick := time.NewTicker(pullEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if doubted() {
			continue
		}
		within, cancel := context.WithTimeout(ctx, runTimeMax)
		if _, err := PullBack(within, pool, now(), periodics, waits); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "jobs: times that lie too far ahead", "error", err)
		}
		cancel()
	}
}
