package files

import (
	"context"
	"sync"
	"time"

	"adashi.ng/ledger/base/fault"
)

// worksMax is how many files are unpacked at a time: each takes a processor and memory. Only one of them may be large,
// so that a small one never waits for more than another small one.
const worksMax = 2

// turns bounds what uploads take from each other: one member has one file under way.
type turns struct {
	all, large chan struct{}
	began      func() // A file begins to be unpacked; for tests.

	mu   *sync.Mutex
	busy map[string]bool // Members with a file under way.
}

func newTurns() turns {
	return turns{all: make(chan struct{}, worksMax), large: make(chan struct{}, 1), began: func() {}, mu: &sync.Mutex{}, busy: map[string]bool{}}
}

// begin takes a member's one place until leave is called.
func (t turns) begin(userID string) (leave func(), err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.busy[userID] {
		return nil, &fault.Fault{Code: fault.TooMany, Wait: time.Second, Message: "Another file of yours is still being taken. Please send this one when that is done."}
	}
	t.busy[userID] = true
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.busy, userID)
	}, nil
}

// work waits until a file may be unpacked; done lets the next one.
func (t turns) work(ctx context.Context, large bool) (done func(), err error) {
	wanted := []chan struct{}{t.all}
	if large {
		wanted = []chan struct{}{t.large, t.all} // In this order: who waits for large ones keeps nobody waiting.
	}
	done = func() {}
	for _, place := range wanted {
		select {
		case place <- struct{}{}:
			before := done
			done = func() { <-place; before() }
		case <-ctx.Done():
			done()
			return nil, fault.New(fault.Unavailable, "We could not take your file just now. Please try again shortly.")
		}
	}
	t.began()
	return done, nil
}
