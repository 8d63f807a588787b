package store_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/store"
)

// held is a pool whose reads of snapshots, and of what they read with them, wait until they are released.
func held(b *bench) (reader *pgxpool.Pool, hold func() (waits func() bool, release func())) {
	ctx, key := context.Background(), rand.Int64()
	for _, statement := range []string{
		fmt.Sprintf(`CREATE FUNCTION hold() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
			IF current_setting('application_name') = 'reader' THEN PERFORM pg_advisory_xact_lock_shared(%d); END IF; RETURN true; END $$`, key),
		"ALTER TABLE snapshots RENAME TO snapshots_kept",
		"CREATE VIEW snapshots AS SELECT * FROM snapshots_kept WHERE hold()",
	} {
		_, err := b.pool.Exec(ctx, statement)
		require.NoError(b, err)
	}
	return b.named("reader"), func() (func() bool, func()) {
		conn, err := b.pool.Acquire(ctx)
		require.NoError(b, err)
		_, err = conn.Exec(ctx, "SELECT pg_advisory_lock($1)", key)
		require.NoError(b, err)
		waits := func() (yes bool) {
			err := conn.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND objsubid = 1 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
				AND (classid::bigint << 32) | objid::bigint = $1)`, key).Scan(&yes)
			require.NoError(b, err)
			return yes
		}
		return waits, func() {
			_, err := conn.Exec(ctx, "SELECT pg_advisory_unlock($1)", key)
			require.NoError(b, err)
			conn.Release()
		}
	}
}

// named is a pool whose connections have a name.
func (b *bench) named(name string) *pgxpool.Pool {
	config := b.pool.Config()
	config.ConnConfig.RuntimeParams["application_name"] = name
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	require.NoError(b, err)
	b.Cleanup(pool.Close)
	return pool
}

// TestAPartitionThatIsDetachedMeanwhileMakesNoStreamShorter detaches while a reader is between a stream's snapshot and
// its events.
func TestAPartitionThatIsDetachedMeanwhileMakesNoStreamShorter(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(b *bench, s *store.Store) int64{
		"a reader": func(b *bench, s *store.Store) int64 {
			state, err := s.Load(context.Background(), "dues:sub:bisi")
			require.NoError(b, err)
			return int64(state.(dues.State).Payments)
		},
		"an appender": func(b *bench, s *store.Store) int64 {
			result, err := s.Append(context.Background(), command(uuid.New(), contribute("bisi", money.Naira)))
			require.NoError(b, err)
			return result.Records[0].Version - 1
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := narrow(t)
			ctx := context.Background()
			b.store = store.Open(store.Postgres(b.pool, 40), ledger.Aggregates(), store.Options{Freeze: 10})
			t.Cleanup(b.store.Close)
			b.group("bisi")
			b.fund("bisi", 1000*money.Naira)
			b.fund("chidi", 1000*money.Naira)
			for range 15 {
				b.do(contribute("bisi", money.Naira))
			}
			for len(b.partitions()) < 3 { // So that the first partitions can go.
				b.fund("chidi", 100*money.Naira)
			}
			reader, hold := held(b)
			s := store.Open(store.Postgres(reader, 40), ledger.Aggregates(), store.Options{Settle: time.Hour})
			t.Cleanup(s.Close)
			waits, release := hold()
			got := make(chan int64, 1)
			go func() { got <- read(b, s) }()
			require.Eventually(t, waits, time.Minute, time.Millisecond)

			detached, detacher := make(chan error, 1), uuid.NewString()
			go func() {
				detached <- store.Detach(ctx, b.named(detacher), ledger.Aggregates(), "events_000001", nil)
			}()
			over := false
			require.Eventually(t, func() bool { // It is done, or waits for the reader.
				select {
				case err := <-detached:
					over = true
					require.NoError(t, err)
				default:
				}
				var blocked bool
				require.NoError(t, b.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock')", detacher).Scan(&blocked))
				return over || blocked
			}, time.Minute, time.Millisecond)
			release()
			require.EqualValues(t, 15, <-got)
			if !over {
				require.NoError(t, <-detached)
			}
		})
	}
}

func TestAStreamThatIsArchivedWholeWithoutASnapshotOfItsFoldIsNotTakenForEmpty(t *testing.T) {
	t.Parallel()
	b := narrow(t)
	ctx := context.Background()
	b.group("bisi", "chidi")
	b.fund("bisi", 1000*money.Naira)
	b.fund("chidi", 1000*money.Naira)
	b.do(contribute("chidi", money.Naira))
	for len(b.partitions()) < 3 {
		b.do(contribute("bisi", money.Naira))
	}
	require.NoError(t, store.Detach(ctx, b.pool, ledger.Aggregates(), "events_000001", nil))

	newer := ledger.Aggregates()
	for i := range newer {
		if newer[i].Category == "dues" {
			newer[i].Fold++
		}
	}
	s := store.Open(store.Postgres(b.pool, 40), newer, store.Options{})
	t.Cleanup(s.Close)
	for _, user := range []string{"chidi", "bisi"} {
		_, err := s.Append(ctx, command(uuid.New(), contribute(user, money.Naira)))
		require.True(t, fault.Is(err, fault.Unavailable), "%s: %v", user, err)
		require.ErrorContains(t, err, "archived")
		_, err = s.DryRun(ctx, contribute(user, money.Naira))
		require.ErrorContains(t, err, "archived", user)
		_, err = s.Load(ctx, "dues:sub:"+user)
		require.ErrorContains(t, err, "archived", user)
	}
	require.NoError(t, store.Attach(ctx, b.pool, "events_000001"))
	for _, user := range []string{"chidi", "bisi"} { // The same process, once it is back.
		_, err := s.Append(ctx, command(uuid.New(), contribute(user, money.Naira)))
		require.NoError(t, err)
	}
	b.sound()
}
