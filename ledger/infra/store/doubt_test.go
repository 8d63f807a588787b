package store_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/store"
)

// slow is a backend whose writes, once held, and settlements wait until they are released.
type slow struct {
	store.Backend
	held              atomic.Bool
	writing, settling chan struct{}
	write             chan struct{}
	settle            chan error
	over              chan struct{}
}

func (s *slow) Write(ctx context.Context, from store.Tip, w store.Writes) error {
	if s.held.Load() {
		s.writing <- struct{}{}
		<-s.write
	}
	return s.Backend.Write(ctx, from, w)
}

func (s *slow) Settle(ctx context.Context) (int64, error) {
	select {
	case s.settling <- struct{}{}:
		return 0, <-s.settle
	case <-s.over:
		return s.Backend.Settle(ctx)
	}
}

// busy is the caller's answer when the queue is full.
const busy = "We are very busy just now. Nothing was taken. Please try again shortly."

func TestWhatWasForeseenIsWrittenAlthoughTheBalancesCameInDoubt(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 100*money.Naira)
		backend := &slow{Backend: b.backend(), writing: make(chan struct{}), settling: make(chan struct{}), write: make(chan struct{}), settle: make(chan error), over: make(chan struct{})}
		var decided atomic.Pointer[chan struct{}]
		s := store.Open(backend, ledger.Aggregates(), store.Options{Settle: time.Millisecond, Queue: 1, Clock: func() time.Time {
			if heard := decided.Load(); heard != nil {
				*heard <- struct{}{}
			}
			return time.Now()
		}})
		paid := make(chan error, 2)
		pay := func() {
			_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
			paid <- err
		}
		pay() // Now the store has loaded all it needs.
		require.NoError(b, <-paid)
		before := b.head()

		heard := make(chan struct{})
		decided.Store(&heard)
		backend.held.Store(true)
		go pay()
		<-heard
		<-backend.writing
		go pay()
		<-heard // It is decided behind the write in flight.
		<-backend.settling
		backend.settle <- store.ErrUnsettled
		<-backend.settling // The store knows of the doubt.
		decided.Store(nil)
		given, cancel := context.WithCancel(context.Background())
		cancel()
		for taken := false; !taken; { // Until the queue is full: the appender has one command, and waits for the write.
			_, err := s.Append(given, command(uuid.New(), contribute("bisi", money.Naira)))
			taken = err.Error() == busy
		}
		backend.held.Store(false)
		backend.write <- struct{}{}
		for range 2 {
			require.NoError(b, <-paid)
		}
		backend.settle <- nil
		close(backend.over)
		s.Close()
		require.Equal(b, before+2, b.head(), "whoever was told yes is in the ledger, and nobody else")
		b.sound()
	})
}
