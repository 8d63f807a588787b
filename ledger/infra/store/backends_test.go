package store_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/sim"
)

// ground is a backend, with the views of it that a test wants and no store offers.
type ground interface {
	backend() store.Backend
	read(after int64, limit int) ([]event.Record, error)
	head() int64
	balance(account string) money.Kobo
	leaf(pos int64) [32]byte
	refused(command uuid.UUID) bool
	// holdLock takes the head's lock, so that nothing is appended.
	holdLock() (release func())
}

// everywhere runs a test on every backend: each must behave the same.
func everywhere(t *testing.T, test func(b *bench)) {
	t.Parallel()
	t.Run("Postgres", func(t *testing.T) { t.Parallel(); test(setup(t)) })
	t.Run("memory", func(t *testing.T) { t.Parallel(); test(inMemory(t)) })
}

// setup is a bench on Postgres, for tests of behaviour that only Postgres has.
func setup(t *testing.T) *bench {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, store.Migrate(context.Background(), pool))
	b := &bench{T: t, ground: onPostgres{t, pool}, pool: pool}
	b.store = b.open()
	return b
}

func inMemory(t *testing.T) *bench {
	b := &bench{T: t, ground: onMemory{sim.NewDisk()}}
	b.store = b.open()
	return b
}

type onPostgres struct {
	t    *testing.T
	pool *pgxpool.Pool
}

func (p onPostgres) backend() store.Backend { return store.Postgres(p.pool, 0) }

func (p onPostgres) read(after int64, limit int) ([]event.Record, error) {
	return history.Read(context.Background(), p.pool, after, limit)
}

func (p onPostgres) head() int64 {
	_, pos, err := history.Head(context.Background(), p.pool)
	require.NoError(p.t, err)
	return pos
}

func (p onPostgres) balance(account string) (kobo money.Kobo) {
	found, err := p.backend().Load(context.Background(), store.Need{Accounts: []string{account}, Now: true})
	require.NoError(p.t, err)
	return found.Balances[account]
}

func (p onPostgres) leaf(pos int64) [32]byte {
	var leaf []byte
	p.scan(&leaf, "SELECT leaf FROM events WHERE pos = $1", pos)
	return [32]byte(leaf)
}

func (p onPostgres) refused(command uuid.UUID) (yes bool) {
	p.scan(&yes, "SELECT EXISTS (SELECT FROM refusals WHERE command = $1)", command)
	return yes
}

func (p onPostgres) scan(into any, query string, args ...any) {
	require.NoError(p.t, p.pool.QueryRow(context.Background(), query, args...).Scan(into))
}

func (p onPostgres) holdLock() (release func()) {
	tx, err := p.pool.Begin(context.Background())
	require.NoError(p.t, err)
	_, err = tx.Exec(context.Background(), "SELECT FROM ledger_gate FOR UPDATE")
	require.NoError(p.t, err)
	return func() { require.NoError(p.t, tx.Rollback(context.Background())) }
}

type onMemory struct{ disk *sim.Disk }

func (m onMemory) backend() store.Backend { return m.disk.Backend(nil) }

func (m onMemory) read(after int64, limit int) ([]event.Record, error) {
	return m.disk.Read(after, limit)
}
func (m onMemory) head() int64                       { return m.disk.Head() }
func (m onMemory) balance(account string) money.Kobo { return m.disk.Balance(account) }
func (m onMemory) leaf(pos int64) [32]byte           { return m.disk.Leaf(pos) }
func (m onMemory) refused(command uuid.UUID) bool    { return m.disk.Refused(command) }
func (m onMemory) holdLock() (release func())        { return m.disk.HoldLock() }
