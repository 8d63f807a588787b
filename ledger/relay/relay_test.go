package relay_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/relay"
	"adashi.ng/ledger/store"
	"adashi.ng/ledger/wallet"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func setup(t *testing.T) (*pgxpool.Pool, *store.Store) {
	pool := ledgertest.Pool(t)
	require.NoError(t, store.Migrate(context.Background(), pool))
	s := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(s.Close)
	return pool, s
}

func start(t *testing.T, s *store.Store, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			id := uuid.New()
			_, err := s.Append(context.Background(), store.Command{ID: id, Actor: "t", Command: wallet.StartPayment{
				PaymentID: id.String(), User: "u", Channel: nairav1.Channel_CHANNEL_CARD, Amount: 1000 * money.Naira, ExpiresAt: time.Now(),
			}})
			require.NoError(t, err)
		})
	}
	wg.Wait()
}

// equal waits until the stream holds as many messages as the ledger has events, and compares each byte.
func equal(t *testing.T, pool *pgxpool.Pool, js jetstream.JetStream) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	records, err := store.Read(ctx, pool, 0, 100_000)
	require.NoError(t, err)
	stream := func() jetstream.Stream {
		for {
			if stream, err := js.Stream(ctx, relay.StreamName(1)); err == nil {
				return stream
			}
			require.NoError(t, ctx.Err())
		}
	}()
	for {
		info, err := stream.Info(ctx)
		require.NoError(t, err)
		if info.State.LastSeq >= uint64(len(records)) {
			require.Equal(t, uint64(len(records)), info.State.LastSeq)
			require.Equal(t, uint64(len(records)), info.State.Msgs)
			break
		}
	}
	for _, r := range records {
		msg, err := stream.GetMsg(ctx, uint64(r.Pos))
		require.NoError(t, err)
		require.Equal(t, r.Encode(), msg.Data)
	}
}

func run(t *testing.T, pool *pgxpool.Pool, js jetstream.JetStream, wake <-chan struct{}) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- relay.Run(ctx, pool, js, relay.Options{Wake: wake}) }()
	var once sync.Once
	stop = func() { once.Do(func() { cancel(); require.NoError(t, <-done) }) }
	t.Cleanup(stop)
	return stop
}

func TestTwoRelaysAtOnceLeaveTheStreamEqualToTheLedger(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	run(t, pool, js, s.Committed())
	run(t, pool, js, nil)
	start(t, s, 500)
	equal(t, pool, js)
}

// overtaken is a JetStream on which another relay publishes more before a relay that starts learns of the stream.
type overtaken struct {
	jetstream.JetStream
	meanwhile func()
}

func (o overtaken) Stream(ctx context.Context, name string) (jetstream.Stream, error) {
	o.meanwhile()
	return o.JetStream.Stream(ctx, name)
}

func TestARelayThatStartsWhileAnotherPublishesDoesNotThinkTheStreamAhead(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	run(t, pool, js, s.Committed())
	looked := make(chan struct{})
	stop := run(t, pool, overtaken{js, sync.OnceFunc(func() {
		start(t, s, 5)
		equal(t, pool, js)
		close(looked)
	})}, nil)
	<-looked
	start(t, s, 5)
	equal(t, pool, js)
	stop() // It fails when the relay did.
}

func TestAWipedStreamIsFilledAgain(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	run(t, pool, js, s.Committed())
	start(t, s, 50)
	equal(t, pool, js)
	// Once while nothing happens, once under way.
	for _, more := range []int{0, 50} {
		require.NoError(t, js.DeleteStream(context.Background(), relay.StreamName(1)))
		start(t, s, more)
		equal(t, pool, js)
	}
}

func TestAStreamAheadOfTheLedgerStopsTheRelay(t *testing.T) {
	t.Parallel()
	pool, _ := setup(t)
	_, js := ledgertest.NATS(t)
	_, err := relay.EnsureStream(context.Background(), js, 1, 1)
	require.NoError(t, err)
	_, err = js.Publish(context.Background(), relay.Subject(1, "payment:x"), []byte("from a lost future"))
	require.NoError(t, err)
	require.ErrorIs(t, relay.Run(context.Background(), pool, js, relay.Options{}), relay.ErrAhead)
}
