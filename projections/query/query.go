// Package query makes queries of read models. A query can run by itself, or several together in one batch: most of the
// cost of reading a few rows is the round trip to the database.
package query

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Of is a query whose answer is a T. Making one runs nothing yet.
type Of[T any] struct {
	collect func(pgx.Rows) (T, error)
	sql     string
	args    []any
}

// New makes a query whose rows are collected into its answer.
func New[T any](collect func(pgx.Rows) (T, error), sql string, args ...any) Of[T] {
	return Of[T]{collect, sql, args}
}

// List makes a query in which each row is a T, column by field.
func List[T any](sql string, args ...any) Of[[]T] {
	return New(func(rows pgx.Rows) ([]T, error) { return pgx.CollectRows(rows, pgx.RowToStructByPos[T]) }, sql, args...)
}

// In is the condition that a column is one of some ids, which are $1. For a single id Postgres keeps the plan of the
// statement; for a list it plans each time, which takes as long as the rest.
func In(column string, ids []string) (where string, arg any) {
	if len(ids) == 1 {
		return column + " = $1", ids[0]
	}
	return column + " = ANY($1)", ids
}

// Read runs the query by itself.
func (q Of[T]) Read(ctx context.Context, pool *pgxpool.Pool) (answer T, err error) {
	rows, err := pool.Query(ctx, q.sql, q.args...)
	if err != nil {
		return answer, err
	}
	return q.collect(rows)
}

// Queue adds it to a batch; take gets the answer while Send sends the batch, after the answers of the earlier ones.
func (q Of[T]) Queue(batch *pgx.Batch, take func(answer T)) {
	batch.Queue(q.sql, q.args...).Query(func(rows pgx.Rows) error {
		answer, err := q.collect(rows)
		if err == nil {
			take(answer)
		}
		return err
	})
}

// Send runs all queries of a batch in one round trip, in order. Each query sees what is committed when its turn comes,
// as it would by itself. Query the tables of one read model in the order of its Model, in which a rebuild locks them:
// in another order the batch waits for the rebuild, or the rebuild for the batch.
func Send(ctx context.Context, pool *pgxpool.Pool, batch *pgx.Batch) error {
	return pool.SendBatch(ctx, batch).Close()
}

// Lent is a column's text or bytes as received: read it before the next row.
type Lent []byte

// ScanBytes implements pgtype.BytesScanner.
func (l *Lent) ScanBytes(received []byte) error {
	*l = received
	return nil
}
