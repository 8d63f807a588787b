package audit

import (
	"context"
	"math"
	"runtime"

	"golang.org/x/sync/errgroup"

	"adashi.ng/ledger/infra/history"
)

// work is a chunk for a worker. The walk takes its rows in the order of the chunks, whichever worker finishes first.
type work struct {
	chunk  history.Chunk
	judged chan []judged
}

// pass reads all events once: one goroutine reads, some judge, this one walks.
func pass(whole context.Context, s *snapshot, w *walk, progress func(done, total int64)) error {
	group, ctx := errgroup.WithContext(whole)
	workers := runtime.GOMAXPROCS(0)
	// The queues are long enough for reading, and Postgres, to go on while one slow chunk holds up the others.
	todo, inOrder := make(chan work, 8*workers), make(chan work, 16*workers)
	group.Go(func() error {
		defer close(todo)
		defer close(inOrder)
		return read(ctx, s, func(c history.Chunk) error {
			one := work{c, make(chan []judged, 1)}
			for _, to := range []chan<- work{inOrder, todo} {
				select {
				case to <- one:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for range workers {
		group.Go(func() error {
			var judge worker
			for one := range todo {
				rows, err := judge.judge(one.chunk)
				if err != nil {
					return err
				}
				one.judged <- rows
			}
			return nil
		})
	}
	group.Go(func() error {
		for one := range inOrder {
			select {
			case rows := <-one.judged:
				if err := w.add(ctx, rows); err != nil {
					return err
				}
				if progress != nil {
					progress(w.last, s.head)
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return ctx.Err()
	})
	if err := group.Wait(); err != nil {
		return err
	}
	return w.finish(whole)
}

// read passes on every readable row in this database, whether its partition is attached or detached.
func read(ctx context.Context, s *snapshot, each func(history.Chunk) error) error {
	for _, p := range s.parts {
		if p.table == "" {
			continue
		}
		from, to := p.from, p.to
		if p.table != "events" {
			from, to = math.MinInt64, math.MaxInt64 // A detached table is read whole.
		}
		if err := s.readAround(ctx, p.table, from, to, each); err != nil {
			return err
		}
	}
	return nil
}
