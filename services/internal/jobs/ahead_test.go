package jobs_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/jobs"
)

func migrated(t *testing.T) *pgxpool.Pool {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, jobs.Migrate(t.Context(), pool))
	return pool
}

// never is a clock that is not in doubt.
func never() bool { return false }

func do(t *testing.T, pool *pgxpool.Pool, sql string, args ...any) {
	t.Helper()
	_, err := pool.Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// ahead leaves the rows of a process that ran while the clock was a day ahead, and died.
func ahead(t *testing.T, pool *pgxpool.Pool, state string) {
	t.Helper()
	do(t, pool, `UPDATE river_job SET state = $1::river_job_state, finalized_at = NULL, scheduled_at = now() + interval '1 day', attempted_at = now() + interval '1 day'
		WHERE id = (SELECT max(id) FROM river_job)`, state)
	do(t, pool, `INSERT INTO river_leader (leader_id, elected_at, expires_at) VALUES ('gone', now() + interval '1 day', now() + interval '1 day 15 seconds')
		ON CONFLICT (name) DO UPDATE SET leader_id = excluded.leader_id, elected_at = excluded.elected_at, expires_at = excluded.expires_at`)
}

func TestAJobThatWaitsForATimeOfAClockThatWasAheadRunsAtTheNextStart(t *testing.T) {
	t.Parallel()
	for _, state := range []string{"available", "scheduled"} {
		pool, ran := migrated(t), make(chan struct{}, 100)
		hourly := []jobs.Periodic{{Name: "hourly", Every: time.Hour, Run: func(context.Context) error { ran <- struct{}{}; return nil }}}
		stop, err := jobs.Start(t.Context(), pool, clock.System, never, hourly)
		require.NoError(t, err)
		wait(t, ran)
		require.NoError(t, stop(t.Context()))
		ahead(t, pool, state)
		stop, err = jobs.Start(t.Context(), pool, clock.System, never, hourly)
		require.NoError(t, err)
		wait(t, ran)
		require.NoError(t, stop(t.Context()))
	}
}

func TestAClockThatIsSetBackWhileJobsRunStopsNone(t *testing.T) {
	t.Parallel()
	pool, ran := migrated(t), make(chan struct{}, 1000)
	stop, err := jobs.Start(t.Context(), pool, clock.System, never, []jobs.Periodic{{Name: "often", Every: time.Second, Run: func(context.Context) error { ran <- struct{}{}; return nil }}})
	require.NoError(t, err)
	wait(t, ran)
	do(t, pool, `INSERT INTO river_job (kind, args, max_attempts, queue, state, scheduled_at, priority) VALUES ('periodic', '{"name": "often"}', 1, 'default', 'available', now() + interval '1 day', 1)`)
	require.Eventually(t, func() bool {
		var waiting int
		require.NoError(t, pool.QueryRow(t.Context(), "SELECT count(*) FROM river_job WHERE scheduled_at > now() + interval '1 hour'").Scan(&waiting))
		return waiting == 0
	}, 30*time.Second, 20*time.Millisecond)
	require.NoError(t, stop(t.Context()))
}

func TestOnlyWhatLiesTooFarAheadIsPulledBack(t *testing.T) {
	t.Parallel()
	pool := migrated(t)
	hourly := []jobs.Periodic{{Name: "hourly", Every: time.Hour}}
	do(t, pool, `CREATE TABLE tries (id int, next_at timestamptz, asked_at timestamptz)`)
	do(t, pool, `INSERT INTO tries VALUES (1, now() + interval '10 minutes', now()), (2, now() + interval '1 day', NULL), (3, now() + interval '3 days', now()), (4, NULL, NULL)`)
	do(t, pool, `INSERT INTO river_job (kind, args, max_attempts, queue, state, scheduled_at, priority) VALUES ('periodic', '{"name": "hourly"}', 1, 'default', 'scheduled', now() + interval '50 minutes', 1),
		('another', '{"name": "hourly"}', 1, 'default', 'scheduled', now() + interval '50 days', 1)`)
	pulled, err := jobs.PullBack(t.Context(), pool, time.Now(), hourly, []jobs.Wait{{Table: "tries", Column: "next_at", Most: time.Hour, Where: "(asked_at IS NULL OR asked_at > $1)"}})
	require.NoError(t, err)
	require.EqualValues(t, 1, pulled)
	var due []int
	require.NoError(t, pool.QueryRow(t.Context(), "SELECT array_agg(id) FROM tries WHERE next_at <= now()").Scan(&due))
	require.Equal(t, []int{2}, due)
	again, err := jobs.PullBack(t.Context(), pool, time.Now(), hourly, nil)
	require.NoError(t, err)
	require.Zero(t, again)
}

func TestItIsKnownWhenEachJobLastRan(t *testing.T) {
	t.Parallel()
	pool, ran := migrated(t), make(chan struct{}, 100)
	stop, err := jobs.Start(t.Context(), pool, clock.System, never, []jobs.Periodic{
		{Name: "gone", Every: time.Hour, Run: func(context.Context) error { return nil }},
	})
	require.NoError(t, err)
	require.NoError(t, stop(t.Context()))
	do(t, pool, "UPDATE job_runs SET since = now() - interval '2 days', ran_at = now() - interval '2 days'")
	stop, err = jobs.Start(t.Context(), pool, clock.System, never, []jobs.Periodic{
		{Name: "often", Every: time.Second, Run: func(context.Context) error { ran <- struct{}{}; return nil }},
		{Name: "rare", Every: time.Hour, Run: func(context.Context) error { return nil }},
	})
	require.NoError(t, err)
	wait(t, ran)
	runs := func() map[string]jobs.Run {
		all, err := jobs.Runs(t.Context(), pool)
		require.NoError(t, err)
		byName := map[string]jobs.Run{}
		for _, r := range all {
			byName[r.Name] = r
		}
		return byName
	}
	require.Eventually(t, func() bool { return runs()["often"].Ago != nil }, 30*time.Second, 20*time.Millisecond)
	require.NotContains(t, runs(), "gone", "another build's")
	require.Equal(t, time.Hour, runs()["rare"].Every)
	require.NoError(t, stop(t.Context()))
	for _, r := range runs() {
		require.False(t, r.Late, r.Name)
	}
	do(t, pool, "UPDATE job_runs SET since = now() - interval '1 day', ran_at = now() - interval '3 minutes'")
	require.True(t, runs()["often"].Late)
	require.False(t, runs()["rare"].Late)
	do(t, pool, "UPDATE job_runs SET ran_at = now() + interval '1 day'") // It ran while the clock was ahead.
	require.True(t, runs()["rare"].Late)
	require.Nil(t, runs()["rare"].Ago)
}

func TestWaitsGoByTheProductsClockAndJobsByTheMachines(t *testing.T) {
	t.Parallel()
	pool := migrated(t)
	now := time.Now().AddDate(0, 3, 0).Truncate(time.Microsecond) // The product lives a quarter ahead.
	hourly := []jobs.Periodic{{Name: "hourly", Every: time.Hour}}
	do(t, pool, `CREATE TABLE tries (id int, next_at timestamptz)`)
	do(t, pool, `INSERT INTO tries VALUES (1, $1), (2, $2)`, now.Add(time.Hour), now.Add(time.Hour+time.Second))
	do(t, pool, `INSERT INTO river_job (kind, args, max_attempts, queue, state, scheduled_at, priority) VALUES ('periodic', '{"name": "hourly"}', 1, 'default', 'scheduled', now() + interval '2 hours', 1)`)
	waits := []jobs.Wait{{Table: "tries", Column: "next_at", Most: time.Hour, Where: "next_at > $1"}}
	pulled, err := jobs.PullBack(t.Context(), pool, now, hourly, waits)
	require.NoError(t, err)
	require.EqualValues(t, 2, pulled, "a wait that is a second too long, and the job")
	next := func() (at [2]time.Time) {
		for n := range at {
			require.NoError(t, pool.QueryRow(t.Context(), "SELECT next_at FROM tries WHERE id = $1", n+1).Scan(&at[n]))
			at[n] = at[n].Local()
		}
		return at
	}
	require.Equal(t, [2]time.Time{now.Add(time.Hour), now}, next())
	var due bool
	require.NoError(t, pool.QueryRow(t.Context(), "SELECT scheduled_at <= now() FROM river_job").Scan(&due))
	require.True(t, due, "by the machine, though the product lives elsewhere")

	back := now.AddDate(0, 0, -10) // Its clock goes back.
	pulled, err = jobs.PullBack(t.Context(), pool, back, hourly, waits)
	require.NoError(t, err)
	require.EqualValues(t, 2, pulled)
	require.Equal(t, [2]time.Time{back, back}, next())
}

func TestAProductsClockThatJumpsMakesNoJobLate(t *testing.T) {
	t.Parallel()
	pool, ran := migrated(t), make(chan struct{}, 100)
	var ahead atomic.Int64
	stop, err := jobs.Start(t.Context(), pool, func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }, never, []jobs.Periodic{
		{Name: "hourly", Every: time.Hour, Run: func(context.Context) error { ran <- struct{}{}; return nil }},
	})
	require.NoError(t, err)
	wait(t, ran)
	require.NoError(t, stop(t.Context()))
	ahead.Store(int64(30 * 24 * time.Hour))
	runs, err := jobs.Runs(t.Context(), pool)
	require.NoError(t, err)
	require.Len(t, runs, 1)
	require.False(t, runs[0].Late)
	require.NotNil(t, runs[0].Ago)
	require.Less(t, *runs[0].Ago, time.Hour)
}
