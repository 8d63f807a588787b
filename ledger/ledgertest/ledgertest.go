// Package ledgertest gives tests a real Postgres: one private server a test binary, one fresh schema a test.
package ledgertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/pgchild"
)

var (
	once    sync.Once
	server  *pgchild.Server
	failed  error
	schemas atomic.Int64
)

// Main runs a package's tests and stops the server that they shared: func TestMain(m *testing.M) { ledgertest.Main(m)
// }.
func Main(m *testing.M) {
	code := m.Run()
	if server != nil {
		server.Stop()
		_ = os.RemoveAll(dir)
	}
	os.Exit(code)
}

var dir string

// DSN answers a connection string whose search_path is a fresh schema.
func DSN(t testing.TB) string {
	t.Helper()
	once.Do(start)
	require.NoError(t, failed)
	schema := fmt.Sprintf("test_%d", schemas.Add(1))
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, server.URL("postgres"))
	require.NoError(t, err)
	defer pool.Close()
	_, err = pool.Exec(ctx, "CREATE SCHEMA "+schema)
	require.NoError(t, err)
	return server.URL("postgres") + "&search_path=" + schema
}

// Pool answers a pool whose search_path is a fresh schema; it closes with the test.
func Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	pool, err := open(DSN(t))
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return pool
}

func open(dsn string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 8
	return pgxpool.NewWithConfig(context.Background(), config)
}

func start() {
	if dir, failed = os.MkdirTemp("", "adashi-test-"); failed != nil {
		return
	}
	server, failed = pgchild.Start(context.Background(), pgchild.Options{
		Dir: filepath.Join(dir, "pg"),
		// Nothing here outlives the run, so the tests need not wait for the disk.
		Settings: map[string]string{"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "max_connections": "300", "autovacuum": "off"},
	})
}
