// Package turns shares out what takes the processors long, so that strangers keep nobody else waiting for it.
package turns

import "context"

// Line is where somebody waits.
type Line int

// The lines: strangers wait behind each other first.
const (
	Strangers Line = iota
	Known          // On a device that the account knows, in an open session, or with a mailed link.
)

// Of is the line of somebody who is known, or is not.
func Of(known bool) Line {
	if known {
		return Known
	}
	return Strangers
}

// Turns are so many at a time. They are safe for concurrent use.
type Turns struct{ all, strangers chan struct{} }

// New makes turns of which some are taken at once at most.
func New(atOnce int) *Turns {
	return &Turns{all: make(chan struct{}, atOnce), strangers: make(chan struct{}, atOnce)}
}

// Take waits for a turn, or for the context, whose error it answers. done ends the turn. Strangers wait behind each
// other before they wait with all: a known one waits for no stranger but those whose turn it is.
func (t *Turns) Take(ctx context.Context, line Line) (done func(), err error) {
	if line == Known {
		return enter(ctx, t.all)
	}
	leave, err := enter(ctx, t.strangers)
	if err != nil {
		return nil, err
	}
	end, err := enter(ctx, t.all)
	if err != nil {
		leave()
		return nil, err
	}
	return func() { end(); leave() }, nil
}

func enter(ctx context.Context, places chan struct{}) (leave func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
