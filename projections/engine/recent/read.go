package recent

import (
	"context"
	"fmt"
	"iter"

	"adashi.ng/ledger/base/guard"
)

// Batch is the events up to a position, or why reading cannot continue.
type Batch struct {
	Events  []Event
	Through int64
	Err     error
}

// Read answers the events after a position up to another, except those of some types, in batches of a size. It reads
// the next batch while one is used.
func (read Source) Read(ctx context.Context, but []string, after, until, size int64) iter.Seq[Batch] {
	return func(yield func(Batch) bool) {
		ctx, cancel := context.WithCancel(ctx)
		batches := make(chan Batch)
		go func() {
			defer close(batches)
			err := guard.Call(func() error {
				read.into(ctx, batches, but, after, until, size)
				return nil
			})
			if err != nil {
				select {
				case batches <- Batch{Err: err}:
				case <-ctx.Done():
				}
			}
		}()
		defer func() {
			cancel()
			for range batches { // The reader has ended when its channel is closed.
			}
		}()
		for b := range batches {
			if !yield(b) || b.Err != nil {
				return
			}
		}
	}
}

func (read Source) into(ctx context.Context, batches chan<- Batch, but []string, after, until, size int64) {
	send := func(b Batch) bool {
		select {
		case batches <- b:
			return b.Err == nil
		case <-ctx.Done():
			return false
		}
	}
	for after < until {
		records, through, err := read(ctx, after, int(min(size, until-after)), but)
		if err != nil {
			send(Batch{Err: err})
			return
		}
		if through == after {
			send(Batch{Err: fmt.Errorf("the ledger ends at %d, before %d", after, until)})
			return
		}
		after = min(through, until)
		if !send(Batch{Events: Decode(records), Through: after}) {
			return
		}
	}
}
