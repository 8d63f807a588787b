package files

import (
	"context"
	"sync"
	"time"

	"adashi.ng/ledger/base/fault"
)

// worksMax limits how many files are unpacked at a time: each takes a processor and memory. Only one of them may be
// large, so that a small one never waits for more than another small one.
const worksMax = 2

// turns limits concurrent uploads: each member has one in progress.
type turns struct {
	all, large chan struct{}
	began      func() // Called when the unpacking of a file begins; for tests.

	mu   *sync.Mutex
	busy map[string]bool // Members with an upload in progress.
}

func newTurns() turns {
	return turns{all: make(chan struct{}, worksMax), large: make(chan struct{}, 1), began: func() {}, mu: &sync.Mutex{}, busy: map[string]bool{}}
}

// begin takes a member's only place until leave is called.
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

// work waits until a file may be unpacked; done releases the place.
func (t turns) work(ctx context.Context, large bool) (done func(), err error) {
	wanted := []chan struct{}{t.all}
	if large {
		wanted = []chan struct{}{t.large, t.all} // In this order, so that an upload that waits for the large place blocks no other.
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
