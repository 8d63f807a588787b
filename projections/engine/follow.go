package engine

import (
	"context"
	"time"
)

// taker takes the events that follow on its position: a keeper, or several that are kept together.
type taker interface {
	at() int64
	take(ctx context.Context, events []Event) error
	store(ctx context.Context) error  // It writes its position to the checkpoints.
	reload(ctx context.Context) error // The events read so far may be of another ledger, as after a restore.
}

// follower gives a taker its next events.
type follower struct {
	engine *Engine
	room   []Event       // For a batch.
	wake   chan struct{} // Wakes the taker; nil for one that has nothing else to do.
	look   *time.Ticker
	keep   *time.Ticker
}

func newFollower(e *Engine, room []Event, wake chan struct{}) *follower {
	return &follower{engine: e, room: room, wake: wake, look: time.NewTicker(e.Sweep), keep: time.NewTicker(unstoredMax)}
}

func (f *follower) stop() { f.look.Stop(); f.keep.Stop() }

// step waits for the next event or signal and handles it.
func (f *follower) step(ctx context.Context, t taker) error {
	events, behind, moved := f.engine.buffer.After(t.at(), f.room)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-f.wake:
		return nil
	case <-f.look.C:
		return f.engine.fill(ctx, t, f.room)
	case <-f.keep.C:
		return t.store(ctx)
	case <-moved:
	}
	switch {
	case behind:
		found, err := f.engine.buffer.Fetch(ctx, t.at())
		if err == nil && !found {
			pause(ctx, sweep) // JetStream has events of a ledger that no longer exists.
		}
		return err
	case len(events) == 0:
		return nil
	}
	n := len(events)
	err := t.take(ctx, events)
	if err == nil && n < batchMax/2 {
		pause(ctx, min(restMax, time.Duration(n)*restEach))
	}
	return err
}

// fill takes all events up to the ledger's current end.
func (e *Engine) fill(ctx context.Context, t taker, room []Event) error {
	_, head, err := e.Head(ctx)
	if err != nil {
		return err
	}
	if t.at() > head {
		return t.reload(ctx)
	}
	for t.at() < head {
		var found bool
		events, _, _ := e.buffer.After(t.at(), room)
		if found = len(events) > 0; found {
			err = t.take(ctx, events)
		} else {
			found, err = e.buffer.Fetch(ctx, t.at())
		}
		if err != nil || !found {
			return err
		}
	}
	return nil
}
