package history_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// In a ledger of ten million events the index finds a stream's few events in milliseconds; without it that takes many
// seconds.
func TestAStreamIsReadByItsIndexInOrderAndUpToAPosition(t *testing.T) {
	ctx, pool := context.Background(), ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	s := store.Open(store.Postgres(pool, 2), ledger.Aggregates(), store.Options{}) // Two positions a partition.
	defer s.Close()
	for n := range 6 {
		user := fmt.Sprint("user", n%2)
		_, err := s.Append(ctx, store.Command{ID: uuid.New(), Actor: "tester", Command: ledgertest.Raw{
			event.On("account:"+user, &nairav1.PasswordTried{UserId: user}),
		}})
		require.NoError(t, err)
	}
	read := func(to int64, limit int) (positions []int64) {
		records, err := history.ReadStream(ctx, pool, "account:user1", to, limit)
		require.NoError(t, err)
		for i, r := range records {
			require.EqualValues(t, i+1, r.Version)
			positions = append(positions, r.Pos)
		}
		return positions
	}
	require.Equal(t, []int64{2, 4, 6}, read(9, 9))
	require.Equal(t, []int64{2, 4}, read(5, 9))
	require.Equal(t, []int64{2}, read(9, 1))
	last := func(typ string, streams ...string) int64 {
		pos, err := history.LastOf(ctx, pool, streams, []string{typ})
		require.NoError(t, err)
		return pos
	}
	require.EqualValues(t, 5, last("naira.v1.PasswordTried", "account:nobody", "account:user0"))
	require.EqualValues(t, 6, last("naira.v1.PasswordTried", "account:user1", "account:user0"))
	require.Zero(t, last("naira.v1.TierSet", "account:user1"))
	require.Zero(t, last("naira.v1.PasswordTried"))

	tx, err := pool.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	_, err = tx.Exec(ctx, "SET LOCAL enable_seqscan = off") // The table is small.
	require.NoError(t, err)
	rows, err := tx.Query(ctx, "EXPLAIN "+history.SelectStream, "account:user1", 9, 9)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Contains(t, strings.Join(plan, "\n"), "_streams", "by the index of streams")
}

func TestACommandIsMadeWholeFromAnyOfItsEvents(t *testing.T) {
	ctx, pool := context.Background(), ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	s := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	defer s.Close()
	for range 3 { // Positions 1 to 3, 4 to 6 and 7 to 9.
		var command ledgertest.Raw
		for _, user := range []string{"ada", "bisi", "chidi"} {
			command = append(command, event.On("account:"+user, &nairav1.PasswordTried{UserId: user}))
		}
		_, err := s.Append(ctx, store.Command{ID: uuid.New(), Actor: "tester", Command: command})
		require.NoError(t, err)
	}
	for from, want := range map[int64][]int64{4: {4, 5, 6}, 5: {4, 5, 6}, 6: {4, 5, 6}, 9: {7, 8, 9}} {
		records, err := history.ReadAt(ctx, pool, []int64{from})
		require.NoError(t, err)
		whole, err := history.Whole(ctx, pool, records, 9)
		require.NoError(t, err)
		var positions []int64
		for _, r := range whole {
			positions = append(positions, r.Pos)
		}
		require.Equal(t, want, positions, "from position %d", from)
	}
}
