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
)

// A clock that was ahead for a while leaves times behind at which nothing is to happen before they have come. Whatever
// waits for longer than it ever should waits for such a time, and is pulled back to now.

// Wait is a column of times for which something waits, and the longest that it ever waits.
type Wait struct {
	Table, Column string
	Most          time.Duration
	Where         string // Which rows wait so, in SQL; all when empty.
}

// pullEvery is how often times that lie too far ahead are looked for.
var pullEvery = time.Minute

// leaderMost is far longer than River's leader leads without being elected again.
const leaderMost = time.Minute

// PullBack pulls back the time of each job that lies further ahead than the job's period, and of each wait that lies
// further ahead than that wait ever is, and answers how many they were. The clock is the database's, as it is for
// River.
func PullBack(ctx context.Context, pool *pgxpool.Pool, periodics []Periodic, waits []Wait) (pulled int64, err error) {
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
	// A process that died meanwhile left them running. River gives them up by the time at which they began.
	running, err := pool.Exec(ctx, `UPDATE river_job SET attempted_at = now()`+ahead+`state = 'running' AND attempted_at > now() + p.every`, names, every)
	failed = append(failed, count(err, running.RowsAffected(), "running jobs"))
	leader, err := pool.Exec(ctx, `DELETE FROM river_leader WHERE expires_at > now() + $1::interval`, leaderMost)
	failed = append(failed, count(err, leader.RowsAffected(), "the leader"))
	for _, w := range waits {
		table, column := pgx.Identifier{w.Table}.Sanitize(), pgx.Identifier{w.Column}.Sanitize()
		tag, err := pool.Exec(ctx, `UPDATE `+table+` SET `+column+` = now() WHERE `+column+` > now() + $1::interval AND `+cmp.Or(w.Where, "true"), w.Most)
		failed = append(failed, count(err, tag.RowsAffected(), w.Table))
	}
	if pulled > 0 {
		slog.WarnContext(ctx, "jobs: times lay further ahead than anything waits, as after a clock was set back; they are due now", "rows", pulled)
	}
	return pulled, errors.Join(failed...)
}

// keepPullingBack does so once a minute until the context ends. Its own clock is one that nobody sets.
func keepPullingBack(ctx context.Context, pool *pgxpool.Pool, periodics []Periodic, waits []Wait) {
	tick := time.NewTicker(pullEvery)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		within, cancel := context.WithTimeout(ctx, runTimeMax)
		if _, err := PullBack(within, pool, periodics, waits); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "jobs: times that lie too far ahead", "error", err)
		}
		cancel()
	}
}
