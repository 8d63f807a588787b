package history

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Parting records that the stream or the checkpoint file has events that this ledger does not hold.
type Parting struct {
	Why        string
	From       int64     // The last position that both hold, as far as is known.
	StreamLast int64     // The last position in the stream; 0 when it was not looked at.
	Next       int       // The first epoch that has no stream; 0 when not looked up.
	At         time.Time // UTC.
}

// Part stops all appends until the epoch is raised, if the ledger is still in the given epoch. It answers whether it
// did.
func Part(ctx context.Context, pool *pgxpool.Pool, epoch int, p Parting) (did bool, err error) {
	err = pool.QueryRow(ctx, "SELECT ledger_part($1, $2, $3, $4, $5, $6)", epoch, p.Why, p.From, p.StreamLast, p.Next, p.At).Scan(&did)
	if err != nil {
		return false, fmt.Errorf("history: stop appends: %w", err)
	}
	return did, nil
}

// Parted answers why appends are stopped; false while they may continue.
func Parted(ctx context.Context, pool *pgxpool.Pool) (p Parting, parted bool, err error) {
	var at *time.Time
	err = pool.QueryRow(ctx, "SELECT parted, parted_at, parted_from, parted_stream, parted_next FROM ledger_gate").Scan(&p.Why, &at, &p.From, &p.StreamLast, &p.Next)
	if err != nil {
		return p, false, fmt.Errorf("history: whether appends are stopped: %w", err)
	}
	if at != nil {
		p.At = at.UTC()
	}
	return p, p.Why != "", nil
}

// Epoch is a stretch of the ledger's life that began because its history parted from another.
type Epoch struct {
	Number     int
	From       int64 // Positions up to it are those of the epoch before.
	StreamLast int64 // The last position in the stream that was given up; 0 when there was none.
	Reason     string
	RaisedAt   time.Time // UTC.
	Statement  string    // Signed by the ledger's key; empty until it is acknowledged.
}

// ErrNoEpoch is returned for an epoch that never began.
var ErrNoEpoch = errors.New("history: there is no such epoch")

// RaiseEpoch begins an epoch, if the ledger is still in epoch from, so that appends continue. It answers whether it
// did.
func RaiseEpoch(ctx context.Context, pool *pgxpool.Pool, from int, next Epoch) (raised bool, err error) {
	err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "UPDATE ledger_gate SET epoch = $1, parted = '', parted_at = NULL, parted_from = 0, parted_stream = 0, parted_next = 0 WHERE epoch = $2", next.Number, from)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO ledger_epochs (epoch, from_pos, stream_last, reason, raised_at) VALUES ($1, $2, $3, $4, $5)", next.Number, next.From, next.StreamLast, next.Reason, next.RaisedAt)
		raised = err == nil
		return err
	})
	if err != nil {
		return false, fmt.Errorf("history: raise the epoch to %d: %w", next.Number, err)
	}
	return raised, nil
}

// Epochs lists every epoch after the first, the oldest first.
func Epochs(ctx context.Context, pool *pgxpool.Pool) ([]Epoch, error) {
	rows, err := pool.Query(ctx, "SELECT epoch, from_pos, stream_last, reason, raised_at, statement FROM ledger_epochs ORDER BY epoch")
	if err != nil {
		return nil, fmt.Errorf("history: the epochs: %w", err)
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (e Epoch, err error) {
		err = row.Scan(&e.Number, &e.From, &e.StreamLast, &e.Reason, &e.RaisedAt, &e.Statement)
		e.RaisedAt = e.RaisedAt.UTC()
		return e, err
	})
}

// SignEpoch saves the signed statement of an epoch in its row, so that the database has it too. It fails with
// ErrNoEpoch.
func SignEpoch(ctx context.Context, pool *pgxpool.Pool, epoch int, statement string) error {
	tag, err := pool.Exec(ctx, "UPDATE ledger_epochs SET statement = $2 WHERE epoch = $1", epoch, statement)
	if err != nil {
		return fmt.Errorf("history: acknowledge epoch %d: %w", epoch, err)
	}
	if tag.RowsAffected() == 0 {
		return ErrNoEpoch
	}
	return nil
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
