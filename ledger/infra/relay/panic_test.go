package relay_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/sim"
)

// startled is a source that panics the first time it is asked for each thing.
type startled struct {
	relay.Source
	asked, read atomic.Bool
}

func (s *startled) Head(ctx context.Context) (relay.Head, error) {
	if !s.asked.Swap(true) {
		panic("the head")
	}
	return s.Source.Head(ctx)
}

func (s *startled) Read(ctx context.Context, after int64, limit int) ([]event.Record, error) {
	if !s.read.Swap(true) {
		panic("a read")
	}
	return s.Source.Read(ctx, after, limit)
}

func TestAPanicOnTheWayHasTheRelayStartOver(t *testing.T) {
	t.Parallel()
	disk, bus := sim.NewDisk(), sim.NewBus()
	s := store.Open(disk.Backend(nil), ledger.Aggregates(), store.Options{})
	t.Cleanup(s.Close)
	_, err := s.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "bisi", Command: account.PasswordTried("bisi")})
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() { over <- relay.Relay(ctx, &startled{Source: disk.Source(nil)}, bus.Log(nil), relay.Options{}) }()
	require.Eventually(t, func() bool {
		tail, err := bus.Log(nil).Last(ctx, 1, 1)
		return err == nil && tail.Pos == 1
	}, time.Minute, 10*time.Millisecond)
	cancel()
	require.NoError(t, <-over)
}
