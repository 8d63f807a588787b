package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Epoch is a stretch of the stream's life that began because the stream told another history than the database.
type Epoch struct {
	Number     int
	StreamLast int64 // The last position in the stream that was given up.
	Reason     string
}

// RaiseEpoch begins an epoch, if the ledger is still in epoch from. It answers whether it did.
func RaiseEpoch(ctx context.Context, pool *pgxpool.Pool, from int, next Epoch) (raised bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "UPDATE ledger_gate SET epoch = $1 WHERE epoch = $2", next.Number, from)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO ledger_epochs (epoch, from_pos, stream_last, reason) SELECT epoch, pos, $1, $2 FROM ledger_head",
			next.StreamLast, next.Reason)
		raised = err == nil
		return err
	})
	if err != nil {
		return false, fmt.Errorf("store: raise the epoch to %d: %w", next.Number, err)
	}
	return raised, nil
}

// First is the first position that is not archived.
func First(ctx context.Context, pool *pgxpool.Pool) (int64, error) {
	all, err := Partitions(ctx, pool)
	if err != nil {
		return 0, err
	}
	for _, p := range all {
		if p.Attached {
			return p.From, nil
		}
	}
	return 1, nil
}
