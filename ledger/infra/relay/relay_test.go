package relay_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
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
			_, err := s.Append(context.Background(), payment())
			require.NoError(t, err)
		})
	}
	wg.Wait()
}

func payment() store.Command {
	id := uuid.New()
	return store.Command{ID: id, Actor: "t", Command: wallet.StartPayment{
		PaymentID: id.String(), User: "u", Channel: nairav1.Channel_CHANNEL_CARD, Provider: event.Paystack, Tariff: wallet.CardTariff, Amount: 1000 * money.Naira, ExpiresAt: time.Now(),
	}}
}

// equal waits until the stream holds as many messages as the ledger has events, and compares each byte.
func equal(t *testing.T, pool *pgxpool.Pool, js jetstream.JetStream) {
	t.Helper()
	equalIn(t, pool, js, 1)
}

func equalIn(t *testing.T, pool *pgxpool.Pool, js jetstream.JetStream, epoch int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	records, err := history.Read(ctx, pool, 0, 100_000)
	require.NoError(t, err)
	stream := func() jetstream.Stream {
		for {
			if stream, err := js.Stream(ctx, relay.StreamName(epoch)); err == nil {
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
	same(t, stream, records)
}

// same compares each record's bytes with its message.
func same(t *testing.T, stream jetstream.Stream, records []event.Record) {
	t.Helper()
	for i := range records {
		msg, err := stream.GetMsg(context.Background(), uint64(records[i].Pos))
		require.NoError(t, err)
		require.Equal(t, records[i].Encode(), msg.Data)
	}
}

func run(t *testing.T, pool *pgxpool.Pool, js jetstream.JetStream, wake <-chan struct{}) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- relay.Run(ctx, pool, js, relay.Options{Wake: wake, Clock: time.Now}) }()
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

// lose puts the ledger back to a position, as a restore does.
func lose(t *testing.T, pool *pgxpool.Pool, to int64) {
	t.Helper()
	for _, statement := range []string{
		"ALTER TABLE events DISABLE TRIGGER USER",
		"DO $$ DECLARE p record; BEGIN FOR p IN SELECT name FROM ledger_partitions LOOP EXECUTE format('ALTER TABLE %I DISABLE TRIGGER USER', p.name); END LOOP; END $$",
		fmt.Sprint("DELETE FROM events WHERE pos > ", to),
		fmt.Sprint("DELETE FROM commands WHERE pos > ", to),
		fmt.Sprint("UPDATE ledger_settled SET pos = least(pos, ", to, ")"),
	} {
		_, err := pool.Exec(context.Background(), statement)
		require.NoError(t, err)
	}
}

// parts waits until appends are stopped and answers what was seen.
func parts(t *testing.T, pool *pgxpool.Pool, s *store.Store) history.Parting {
	t.Helper()
	var seen history.Parting
	require.Eventually(t, func() bool {
		p, parted, err := history.Parted(context.Background(), pool)
		seen = p
		return err == nil && parted
	}, time.Minute, 5*time.Millisecond)
	_, err := s.Append(context.Background(), payment())
	require.ErrorContains(t, err, "put back to an earlier time")
	return seen
}

// raise does what an operator does then.
func raise(t *testing.T, pool *pgxpool.Pool, p history.Parting) {
	t.Helper()
	epoch, _, err := history.Head(context.Background(), pool)
	require.NoError(t, err)
	did, err := history.RaiseEpoch(context.Background(), pool, epoch, history.Epoch{Number: p.Next, From: p.From, StreamLast: p.StreamLast, Reason: "a backup was restored", RaisedAt: time.Now()})
	require.NoError(t, err)
	require.True(t, did)
}

func TestAStreamAheadOfTheLedgerStopsAppendsUntilTheEpochIsRaised(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	stop := run(t, pool, js, s.Committed())
	start(t, s, 50)
	equal(t, pool, js)
	stop()
	lose(t, pool, 30)
	run(t, pool, js, nil)
	run(t, pool, js, s.Committed())
	seen := parts(t, pool, s)
	require.Equal(t, [3]int64{30, 50, 2}, [3]int64{seen.From, seen.StreamLast, int64(seen.Next)})
	_, err := pool.Exec(context.Background(), "UPDATE ledger_gate SET parted = ''")
	require.NoError(t, err)
	require.Equal(t, seen.From, parts(t, pool, s).From, "that somebody cleared it changes nothing")
	raise(t, pool, seen)
	equalIn(t, pool, js, 2)
	start(t, s, 40)
	equalIn(t, pool, js, 2)
	old, err := js.Stream(context.Background(), relay.StreamName(1))
	require.NoError(t, err)
	require.EqualValues(t, 50, old.CachedInfo().State.LastSeq, "what was lost can still be read there")
	_, parted, err := history.Parted(context.Background(), pool)
	require.NoError(t, err)
	require.False(t, parted)
}

// A process that is about to append looks itself, before any relay runs.
func TestALedgerThatIsBehindItsStreamIsNotedBeforeAnythingIsAppended(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	parted, err := relay.Agree(ctx, pool, js, time.Now)
	require.NoError(t, err)
	require.False(t, parted, "there is no stream yet")
	stop := run(t, pool, js, s.Committed())
	start(t, s, 50)
	equal(t, pool, js)
	stop()
	parted, err = relay.Agree(ctx, pool, js, time.Now)
	require.NoError(t, err)
	require.False(t, parted)
	lose(t, pool, 30)
	parted, err = relay.Agree(ctx, pool, js, time.Now)
	require.NoError(t, err)
	require.True(t, parted)
	require.EqualValues(t, 30, parts(t, pool, s).From)
}

// An epoch begins where histories part, and not where the ledger stood when that was noticed.
func TestALedgerThatHasGrownPastTheStreamSinceARestorePartsWhereItWasRestored(t *testing.T) {
	t.Parallel()
	for _, to := range []int64{0, 1, 30, 49} {
		pool, s := setup(t)
		_, js := ledgertest.NATS(t)
		stop := run(t, pool, js, s.Committed())
		start(t, s, 50)
		equal(t, pool, js)
		stop()
		lose(t, pool, to)
		start(t, s, 60) // Position 50 is another event now, and the stream is behind.
		run(t, pool, js, nil)
		seen := parts(t, pool, s)
		require.Equal(t, [2]int64{to, 50}, [2]int64{seen.From, seen.StreamLast})
		raise(t, pool, seen)
		equalIn(t, pool, js, 2)
	}
}

func TestARestoreUnderARunningRelayIsNoticed(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	run(t, pool, js, nil)
	start(t, s, 50)
	equal(t, pool, js)
	lose(t, pool, 30)
	raise(t, pool, parts(t, pool, s))
	start(t, s, 60)
	equalIn(t, pool, js, 2)
}

func TestAnEpochThatHasAStreamAlreadyIsPassedOver(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	stop := run(t, pool, js, s.Committed())
	start(t, s, 50)
	equal(t, pool, js)
	stop()
	lose(t, pool, 30)
	// Epoch 2 began and was lost by a restore to before it.
	_, err := relay.EnsureStream(context.Background(), js, 2, 1)
	require.NoError(t, err)
	run(t, pool, js, nil)
	seen := parts(t, pool, s)
	require.Equal(t, [2]int64{30, 3}, [2]int64{seen.From, int64(seen.Next)})
	raise(t, pool, seen)
	equalIn(t, pool, js, 3)
}

func TestANewStreamBeginsAtTheFirstPositionThatIsNotArchived(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	pool := ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	s := store.Open(store.Postgres(pool, 40), ledger.Aggregates(), store.Options{})
	t.Cleanup(s.Close)
	_, js := ledgertest.NATS(t)
	stop := run(t, pool, js, s.Committed())
	start(t, s, 100)
	equal(t, pool, js)
	require.NoError(t, store.Detach(ctx, pool, ledger.Aggregates(), "events_000001", nil))
	stop()
	require.NoError(t, js.DeleteStream(ctx, relay.StreamName(1)))
	run(t, pool, js, s.Committed())
	start(t, s, 10)
	stream, err := relay.CurrentStream(ctx, pool, js, 1)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		info, err := stream.Info(ctx)
		return err == nil && info.State.LastSeq == 110
	}, time.Minute, 5*time.Millisecond)
	require.EqualValues(t, 41, stream.CachedInfo().State.FirstSeq)
	records, err := history.Read(ctx, pool, 40, 1000)
	require.NoError(t, err)
	require.Len(t, records, 70)
	same(t, stream, records)
}

func TestTwoRelaysAndTwentyKillsOfTheLeaderLeaveTheStreamEqualToTheLedger(t *testing.T) {
	t.Parallel()
	pool, s := setup(t)
	_, js := ledgertest.NATS(t)
	var stops [2]func()
	leader := make(chan int, 1)
	for i := range stops {
		stops[i] = run(t, pool, publishing{js, i, leader}, nil)
	}
	var load sync.WaitGroup
	for range 20 {
		select {
		case <-leader: // Of the round before.
		default:
		}
		load.Go(func() { start(t, s, 100) })
		select {
		case i := <-leader: // In the middle of a batch.
			stops[i]()
			stops[i] = run(t, pool, publishing{js, i, leader}, nil)
		case <-time.After(20 * time.Second):
			t.Fatal("no relay published")
		}
	}
	load.Wait()
	equal(t, pool, js)
	_, parted, err := history.Parted(context.Background(), pool)
	require.NoError(t, err)
	require.False(t, parted, "no relay took a kill for a restore")
}

// publishing tells which relay has sent a message whose answer is not there yet.
type publishing struct {
	jetstream.JetStream
	relay  int
	leader chan<- int
}

func (p publishing) PublishMsgAsync(msg *nats.Msg, opts ...jetstream.PublishOpt) (jetstream.PubAckFuture, error) {
	ack, err := p.JetStream.PublishMsgAsync(msg, opts...)
	select {
	case p.leader <- p.relay:
	default:
	}
	return ack, err
}
