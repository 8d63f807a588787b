package projections_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/relay"
	"adashi.ng/projections"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/notifications"
)

// before runs do before each fold of every model; its error is the fold's. The fold must get no event that the model
// ignores.
func (h *house) before(do func(ctx context.Context, tx pgx.Tx, m engine.Model, events []engine.Event) error) *engine.Engine {
	models := projections.All()
	for i, m := range models {
		models[i].Fold = func(ctx context.Context, tx pgx.Tx, part engine.Part, events []engine.Event) (engine.Changes, error) {
			for _, e := range events {
				if slices.Contains(m.Ignores, e.Type) {
					return engine.Changes{}, &engine.Refusal{Reason: "it ignores " + e.Type}
				}
			}
			if err := do(ctx, tx, m, events); err != nil {
				return engine.Changes{}, err
			}
			return m.Fold(ctx, tx, part, events)
		}
	}
	return h.with(models...)
}

// start keeps an engine's models until stop or the test's end.
func (h *house) start(e *engine.Engine) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.Run(ctx, h.js, func(ctx context.Context) (string, error) {
			_, err := relay.EnsureStream(ctx, h.js, 1, 1)
			return relay.StreamName(1), err
		})
	}()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	h.Cleanup(stop)
	return stop
}

// transactions notes which models were folded in each transaction.
type transactions struct {
	mu     sync.Mutex
	models map[int64][]string
}

func (t *transactions) note(ctx context.Context, tx pgx.Tx, m engine.Model, _ []engine.Event) error {
	var id int64
	if err := tx.QueryRow(ctx, "SELECT txid_current()").Scan(&id); err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.models[id] = append(t.models[id], m.Name)
	return nil
}

func (t *transactions) forget() { t.mu.Lock(); defer t.mu.Unlock(); t.models = map[int64][]string{} }

// together answers the models that were ever folded in one transaction with the given one.
func (t *transactions) together(with string) (all []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, models := range t.models {
		if slices.Contains(models, with) {
			all = append(all, models...)
		}
	}
	slices.Sort(all)
	return slices.DeleteFunc(slices.Compact(all), func(name string) bool { return name == with })
}

func TestModelsThatAreLevelAreFoldedInOneTransactionAndOneThatWasPausedComesBack(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	seen := &transactions{models: map[int64][]string{}}
	var refuses atomic.Bool
	e := h.before(func(ctx context.Context, tx pgx.Tx, m engine.Model, events []engine.Event) error {
		if m.Name == groups.Name && refuses.Load() {
			return &engine.Refusal{Reason: "a bug"}
		}
		return seen.note(ctx, tx, m, events)
	})
	e.Busy = time.Hour // On a busy machine two workers would share the models.
	h.start(e)
	joined := func(with, model string) {
		t.Helper()
		require.Eventually(t, func() bool {
			h.live(3)
			return slices.Contains(seen.together(with), model)
		}, time.Minute, 10*time.Millisecond)
	}
	h.caughtUp()
	joined(balances.Name, groups.Name)
	joined(balances.Name, notifications.Name)

	refuses.Store(true)
	require.Eventually(t, func() bool {
		h.live(3)
		var paused bool
		err := h.pool.QueryRow(t.Context(), "SELECT paused <> '' FROM projections WHERE name = $1", groups.Name).Scan(&paused)
		return err == nil && paused
	}, time.Minute, 10*time.Millisecond)
	seen.forget()
	joined(balances.Name, notifications.Name) // The others continue together.
	require.NotContains(t, seen.together(balances.Name), groups.Name)

	refuses.Store(false)
	require.NoError(t, h.engine().Retry(t.Context(), groups.Name))
	joined(balances.Name, groups.Name)
	h.caughtUp()
	h.exec("DELETE FROM dead_letters WHERE model = $1", groups.Name)
	h.equalFresh()
}

func TestAModelThatHangsDoesNotHoldBackTheOthers(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	release := make(chan struct{})
	var hangs, hung atomic.Bool
	e := h.before(func(ctx context.Context, _ pgx.Tx, m engine.Model, _ []engine.Event) error {
		if m.Name != groups.Name || !hangs.Load() {
			return nil
		}
		hung.Store(true)
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	h.start(e)
	h.caughtUp()
	hangs.Store(true)
	h.live(20)
	head := h.head()
	require.Eventually(t, func() bool {
		var behind []string
		err := h.pool.QueryRow(t.Context(), "SELECT array_agg(DISTINCT name) FROM projections WHERE pos < $1", head).Scan(&behind)
		return err == nil && slices.Equal(behind, []string{groups.Name})
	}, time.Minute, 10*time.Millisecond)
	require.True(t, hung.Load())
	close(release)
	h.caughtUp()
	h.equalFresh()
}

func TestACheckpointThatAnotherProcessMovedIsTakenNoteOfAlsoWhenFoldingTogether(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	seen := &transactions{models: map[int64][]string{}}
	opt := h.before(seen.note).Options
	opt.Busy = time.Hour // On a busy machine two workers would share the models.
	// Without JetStream no model gets an event before it looks for the head.
	var held sync.RWMutex
	head := opt.Head
	opt.Head = func(ctx context.Context) (int, int64, error) {
		held.RLock()
		defer held.RUnlock()
		return head(ctx)
	}
	opt.Sweep = 10 * time.Millisecond
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); engine.New(opt).Run(ctx, nil, nil) }()
	t.Cleanup(func() { cancel(); <-done })
	h.caughtUp()
	for range 5 {
		require.Eventually(t, func() bool { // It is kept with the others.
			seen.forget()
			h.live(3)
			h.caughtUp()
			return slices.Contains(seen.together(balances.Name), activity.Name)
		}, time.Minute, 10*time.Millisecond)
		held.Lock()
		h.live(20)
		err := h.with(activity.Model()).CatchUp(ctx)
		held.Unlock()
		require.NoError(t, err)
		h.live(20)
		h.caughtUp()
	}
	h.equalFresh()
}

var errTrouble = errors.New("an outage")

func TestHoweverModelsAreFoldedTogetherTheirTablesEqualAFoldFromZero(t *testing.T) {
	t.Parallel()
	h := setup(t)
	type trouble struct {
		model string
		kind  int // 0: none.
		after int64
	}
	var now atomic.Pointer[trouble]
	now.Store(&trouble{})
	before := func(ctx context.Context, _ pgx.Tx, m engine.Model, events []engine.Event) error {
		in := now.Load()
		if m.Name != in.model || events[len(events)-1].Pos <= in.after {
			return nil
		}
		switch in.kind {
		case 1:
			return &engine.Refusal{Reason: "a bug"}
		case 2:
			return errTrouble
		case 3:
			panic("a fold that breaks off")
		default:
			return nil
		}
	}
	h.start(h.before(before))
	h.begin()
	for range 12 {
		stop := func() {}
		if h.luck.IntN(2) == 0 {
			stop = h.start(h.before(before)) // It takes its share, and may give it back at any moment.
		}
		all := projections.All()
		now.Store(&trouble{all[h.luck.IntN(len(all))].Name, h.luck.IntN(4), h.head() + int64(h.luck.IntN(20))})
		h.live(1 + h.luck.IntN(30))
		stop()
		now.Store(&trouble{})
		h.live(h.luck.IntN(10))
		for _, m := range all {
			require.NoError(t, h.engine().Retry(t.Context(), m.Name))
		}
	}
	require.Eventually(t, func() bool {
		h.exec("UPDATE projections SET paused = '' WHERE paused <> ''") // One may have paused after its retry.
		var level bool
		err := h.pool.QueryRow(t.Context(), "SELECT bool_and(pos = $1) FROM projections", h.head()).Scan(&level)
		return err == nil && level
	}, time.Minute, 100*time.Millisecond)
	h.exec("DELETE FROM dead_letters")
	h.equalFresh()
}
