package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/store"
)

// mute is a backend whose commits, once held, are not answered, whether or not they are written.
type mute struct {
	store.Backend
	held, writes atomic.Bool
	writing      chan struct{}
	write        chan struct{}
}

func (m *mute) Write(ctx context.Context, from store.Tip, w store.Writes) error {
	if !m.held.Load() {
		return m.Backend.Write(ctx, from, w)
	}
	m.writing <- struct{}{}
	<-m.write
	if m.writes.Load() {
		return errors.Join(store.ErrUnanswered, m.Backend.Write(ctx, from, w))
	}
	return store.ErrUnanswered
}

func TestACommitInDoubtWhileNobodyCanAppendIsToldOfSoonAndKeepsNobodyWaiting(t *testing.T) {
	for _, written := range []bool{true, false} {
		t.Run(fmt.Sprint("written ", written), func(t *testing.T) {
			everywhere(t, func(b *bench) { inDoubt(b, written) })
		})
	}
}

func inDoubt(b *bench, written bool) {
	b.group("bisi")
	b.fund("bisi", 100*money.Naira)
	backend := &mute{Backend: b.backend(), writing: make(chan struct{}), write: make(chan struct{})}
	backend.writes.Store(written)
	var decided atomic.Pointer[chan struct{}]
	s := store.Open(backend, ledger.Aggregates(), store.Options{Settle: time.Hour, Clock: func() time.Time {
		if heard := decided.Load(); heard != nil {
			*heard <- struct{}{}
		}
		return time.Now()
	}})
	b.Cleanup(s.Close)
	pay := func(id uuid.UUID) (chan error, chan bool) {
		answer, repeated := make(chan error, 1), make(chan bool, 1)
		go func() {
			result, err := s.Append(context.Background(), command(id, contribute("bisi", money.Naira)))
			repeated <- result.Repeated
			answer <- err
		}()
		return answer, repeated
	}
	soon := func(answer chan error) error {
		select {
		case err := <-answer:
			return err
		case <-time.After(time.Minute):
			b.Fatal("a caller is kept waiting")
			return nil
		}
	}
	known, _ := pay(uuid.New()) // Now the store has loaded all it needs.
	require.NoError(b, soon(known))
	heard := make(chan struct{})
	decided.Store(&heard)
	backend.held.Store(true)
	first, second := uuid.New(), uuid.New()
	doubtful, _ := pay(first)
	<-heard
	<-backend.writing
	behind, _ := pay(second)
	<-heard // It is decided behind the write in flight.
	decided.Store(nil)
	var release func()
	if written {
		backend.write <- struct{}{}
		require.NoError(b, soon(doubtful), "it is looked up as long as that can be done")
		require.NoError(b, soon(behind))
		release = func() {}
	} else {
		release = b.holdLock()
		backend.write <- struct{}{}
		require.ErrorIs(b, soon(doubtful), store.ErrUnknown)
		err := soon(behind)
		require.True(b, fault.Is(err, fault.Unavailable) && !errors.Is(err, store.ErrUnknown), "nothing of it was sent: %v", err)
		state, err := s.Load(context.Background(), "dues:sub:bisi")
		require.NoError(b, err, "reading goes on")
		require.EqualValues(b, 1, state.(dues.State).Payments)
	}
	backend.held.Store(false)
	release()
	for _, id := range []uuid.UUID{first, second} {
		answer, repeated := pay(id)
		require.NoError(b, soon(answer))
		require.Equal(b, written, <-repeated)
	}
	require.Equal(b, 97*money.Naira, b.balance("wallet:bisi"), "each is paid once")
	b.sound()
}
