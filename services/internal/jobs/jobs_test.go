package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/jobs"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func wait(t *testing.T, signal <-chan struct{}) {
	t.Helper()
	select {
	case <-signal:
	case <-time.After(30 * time.Second):
		t.Fatal("the job did not run")
	}
}

func TestJobsRunAgainAndAgainAndAfterAFailure(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, jobs.Migrate(t.Context(), pool))
	require.NoError(t, jobs.Migrate(t.Context(), pool))
	good, bad, worse := make(chan struct{}, 100), make(chan struct{}, 100), make(chan struct{}, 100)
	stop, err := jobs.Start(t.Context(), pool, clock.System, never, []jobs.Periodic{
		{Name: "good", Every: time.Second, Run: func(context.Context) error { good <- struct{}{}; return nil }},
		{Name: "bad", Every: time.Second, Run: func(context.Context) error { bad <- struct{}{}; return errors.New("no") }},
		{Name: "worse", Every: time.Second, Run: func(context.Context) error { worse <- struct{}{}; panic("a bug") }},
	})
	require.NoError(t, err)
	for range 2 {
		wait(t, good)
		wait(t, bad)
		wait(t, worse)
	}
	require.NoError(t, stop(t.Context()))
}

func TestOneAtATimeAcrossProcesses(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, jobs.Migrate(t.Context(), pool))
	var running, most atomic.Int64
	began, let := make(chan struct{}, 100), make(chan struct{})
	job := jobs.Periodic{Name: "slow", Every: 200 * time.Millisecond, Run: func(ctx context.Context) error {
		most.Store(max(most.Load(), running.Add(1)))
		defer running.Add(-1)
		began <- struct{}{}
		select {
		case <-let:
		case <-ctx.Done():
		}
		return nil
	}}
	ticks := make(chan struct{}, 100)
	tick := jobs.Periodic{Name: "tick", Every: 200 * time.Millisecond, Run: func(context.Context) error { ticks <- struct{}{}; return nil }}
	for range 2 {
		stop, err := jobs.Start(t.Context(), pool, clock.System, never, []jobs.Periodic{job, tick})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, stop(context.Background())) })
	}
	wait(t, began)
	for range 3 { // Others go on meanwhile.
		wait(t, ticks)
	}
	require.EqualValues(t, 1, most.Load())
	close(let)
	wait(t, began)
}

func TestStopCancelsWhatDoesNotEnd(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	require.NoError(t, jobs.Migrate(t.Context(), pool))
	began := make(chan struct{}, 1)
	stop, err := jobs.Start(t.Context(), pool, clock.System, never, []jobs.Periodic{{Name: "endless", Every: time.Hour, Run: func(ctx context.Context) error {
		began <- struct{}{}
		<-ctx.Done()
		return ctx.Err()
	}}})
	require.NoError(t, err)
	wait(t, began)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.NoError(t, stop(ctx))
}

func TestBadSchedulesAreRefused(t *testing.T) {
	t.Parallel()
	pool := ledgertest.Pool(t)
	for _, periodics := range [][]jobs.Periodic{{{Name: "a", Every: 0}}, {{Name: "a", Every: 1}, {Name: "a", Every: 1}}} {
		_, err := jobs.Start(t.Context(), pool, clock.System, never, periodics)
		require.Error(t, err)
	}
}
