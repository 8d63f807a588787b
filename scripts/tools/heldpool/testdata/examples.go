package apart

import (
	"context"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type House struct {
	pool  *pgxpool.Pool
	names interface {
		name(ctx context.Context, id string) (string, error)
	}
}

// db is implemented by a pool and a transaction.
type db interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

func one(ctx context.Context, on db) (n int, err error) {
	err = on.QueryRow(ctx, "SELECT 1").Scan(&n)
	return n, err
}

type fromPool struct{ pool *pgxpool.Pool }

func (f fromPool) name(ctx context.Context, _ string) (name string, err error) {
	err = f.pool.QueryRow(ctx, "SELECT 'a'").Scan(&name)
	return name, err
}

func NewHouse(pool *pgxpool.Pool) *House { return &House{pool, fromPool{pool}} }

func (h *House) InTransaction(ctx context.Context) error {
	return pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error { // want
		if _, err := one(ctx, tx); err != nil {
			return err
		}
		_, err := one(ctx, h.pool)
		return err
	})
}

func (h *House) ThroughAnInterface(ctx context.Context) error {
	return pgx.BeginFunc(ctx, h.pool, func(pgx.Tx) error { // want
		_, err := h.names.name(ctx, "a")
		return err
	})
}

func (h *House) OpenRows(ctx context.Context) error {
	rows, err := h.pool.Query(ctx, "SELECT 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if _, err := one(ctx, h.pool); err != nil { // want
			return err
		}
	}
	_, err = one(ctx, h.pool) // The rows ended.
	return err
}

func (h *House) ScannedRows(ctx context.Context) error {
	rows, err := h.pool.Query(ctx, "SELECT 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n int
		if err := rows.Scan(&n); err != nil {
			return err
		}
		if _, err := one(ctx, h.pool); err != nil { // want
			return err
		}
	}
	return rows.Err()
}

func (h *House) ForEachRow(ctx context.Context) error {
	rows, err := h.pool.Query(ctx, "SELECT 1")
	if err != nil {
		return err
	}
	_, err = pgx.ForEachRow(rows, nil, func() error { // want
		_, err := one(ctx, h.pool)
		return err
	})
	return err
}

func (h *House) Each(ctx context.Context, take func(n int) error) error {
	rows, err := h.pool.Query(ctx, "SELECT 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(1); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (h *House) CallsBack(ctx context.Context) error {
	err := h.Each(ctx, func(int) error { // want
		_, err := one(ctx, h.pool)
		return err
	})
	if err != nil {
		return err
	}
	return h.Each(ctx, func(int) error { return nil })
}

func (h *House) Acquired(ctx context.Context) error {
	conn, err := h.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	if _, err := one(ctx, conn); err != nil {
		conn.Release()
		return err
	}
	_, err = one(ctx, h.pool) // want
	conn.Release()
	if err == nil {
		_, err = one(ctx, h.pool)
	}
	return err
}

func (h *House) Queued(ctx context.Context) error {
	batch := &pgx.Batch{}
	batch.Queue("SELECT 1").Query(func(rows pgx.Rows) error { // want
		_, err := one(ctx, h.pool)
		return err
	})
	return h.pool.SendBatch(ctx, batch).Close()
}

func (h *House) Begun(ctx context.Context) error {
	tx, err := h.pool.Begin(ctx)
	if err != nil {
		return err
	}
	var all sync.Once
	all.Do(func() { _, err = one(ctx, h.pool) }) // want
	if err != nil {
		return tx.Rollback(ctx)
	}
	if err = tx.Commit(ctx); err != nil {
		return err
	}
	_, err = one(ctx, h.pool)
	return err
}

func (h *House) Apart(ctx context.Context) error {
	conn, end, err := Connect(ctx, h.pool)
	if err != nil {
		return err
	}
	defer end()
	return pgx.BeginFunc(ctx, conn, func(pgx.Tx) error {
		_, err := one(ctx, h.pool)
		return err
	})
}
