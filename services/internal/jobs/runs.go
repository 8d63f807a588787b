package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
)

// The times in job_runs are the database's, as River's are: they say whether processes run the jobs, of which River
// counts the periods by the machine. No job is late because the product's clock jumps by days. Nobody is shown a time
// of them, only how long ago it was.

// runs records when each job last ran.
type runs struct {
	pool  *pgxpool.Pool
	mu    sync.Mutex
	noted map[string]clock.Watch
}

// noteEvery is how often the run of one job is noted at most.
const noteEvery = 10 * time.Second

func (r *runs) note(ctx context.Context, name string) {
	r.mu.Lock()
	watch, noted := r.noted[name]
	soon := noted && watch.Took() < noteEvery
	if !soon {
		r.noted[name] = clock.Start()
	}
	r.mu.Unlock()
	if soon {
		return
	}
	if _, err := r.pool.Exec(ctx, "UPDATE job_runs SET ran_at = now() WHERE name = $1", name); err != nil {
		slog.WarnContext(ctx, "jobs: when it ran is not noted", "job", name, "error", err)
	}
}

// register records which jobs there are, and removes those that have not run for a day longer than they should: only an
// earlier build had them.
func register(ctx context.Context, pool *pgxpool.Pool, periodics []Periodic) error {
	names, every := make([]string, len(periodics)), make([]time.Duration, len(periodics))
	for n, p := range periodics {
		names[n], every[n] = p.Name, p.Every
	}
	_, err := pool.Exec(ctx, `WITH gone AS (DELETE FROM job_runs WHERE name <> ALL ($1) AND greatest(since, ran_at) < now() - interval '1 day' - 2 * every)
		INSERT INTO job_runs (name, every, since) SELECT name, every, now() FROM unnest($1::text[], $2::interval[]) AS j (name, every)
		ON CONFLICT (name) DO UPDATE SET every = excluded.every, since = excluded.since`, names, every)
	if err != nil {
		return fmt.Errorf("jobs: register: %w", err)
	}
	return nil
}

// Run is when a job last ran.
type Run struct {
	Name  string
	Every time.Duration
	Ago   *time.Duration // Nil where it has not run yet.
	Late  bool           // It should have run by now.
}

// Runs returns how long ago each job last ran, by the database's clock. A job is late when two periods and two minutes
// have passed since. A run in the future counts as no run.
func Runs(ctx context.Context, pool *pgxpool.Pool) ([]Run, error) {
	rows, err := pool.Query(ctx, `SELECT name, every, now() - ran_at, greatest(since, ran_at) + 2 * every + interval '2 minutes' < now() FROM (
		SELECT name, every, least(since, now()) AS since, CASE WHEN ran_at <= now() THEN ran_at END AS ran_at FROM job_runs) r ORDER BY name`)
	if err != nil {
		return nil, fmt.Errorf("jobs: runs: %w", err)
	}
	all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Run])
	if err != nil {
		return nil, fmt.Errorf("jobs: runs: %w", err)
	}
	return all, nil
}
