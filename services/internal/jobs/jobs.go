// Package jobs runs what is to happen every so often, on Postgres with River: however many processes run, each job
// runs in one of them at a time. A run that a crash cut short is given up within ninety seconds, and the next one
// comes. Jobs must therefore be safe to run again.
package jobs

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/migrate"
)

const (
	runTimeMax  = 30 * time.Second
	rescueAfter = 45 * time.Second
)

// Periodic is a job and how often it runs. It runs at the start too.
type Periodic struct {
	Name  string // Unique, and stable over versions.
	Every time.Duration
	Run   func(ctx context.Context) error // Thirty seconds at most. An error is logged; the next run comes all the same.
}

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate makes River's tables, and that of when jobs ran, in the first schema of the pool's search_path.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: quiet()})
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	if _, err := migrator.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
		return fmt.Errorf("jobs: migrate: %w", err)
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, files, "goose_jobs")
}

// run is a job as River keeps it.
type run struct {
	Name string `json:"name" river:"unique"`
}

func (run) Kind() string { return "periodic" }

// worker runs the jobs that this process knows.
type worker struct {
	river.WorkerDefaults[run]
	byName map[string]Periodic
	runs   *runs
}

func (w *worker) Work(ctx context.Context, job *river.Job[run]) error {
	periodic, known := w.byName[job.Args.Name]
	if !known {
		return river.JobCancel(fmt.Errorf("no job is called %q here", job.Args.Name))
	}
	defer w.runs.note(context.WithoutCancel(ctx), periodic.Name)
	if err := guard.Call(func() error { return periodic.Run(ctx) }); err != nil && !errors.Is(err, context.Canceled) {
		slog.ErrorContext(ctx, "job failed", "job", periodic.Name, "error", err)
		return err
	}
	return nil
}

// Start runs the jobs until stop, which waits for those under way as long as its context allows and then cancels them.
// The pool must not be closed before. At the start and once a minute it pulls back what a clock that was ahead left
// behind: see PullBack. It does not while doubted reports that the clock is in doubt. When jobs run is the machine's
// affair; now is the product's clock, by which waits go.
func Start(ctx context.Context, pool *pgxpool.Pool, now clock.Clock, doubted func() bool, periodics []Periodic, waits ...Wait) (stop func(context.Context) error, err error) {
	w := &worker{byName: make(map[string]Periodic, len(periodics)), runs: &runs{pool: pool, noted: map[string]clock.Watch{}}}
	workers := river.NewWorkers()
	river.AddWorker(workers, w)
	var schedule []*river.PeriodicJob
	for _, periodic := range periodics {
		if _, twice := w.byName[periodic.Name]; twice || periodic.Every <= 0 {
			return nil, fmt.Errorf("jobs: %q is named twice or never runs", periodic.Name)
		}
		w.byName[periodic.Name] = periodic
		schedule = append(schedule, river.NewPeriodicJob(river.PeriodicInterval(periodic.Every), insert(periodic.Name), &river.PeriodicJobOpts{RunOnStart: true}))
	}
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		CompletedJobRetentionPeriod: 10 * time.Minute,
		DiscardedJobRetentionPeriod: 24 * time.Hour,
		JobTimeout:                  runTimeMax,
		RescueStuckJobsAfter:        rescueAfter,
		FetchPollInterval:           time.Second,
		PollOnly:                    true, // No LISTEN, which would keep a connection for itself.
		Logger:                      quiet(),
		PeriodicJobs:                schedule,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: 4}},
		Workers:                     workers,
	})
	if err != nil {
		return nil, fmt.Errorf("jobs: %w", err)
	}
	if err := register(ctx, pool, periodics); err != nil {
		return nil, err
	}
	if !doubted() {
		if _, err := PullBack(ctx, pool, now(), periodics, waits); err != nil {
			return nil, err
		}
	}
	if err := client.Start(context.WithoutCancel(ctx)); err != nil {
		return nil, fmt.Errorf("jobs: start: %w", err)
	}
	pulling, end := context.WithCancel(context.WithoutCancel(ctx))
	var pullers sync.WaitGroup
	pullers.Go(func() { keepPullingBack(pulling, pool, now, doubted, periodics, waits) })
	return func(ctx context.Context) error {
		end()
		pullers.Wait()
		return stopClient(ctx, client)
	}, nil
}

func stopClient(ctx context.Context, client *river.Client[pgx.Tx]) error {
	if err := client.Stop(ctx); err == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := client.StopAndCancel(ctx); err != nil {
		return fmt.Errorf("jobs: stop: %w", err)
	}
	return nil
}

// insert makes the job unless one of that name waits or runs: a failed one is not tried again, the next comes anyway.
func insert(name string) river.PeriodicJobConstructor {
	unfinished := []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
		rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	}
	return func() (river.JobArgs, *river.InsertOpts) {
		return run{Name: name}, &river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByArgs: true, ByState: unfinished}}
	}
}
