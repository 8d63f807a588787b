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

// A ledger of ten million events has a stream's few in thousandths of a second by their index, and in many seconds
// without.
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
