package pgchild_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/pgchild"
)

func TestServerKeepsItsDataBetweenStarts(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	dir := t.TempDir()
	for start := range 2 {
		server, err := pgchild.Start(ctx, pgchild.Options{Dir: dir})
		require.NoError(t, err)
		_, err = pgchild.Start(ctx, pgchild.Options{Dir: dir})
		require.ErrorIs(t, err, pgchild.ErrInUse)
		url, err := pgchild.Running(dir, "postgres")
		require.NoError(t, err)
		require.Equal(t, server.URL("postgres"), url)
		conn, err := pgx.Connect(ctx, server.URL("postgres"))
		require.NoError(t, err)
		if start == 0 {
			_, err = conn.Exec(ctx, "CREATE TABLE kept AS SELECT 7 AS n")
			require.NoError(t, err)
		}
		var n int
		require.NoError(t, conn.QueryRow(ctx, "SELECT n FROM kept").Scan(&n))
		require.Equal(t, 7, n)
		require.NoError(t, conn.Close(ctx))
		server.Stop()
		_, err = pgchild.Running(dir, "postgres")
		require.Error(t, err)
	}
}
