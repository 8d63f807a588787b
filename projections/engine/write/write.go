// Package write is how the folds of read models write their tables: many rows by COPY, and changes of rows in few round
// trips.
package write

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Batch is the writes at the end of a fold, in one round trip.
type Batch struct {
	pgx.Batch
	missing []func(context.Context, pgx.Tx) error
}

// Upsert sets n rows, most of which exist. update changes the existing ones; when it finds fewer than n, insert follows
// after all other writes, and adds the missing ones: its ON CONFLICT does no harm to the changed ones. Both take the
// same arguments. INSERT … ON CONFLICT DO UPDATE alone locks every row before it changes it, which costs half as much
// again.
func (b *Batch) Upsert(n int, update, insert string, args ...any) {
	b.Queue(update, args...).Exec(func(tag pgconn.CommandTag) error {
		if tag.RowsAffected() < int64(n) {
			b.missing = append(b.missing, func(ctx context.Context, tx pgx.Tx) error {
				_, err := tx.Exec(ctx, insert, args...)
				return err
			})
		}
		return nil
	})
}

// Send sends the batch. An empty one costs nothing.
func (b *Batch) Send(ctx context.Context, tx pgx.Tx) error {
	if err := Send(ctx, tx, &b.Batch); err != nil {
		return err
	}
	for _, insert := range b.missing {
		if err := insert(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// together is how many statements go to Postgres in one round trip. Their arguments are copied into one growing buffer:
// thousands at once take several times their size.
const together = 32

// Send sends the queued statements, in order. An empty batch costs nothing.
func Send(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) error {
	for some := range slices.Chunk(batch.QueuedQueries, together) {
		if err := tx.SendBatch(ctx, &pgx.Batch{QueuedQueries: some}).Close(); err != nil {
			return err
		}
	}
	return nil
}
