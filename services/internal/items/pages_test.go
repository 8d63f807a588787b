package items_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/items"
)

// pages is a list of n numbers, and what was read and done of it.
type pages struct {
	n     int
	after []int
	done  []int
}

func (p *pages) list() items.Pages[int, int] {
	return items.Pages[int, int]{
		Most: 3, At: func(n int) int { return n }, Key: func(n int) string { return fmt.Sprint(n) },
		Read: func(after, most int) (page []int, err error) {
			p.after = append(p.after, after)
			for n := after + 1; n <= p.n && len(page) < most; n++ {
				page = append(page, n)
			}
			return page, nil
		},
	}
}

func (p *pages) do(_ context.Context, n int) error {
	p.done = append(p.done, n)
	return nil
}

func TestALongListIsGoneThroughToItsEnd(t *testing.T) {
	t.Parallel()
	l := opened(t)
	for n, after := range map[int][]int{0: {0}, 2: {0}, 3: {0, 3}, 7: {0, 3, 6}} {
		p := &pages{n: n}
		require.NoError(t, items.EachOf(t.Context(), l.Job, p.list(), p.do))
		require.Equal(t, after, p.after)
		require.Len(t, p.done, n)
	}
}

func TestABadItemKeepsNoLaterPageFromItsTurn(t *testing.T) {
	t.Parallel()
	l, p, bad := opened(t), &pages{n: 7}, errors.New("not this one")
	err := items.EachOf(t.Context(), l.Job, p.list(), func(ctx context.Context, n int) error {
		return errors.Join(p.do(ctx, n), map[int]error{2: bad}[n])
	})
	require.ErrorIs(t, err, bad)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7}, p.done)
	require.Equal(t, "2", l.last()[0].Item)
}

func TestAPageThatCannotBeReadEndsTheRunAndHidesNothing(t *testing.T) {
	t.Parallel()
	l, p, bad, down := opened(t), &pages{n: 7}, errors.New("not this one"), errors.New("the database is down")
	list := p.list()
	read := list.Read
	list.Read = func(after, most int) ([]int, error) {
		if after > 0 {
			return nil, down
		}
		return read(after, most)
	}
	err := items.EachOf(t.Context(), l.Job, list, func(context.Context, int) error { return bad })
	require.ErrorIs(t, err, bad)
	require.ErrorIs(t, err, down)
}

func TestWhatGoesByOneNameIsDoneByOneAtATime(t *testing.T) {
	t.Parallel()
	l, failed := opened(t), errors.New("failed")
	other, err := pgxpool.NewWithConfig(t.Context(), l.Pool.Config())
	require.NoError(t, err)
	t.Cleanup(other.Close)
	alone := func(name string, do func() error) bool {
		ran, err := items.Alone(t.Context(), other, name, do)
		require.NoError(t, err)
		return ran
	}
	nothing := func() error { return nil }
	require.True(t, alone("one", func() error {
		require.False(t, alone("one", nothing))
		require.True(t, alone("another", nothing))
		return nil
	}))
	ctx, cancel := context.WithCancel(t.Context())
	for _, do := range []func() error{
		func() error { return failed },
		func() error { cancel(); return failed },
	} {
		ran, err := items.Alone(ctx, l.Pool, "one", do)
		require.True(t, ran)
		require.ErrorIs(t, err, failed)
		require.True(t, alone("one", nothing), "it was let go of")
	}
	require.Panics(t, func() { _, _ = items.Alone(t.Context(), l.Pool, "one", func() error { panic("at one") }) })
	require.True(t, alone("one", nothing), "it was let go of")
}

// As many as the pool has connections wait, and who has the turn still gets one more.
func TestWhoWaitsForTheirTurnHoldsNoConnection(t *testing.T) {
	t.Parallel()
	config := opened(t).Pool.Config()
	config.MaxConns = 2
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	var inside, most atomic.Int32
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	done := make(chan error)
	const all = 6
	for range all {
		go func() {
			done <- items.InTurn(ctx, pool, "one", func() error {
				most.Store(max(most.Load(), inside.Add(1)))
				defer inside.Add(-1)
				_, err := pool.Exec(ctx, "SELECT pg_sleep(0.02)")
				return err
			})
		}()
	}
	for range all {
		require.NoError(t, <-done)
	}
	require.EqualValues(t, 1, most.Load())
	over, end := context.WithCancel(t.Context())
	end()
	require.ErrorIs(t, items.InTurn(over, pool, "one", func() error { return nil }), context.Canceled)
}
