package store_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/store"
)

// The number of rows read for a stream does not grow with its history, even if the statement was planned early on.
func TestAStreamIsReadFromItsSnapshotOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.store = b.openWith(store.Options{Freeze: 16})
	b.group("bisi", "chidi")
	b.fund("bisi", 9000*money.Naira)
	for range 20 {
		b.do(contribute("bisi", money.Naira))
	}
	planned := b.conn()
	for _, statement := range []string{"ANALYZE events, snapshots", store.ByKey, "PREPARE streams(text[], int[]) AS " + store.SelectStreams, "EXECUTE streams('{}', '{}')"} {
		_, err := planned.Exec(context.Background(), statement)
		require.NoError(t, err)
	}
	for range 100 {
		b.do(contribute("bisi", money.Naira))
	}
	ctx := context.Background()
	var stream string
	var fold int32
	var after, events int64
	require.NoError(t, b.pool.QueryRow(ctx, `SELECT s.stream, s.fold, s.version, count(*) FROM snapshots s JOIN events e USING (stream)
		GROUP BY 1, 2, 3 ORDER BY 4 DESC LIMIT 1`).Scan(&stream, &fold, &after, &events))
	require.Greater(t, after, int64(90))

	explained := func(conn *pgx.Conn, statement string, args ...any) {
		rows, err := conn.Query(ctx, "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) "+statement, args...)
		require.NoError(t, err)
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		require.NotContains(t, strings.Join(plan, "\n"), "Removed", "what is not asked for was read")
	}
	explained(planned, fmt.Sprintf("EXECUTE streams('{%s}', '{%d}')", stream, fold))

	_, err := b.pool.Exec(ctx, "ANALYZE events, snapshots")
	require.NoError(t, err)
	conn := b.conn()
	_, err = conn.Exec(ctx, store.ByKey)
	require.NoError(t, err)
	rows, err := conn.Query(ctx, store.SelectStreams, []string{stream}, []int32{fold})
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (pos int64, err error) {
		return pos, row.Scan(&pos, nil, nil, nil, nil, nil, nil, nil)
	})
	require.NoError(t, err)
	require.Len(t, found, 1+int(events-after))
	explained(conn, store.SelectStreams, []string{stream}, []int32{fold})
}
