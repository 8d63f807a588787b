package engine

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Batch is what a fold writes at its end, in one round trip.
type Batch struct {
	pgx.Batch
	missing []func(context.Context, pgx.Tx) error
}

// Upsert sets n rows, most of which are there already. update changes those that are; when it finds fewer than n,
// insert follows once all else is written, and adds the others: what it says ON CONFLICT does no harm to those that
// were changed. Both take the same arguments. INSERT … ON CONFLICT DO UPDATE alone locks every row before it changes
// it, which costs half as much again.
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

// Send sends it. An empty one costs nothing.
func (b *Batch) Send(ctx context.Context, tx pgx.Tx) error {
	if b.Len() == 0 {
		return nil
	}
	if err := tx.SendBatch(ctx, &b.Batch).Close(); err != nil {
		return err
	}
	for _, insert := range b.missing {
		if err := insert(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
