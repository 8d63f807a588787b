package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/projections/engine/recent"
)

// foldedAtOnce is how many models fold at the same moment: folding one waits for Postgres most of the time, and whoever
// is served meanwhile wants the processor too.
const foldedAtOnce = 3

// foldTogether brings the rebuilds that have not failed to the ledger's end, each as far as its own target goes now.
// Each folds at its own pace, none of them further ahead of the slowest than a few batches. An error of one stops no
// other.
func (e *Engine) foldTogether(ctx context.Context, all []*rebuilding) {
	var (
		wg    sync.WaitGroup
		feeds []chan recent.Batch
		until int64
		but   []string // What all of them ignore.
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
		but = nil // All are wanted: nobody has to look for those that are not.
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

// follow folds what it is fed up to a position. After an error it lets the rest go by.
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
