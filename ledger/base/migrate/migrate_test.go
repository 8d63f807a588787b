package migrate_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/ledgertest"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

func TestAnOlderBuildLeavesANewerDatabaseAlone(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	older := fstest.MapFS{"00001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE a (n int);")}}
	newer := fstest.MapFS{"00001_a.sql": older["00001_a.sql"], "00002_b.sql": {Data: []byte("-- +goose Up\nCREATE TABLE b (n int);")}}
	require.NoError(t, migrate.Up(ctx, pool, older, "goose_some"))
	require.NoError(t, migrate.Up(ctx, pool, newer, "goose_some"))
	require.NoError(t, migrate.Up(ctx, pool, newer, "goose_some"), "twice is once")
	err := migrate.Up(ctx, pool, older, "goose_some")
	require.EqualError(t, err, "migrate goose_some: the database is at version 2 and this build of Adashi knows only 1: run the newer build. Nothing was changed")
}

func TestAMigrationThatFailsHalfWayLeavesNothing(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	broken := fstest.MapFS{"00001_a.sql": {Data: []byte("-- +goose Up\nCREATE TABLE a (n int);\nCREATE TABLE a (n int);")}}
	require.Error(t, migrate.Up(ctx, pool, broken, "goose_some"))
	var there bool
	require.NoError(t, pool.QueryRow(ctx, "SELECT to_regclass('a') IS NOT NULL").Scan(&there))
	require.False(t, there)
}
