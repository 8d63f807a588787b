package projections_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/projections"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"

	"adashi.ng/ledger/event"
)

// readings counts how often an engine reads events from the ledger, and how often from the beginning.
func readings(e *engine.Engine) (counting *engine.Engine, all, whole *atomic.Int64) {
	all, whole = new(atomic.Int64), new(atomic.Int64)
	opt := e.Options
	source := opt.Source
	opt.Source = func(ctx context.Context, after int64, limit int, but []string) ([]event.Record, int64, error) {
		all.Add(1)
		if after == 0 {
			whole.Add(1)
		}
		return source(ctx, after, limit, but)
	}
	return engine.New(opt), all, whole
}

func TestModelsThatAreRebuiltTogetherReadTheLedgerOnce(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(100)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	require.Less(t, h.head(), int64(1500), "more than is read at once")
	e, all, _ := readings(h.engine())
	results, err := e.RebuildAll(ctx, nil)
	require.NoError(t, err)
	require.Len(t, results, len(projections.All()))
	for _, r := range results {
		require.True(t, r.Compared, r.Model)
		require.Equal(t, []int64{h.head(), h.head()}, []int64{r.ComparedAt, r.Position}, r.Model)
	}
	require.EqualValues(t, 1, all.Load())
	require.Zero(t, h.builds())
	h.equalFresh()
}

func TestAModelThatFailsKeepsNoOtherFromBeingRebuiltWithIt(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(60)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	models := projections.All()
	for i, m := range models {
		if m.Name == groups.Name {
			models[i].Fold = func(context.Context, pgx.Tx, engine.Part, []engine.Event) (engine.Changes, error) {
				return engine.Changes{}, &engine.Refusal{Reason: "a bug"}
			}
		}
	}
	e := h.with(models...)
	results, err := e.RebuildAll(ctx, nil)
	require.ErrorContains(t, err, "rebuild of read model "+groups.Name)
	require.ErrorContains(t, err, "a bug")
	require.Len(t, results, len(models)-1)
	for _, r := range results {
		require.NotEqual(t, groups.Name, r.Model)
		require.True(t, r.Compared, r.Model)
		require.NotEmpty(t, r.Digest)
		require.Equal(t, h.head(), r.Position)
	}
	status, err := e.Status(ctx)
	require.NoError(t, err)
	for _, m := range status.Models {
		want := engine.RebuildDone
		if m.Name == groups.Name {
			want = engine.RebuildFailed
			require.Contains(t, m.Rebuild.Error, "a bug")
		}
		require.Equal(t, want, m.Rebuild.State, m.Name)
	}
	require.Zero(t, h.builds())
	h.equalFresh() // Of the failed one too: its old tables still serve.
}

func TestRebuildsThatAreAskedForAreDoneTogether(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	h.live(60)
	ctx := context.Background()
	require.NoError(t, h.engine().CatchUp(ctx))
	e, _, whole := readings(h.engine())
	for _, m := range projections.All() {
		require.NoError(t, e.AskRebuild(ctx, m.Name))
	}
	running, stop := context.WithCancel(ctx)
	h.wg.Go(func() { e.Run(running, nil, nil) })
	h.Cleanup(stop)
	require.Eventually(t, func() bool {
		status, err := e.Status(ctx)
		for _, m := range status.Models {
			if m.Rebuild.State != engine.RebuildDone || m.State != engine.Following {
				return false
			}
		}
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.EqualValues(t, 1, whole.Load())
	h.live(20)
	h.caughtUp() // Without JetStream.
	h.equalFresh()
}

func TestAnEventThatCannotBeReadStopsOnlyTheModelsThatCare(t *testing.T) {
	t.Parallel()
	h := setup(t)
	stop := h.run()
	h.begin()
	h.live(60)
	h.caughtUp()
	stop()
	h.live(20) // The events before it are met together with it.
	const typ = "naira.v1.GroupCreated"
	torn := h.plant(typ, []byte{255})
	h.live(30)
	h.run()
	head, want, ignoring := h.head(), map[string]string{}, 0
	for _, m := range projections.All() {
		want[m.Name] = pair(torn-1, true)
		if slices.Contains(m.Ignores, typ) {
			want[m.Name] = pair(head, false)
			ignoring++
		}
	}
	require.True(t, 0 < ignoring && ignoring < len(want), "nothing is shown")
	require.Eventually(t, func() bool { return maps.Equal(want, h.standing()) }, time.Minute, 10*time.Millisecond)
	require.Equal(t, len(want)-ignoring, h.deadLetters(torn))
	results, err := h.engine().RebuildAll(context.Background(), nil)
	require.ErrorContains(t, err, fmt.Sprint("position ", torn))
	require.Len(t, results, ignoring)
	for _, r := range results {
		require.Equal(t, pair(head, false), want[r.Model], r.Model)
		require.True(t, r.Compared)
	}
}

func TestWithoutJetStreamModelsFollowAsFastAsPostgresAnswers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	running, stop := context.WithCancel(context.Background())
	h.wg.Go(func() { h.engine().Run(running, nil, nil) })
	h.Cleanup(stop)
	h.caughtUp()
	// Reading a block with each look would take half a minute.
	h.exec(`INSERT INTO events (pos, stream, version, type, command, seq, command_hash, actor, correlation, effective_at, recorded_at, body, accounts, amounts, balances, leaf)
		SELECT $1::bigint + n, 'planted:' || n, 1, 'naira.v1.AccountClosed', gen_random_uuid(), 0, '\x00000000000000000000000000000000', '', '', now(), now(), '', '{}', '{}', '{}', '\x00'
		FROM generate_series(1, 30000) n`, h.head())
	h.caughtUp()
}

func TestATrackerHearsHowFarTheModelsHaveCome(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	tracker, err := engine.NewTracker(ctx, h.pool, h.bus)
	require.NoError(t, err)
	require.NoError(t, h.bus.Flush())
	var names []string
	for _, m := range projections.All() {
		names = append(names, m.Name)
	}
	require.Zero(t, tracker.Position(names...))
	require.NoError(t, h.engine().CatchUp(ctx))
	// Asking Postgres would come only after half an hour.
	require.Equal(t, h.head(), tracker.WaitFor(ctx, h.head(), time.Hour, names...))
}
