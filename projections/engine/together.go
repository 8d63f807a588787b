package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/projections/engine/recent"
)

// foldedAtOnce is how many models fold at the same moment: a fold waits for Postgres most of the time, and requests
// that are served meanwhile need the processor too.
const foldedAtOnce = 3

// foldTogether feeds all rebuilds that have not failed from one scan of the ledger, each up to its own target. Each
// folds at its own pace, at most a few batches ahead of the slowest. An error of one does not stop the others.
func (e *Engine) foldTogether(ctx context.Context, all []*rebuilding) {
	var (
		wg    sync.WaitGroup
		feeds []chan recent.Batch
		until int64
		but   []string // The types that all of them ignore.
		turns = make(chan struct{}, foldedAtOnce)
	)
	for _, r := range all {
		if r.err != nil {
			continue
		}
		to, err := r.until(ctx)
		if err != nil {
			r.err = err
			continue
		}
		until = max(until, to)
		if len(feeds) == 0 {
			but = slices.Clone(r.model.Ignores)
		}
		but = slices.DeleteFunc(but, func(t string) bool { return !slices.Contains(r.model.Ignores, t) })
		feed := make(chan recent.Batch, 1)
		feeds = append(feeds, feed)
		wg.Go(func() { r.follow(ctx, feed, to, turns) })
	}
	if len(but) == 0 {
		but = nil // All types are wanted, so no query needs to exclude any.
	}
	for next := range e.Source.Read(ctx, but, 0, until, buildBatch) {
		for _, feed := range feeds {
			feed <- next
		}
	}
	for _, feed := range feeds {
		close(feed)
	}
	wg.Wait()
}

// follow folds its feed up to a position. After an error it ignores the rest.
func (r *rebuilding) follow(ctx context.Context, feed <-chan recent.Batch, to int64, turns chan struct{}) {
	ignores, mine := r.model.ignores(), make([]Event, 0, buildBatch)
	for next := range feed {
		if r.err != nil || r.pos[0] >= to {
			continue
		}
		if r.err = next.Err; next.Err != nil {
			continue
		}
		mine = mine[:0]
		for _, event := range next.Events {
			if !ignores[event.Type] {
				mine = append(mine, event)
			}
		}
		next.Events = mine
		turns <- struct{}{}
		err := guard.Call(func() error { return r.step(ctx, next, r.each(to)) })
		<-turns
		if err != nil {
			r.err = fmt.Errorf("fold up to %d: %w", next.Through, err)
			continue
		}
		r.progress(r.pos[0], to)
	}
}
