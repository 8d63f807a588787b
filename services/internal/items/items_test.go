package items_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/items"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// list is a job whose items do what they are told to.
type list struct {
	*testing.T
	items.Job
	mu   sync.Mutex
	does map[string]func() error
	done []string
}

func opened(t *testing.T) *list {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, items.Migrate(t.Context(), pool))
	return &list{T: t, Job: items.Job{Pool: pool, Name: "job", Now: time.Date(2026, 7, 1, 9, 0, 0, 0, time.UTC)}, does: map[string]func() error{}}
}

func (l *list) run(ctx context.Context) error {
	l.done = nil
	return items.Each(ctx, l.Job, []string{"a", "b", "c"}, func(id string) string { return id }, func(_ context.Context, id string) error {
		l.mu.Lock()
		l.done = append(l.done, id)
		l.mu.Unlock()
		if do := l.does[id]; do != nil {
			return do()
		}
		return nil
	})
}

func (l *list) last() []items.Failing {
	l.Helper()
	last, err := l.Last(l.Context(), 10)
	require.NoError(l, err)
	return last
}

func TestABadItemWaitsLongerAndLongerAndTheOthersGoOn(t *testing.T) {
	t.Parallel()
	l := opened(t)
	l.does["a"] = func() error { return errors.New("no letter to ada@example.com\x00" + strings.Repeat("x", 900)) }
	l.does["b"] = func() error { panic("at b") }
	err := l.run(t.Context())
	require.ErrorContains(t, err, "a: no letter")
	require.ErrorContains(t, err, "b: panic: at b")
	require.Equal(t, []string{"a", "b", "c"}, l.done)
	require.Len(t, l.last(), 2)
	for _, f := range l.last() {
		require.NotContains(t, f.Reason, "ada@")
		require.Less(t, len(f.Reason), 400)
	}
	for tries, pause := range []time.Duration{30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute, 8 * time.Minute, 16 * time.Minute, 32 * time.Minute, time.Hour, time.Hour} {
		began := l.Now
		l.Now = began.Add(pause - time.Second)
		require.NoError(t, l.run(t.Context()))
		require.Equal(t, []string{"c"}, l.done, "after %d tries", tries+1)
		l.Now = began.Add(pause)
		require.Error(t, l.run(t.Context()))
		require.Len(t, l.done, 3)
	}
	counts, err := items.Counts(t.Context(), l.Pool)
	require.NoError(t, err)
	require.Equal(t, 2, counts[0].Failing)

	l.does = nil
	l.Now = l.Now.Add(time.Hour)
	require.NoError(t, l.run(t.Context()))
	require.Empty(t, l.last())
}

func TestWhatIsUnavailableSaysNothingOfTheItem(t *testing.T) {
	t.Parallel()
	l := opened(t)
	l.does["a"] = func() error { return fault.New(fault.Unavailable, "The bank is away.") }
	require.ErrorIs(t, l.run(t.Context()), items.ErrNotNoted)
	require.Equal(t, []string{"a", "b", "c"}, l.done)
	require.Empty(t, l.last())
	l.Always = true
	err := l.run(t.Context())
	require.Error(t, err)
	require.NotErrorIs(t, err, items.ErrNotNoted)
	require.Len(t, l.last(), 1)
}

func TestAnItemIsGivenUpUntilSomebodyHasItTriedAgain(t *testing.T) {
	t.Parallel()
	l := opened(t)
	l.GiveUp, l.Beside = 24*time.Hour, 3
	l.does["a"] = func() error { return errors.New("gone") }
	tries := 0
	for range 50 {
		if l.run(t.Context()) != nil {
			tries++
		}
		l.Now = l.Now.Add(time.Hour)
	}
	require.Equal(t, 25, tries)
	require.Nil(t, l.last()[0].NextTry)
	require.NoError(t, l.TryAgain(t.Context()))
	due, err := l.Due(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Error(t, l.run(t.Context()))
	require.NotNil(t, l.last()[0].NextTry, "for another day")
}

func TestARunThatIsCutShortSaysSo(t *testing.T) {
	t.Parallel()
	l := opened(t)
	ctx, cancel := context.WithCancel(t.Context())
	l.does["a"] = func() error { cancel(); return ctx.Err() }
	require.ErrorIs(t, l.run(ctx), items.ErrNotNoted)
	require.Equal(t, []string{"a"}, l.done)
	require.Empty(t, l.last())
}

func TestAListThatIsDoneTogetherFallsBackToEachItem(t *testing.T) {
	t.Parallel()
	l := opened(t)
	var together [][]string
	bad := errors.New("all or nothing")
	run := func() error {
		return items.Together(t.Context(), l.Job, []string{"a", "b", "c"}, func(id string) string { return id }, func(_ context.Context, ids []string) error {
			together = append(together, ids)
			return bad
		}, func(_ context.Context, id string) error {
			l.done = append(l.done, id)
			if id == "b" {
				return bad
			}
			return nil
		})
	}
	require.ErrorIs(t, run(), bad)
	require.Equal(t, [][]string{{"a", "b", "c"}}, together)
	require.Equal(t, []string{"a", "b", "c"}, l.done)
	require.Equal(t, []string{"b"}, []string{l.last()[0].Item})

	l.done = nil
	require.NoError(t, run())
	require.Len(t, together, 1, "one of the list waits for its turn: the others are come to alone")
	require.Equal(t, []string{"a", "c"}, l.done)

	l.Now = l.Now.Add(time.Hour)
	bad, l.done = nil, nil
	require.NoError(t, run())
	require.Equal(t, []string{"a", "b", "c"}, l.done)
	require.Empty(t, l.last())
	require.NoError(t, run())
	require.Len(t, together, 2)
	require.Len(t, l.done, 3, "together is all there is to do")
}

func TestWhatFailsIsCountedByTheJobsClock(t *testing.T) {
	t.Parallel()
	l := opened(t)
	none, err := l.Count(t.Context())
	require.NoError(t, err)
	require.True(t, l.Now.Equal(none.Since), "nothing fails, as of now")
	began := l.Now
	l.does["a"] = func() error { return errors.New("no") }
	require.Error(t, l.run(t.Context()))
	l.Now = l.Now.AddDate(0, 0, 20)
	one, err := l.Count(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, one.Failing)
	require.True(t, began.Equal(one.Since))
}

func TestAFindingIsToldAtOnceAndStaysUntilItsItemWasTriedAgainAndIsWell(t *testing.T) {
	t.Parallel()
	l := opened(t)
	told := func() (n int) {
		counts, err := items.Counts(t.Context(), l.Pool)
		require.NoError(t, err)
		for _, c := range counts {
			n += c.Failing
		}
		return n
	}
	l.does["a"] = func() error { return items.Finding{Says: "a rule is broken"} }
	l.does["b"] = func() error { return errors.New("an accident") }
	require.ErrorContains(t, l.run(t.Context()), "a rule is broken")
	require.Equal(t, 1, told(), "an accident is told once it happens again")
	l.Now = l.Now.Add(48 * time.Hour) // Nothing ran meanwhile.
	l.does["a"] = func() error { return items.ErrNotTried }
	l.does["b"] = nil
	require.NoError(t, l.run(t.Context()))
	require.Contains(t, l.done, "a")
	require.Equal(t, 1, told(), "it was not looked at")
	l.does["a"] = nil
	require.NoError(t, l.run(t.Context()))
	require.Zero(t, told())
}
