package store_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// narrow is a ledger whose partitions hold 40 positions each.
func narrow(t *testing.T) *bench {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, store.Migrate(context.Background(), pool))
	s := store.Open(store.Postgres(pool, 40), ledger.Aggregates(), store.Options{Batch: 7})
	t.Cleanup(s.Close)
	return &bench{T: t, ground: onPostgres{t, pool}, pool: pool, store: s}
}

func (b *bench) partitions() []history.Partition {
	b.Helper()
	all, err := history.Partitions(context.Background(), b.pool)
	require.NoError(b, err)
	return all
}

func TestEventsGoOnFromPartitionToPartition(t *testing.T) {
	t.Parallel()
	b := narrow(t)
	b.group("bisi")
	b.fund("bisi", 1000*money.Naira)
	other := store.Open(store.Postgres(b.pool, 40), ledger.Aggregates(), store.Options{})
	t.Cleanup(other.Close)
	for i := range 120 {
		s := []*store.Store{b.store, other}[i/3%2]
		_, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
		require.NoError(t, err)
	}
	all := b.partitions()
	require.GreaterOrEqual(t, len(all), 4, "and perhaps one ahead")
	for i, p := range all {
		require.Equal(t, history.Partition{Name: fmt.Sprintf("events_%06d", i+1), From: int64(40*i + 1), To: int64(40*i + 41), Attached: true, Present: true}, p)
	}
	b.sound()
}

// reading is a session that has read the events and whose transaction is still open.
func (b *bench) reading() pgx.Tx {
	b.Helper()
	tx, err := b.pool.Begin(context.Background())
	require.NoError(b, err)
	b.Cleanup(func() { _ = tx.Rollback(context.Background()) })
	_, err = tx.Exec(context.Background(), "SELECT FROM events WHERE pos = 1")
	require.NoError(b, err)
	return tx
}

// attachingWaits returns once attaching a partition waits for readers of the events.
func (b *bench) attachingWaits() {
	b.Helper()
	require.Eventually(b, func() bool {
		var waits bool
		err := b.pool.QueryRow(context.Background(), "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'events'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted)").Scan(&waits)
		return err == nil && waits
	}, 10*time.Second, time.Millisecond)
}

// A session that lists the partitions while one is being attached might never see the new one.
func TestAPartitionIsAttachedWhileNobodyReads(t *testing.T) {
	t.Parallel()
	b, ctx := narrow(t), context.Background()
	reader := b.reading()
	given := make(chan error)
	go func() {
		_, err := b.store.Append(ctx, command(uuid.New(), ledgertest.Raw{event.On("payment:p", &nairav1.PaymentConfirmedV2{PaymentId: "p", UserId: "bisi", Provider: string(event.Vfd), AmountKobo: 100, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER})}))
		given <- err
	}()
	b.attachingWaits()
	require.NoError(t, reader.Commit(ctx))
	require.NoError(t, <-given)
	var head int64
	require.NoError(t, reader.Conn().QueryRow(ctx, "SELECT max(pos) FROM events").Scan(&head))
	require.EqualValues(t, 1, head)
}

// One process appends under the lock, for which it has read the events, while another makes the partition ahead.
func TestWhoHasReadTheEventsMakesAPartitionBeforeWhoWaitsToMakeOne(t *testing.T) {
	t.Parallel()
	b, ctx := narrow(t), context.Background()
	const extend = "SELECT ledger_extend(1, 40)"
	first := b.reading()
	made := make(chan error)
	go func() {
		_, err := b.pool.Exec(ctx, extend)
		made <- err
	}()
	b.attachingWaits()
	_, err := first.Exec(ctx, extend)
	require.NoError(t, err)
	require.NoError(t, first.Commit(ctx))
	require.NoError(t, <-made)
	require.Len(t, b.partitions(), 1)
}

func TestThePartitionThatWillBeNeededIsMadeAhead(t *testing.T) {
	t.Parallel()
	b := narrow(t)
	b.group("bisi")
	b.fund("bisi", 1000*money.Naira)
	for b.do(contribute("bisi", money.Naira)).Position() <= 20 {
	}
	require.Eventually(t, func() bool { return len(b.partitions()) == 2 }, 10*time.Second, 10*time.Millisecond)
	b.reading()
	for range 50 { // None of these waits for the reader.
		b.do(contribute("bisi", money.Naira))
	}
	require.Len(t, b.partitions(), 2)
	b.sound()
}

func TestArchivedPartitionsLeaveTheLedgerWorkingAndComeBack(t *testing.T) {
	t.Parallel()
	b := narrow(t)
	ctx := context.Background()
	b.group("bisi", "chidi")
	b.fund("bisi", 1000*money.Naira)
	first := command(uuid.New(), contribute("bisi", money.Naira))
	_, err := b.store.Append(ctx, first)
	require.NoError(t, err)
	for range 100 {
		b.do(contribute("bisi", money.Naira))
	}
	require.ErrorContains(t, store.Detach(ctx, b.pool, ledger.Aggregates(), "events_000002", nil), "detach events_000001 first")
	before, err := history.Read(ctx, b.pool, 0, 1000)
	require.NoError(t, err)
	for _, name := range []string{"events_000001", "events_000002"} {
		require.NoError(t, store.Detach(ctx, b.pool, ledger.Aggregates(), name, nil))
	}
	require.ErrorContains(t, store.Detach(ctx, b.pool, ledger.Aggregates(), "events_000003", nil), "still written to")
	for _, statement := range []string{"UPDATE events_000001 SET actor = 'x'", "DELETE FROM events_000001", "TRUNCATE events_000001"} {
		_, err := b.pool.Exec(ctx, statement)
		require.ErrorContains(t, err, "never changed or removed", statement)
	}

	// A process that has just started decides on the remaining events.
	fresh := b.open()
	result, err := fresh.Append(ctx, command(uuid.New(), contribute("bisi", money.Naira)))
	require.NoError(t, err)
	require.EqualValues(t, 102, result.Records[0].Version)
	_, err = fresh.Append(ctx, first)
	require.True(t, fault.Is(err, fault.Conflict), "done before, and archived: %v", err)
	var archived *history.ArchivedError
	_, err = history.Read(ctx, b.pool, 0, 10)
	require.ErrorAs(t, err, &archived)
	require.Equal(t, history.ArchivedError{From: 1, To: 80}, *archived)
	_, err = history.ReadFew(ctx, b.pool, 0, 10)
	require.ErrorAs(t, err, &archived)
	for _, limit := range []int{1, 10} { // Whether or not the search reaches beyond the archived events.
		_, _, err = history.Source(b.pool)(ctx, 0, limit, []string{"naira.v1.HoldPlaced"})
		require.ErrorAs(t, err, &archived)
		require.Equal(t, history.ArchivedError{From: 1, To: 80}, *archived)
	}

	require.ErrorContains(t, store.Attach(ctx, b.pool, "events_000001"), "attach events_000002 first")
	require.NoError(t, store.Attach(ctx, b.pool, "events_000002"))
	require.NoError(t, store.Attach(ctx, b.pool, "events_000001"))
	after, err := history.Read(ctx, b.pool, 0, len(before))
	require.NoError(t, err)
	require.Equal(t, before, after)
	const contributed = "naira.v1.ContributionReceived"
	others, through, err := history.Source(b.pool)(ctx, 0, 3, []string{contributed})
	require.NoError(t, err)
	require.Equal(t, slices.DeleteFunc(slices.Clone(before), func(r event.Record) bool { return r.Type == contributed })[:3], others)
	require.Equal(t, others[2].Pos, through)
	again, err := b.open().Append(ctx, first)
	require.NoError(t, err)
	require.True(t, again.Repeated)
	b.sound()
}

func TestALongStreamIsFoldedFromItsSnapshot(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		for range 300 {
			b.do(contribute("bisi", money.Naira))
		}
		found, err := b.backend().Load(context.Background(), store.Need{Streams: []string{"dues:sub:bisi"}, Folds: []int32{dues.Aggregate.Fold}})
		require.NoError(b, err)
		require.Len(b, found.Snapshots, 1)
		require.EqualValues(b, 256, found.Snapshots[0].Version)
		require.Len(b, found.Events, 44)
		state, err := b.open().Load(context.Background(), "dues:sub:bisi")
		require.NoError(b, err)
		require.Equal(b, dues.State{Total: 300 * money.Naira, Payments: 300, Judged: savings.Day(found.Events[43].EffectiveAt)}, state)
	})
}

func TestASnapshotOfAnotherFoldIsNotUsed(t *testing.T) {
	everywhere(t, func(b *bench) {
		b.group("bisi")
		b.fund("bisi", 1000*money.Naira)
		b.do(contribute("bisi", money.Naira))
		tx, _, err := b.backend().Lock(context.Background(), store.Need{})
		require.NoError(b, err)
		require.NoError(b, tx.Commit(context.Background(), store.Writes{Snapshots: []store.Snapshot{{Stream: "dues:sub:bisi", Fold: 99, Version: 1, State: []byte(`{"Total": 7}`)}}}))
		_, err = b.open().Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
		require.NoError(b, err)
		b.sound()
	})
}
