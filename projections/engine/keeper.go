package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/event"
)

// keeper moves one model along.
type keeper struct {
	engine *Engine
	model  Model
	pos    int64
}

func (k *keeper) run(ctx context.Context) error {
	if err := k.load(ctx); err != nil {
		return err
	}
	if err := k.fill(ctx); err != nil {
		return err
	}
	inbox := k.engine.inbox[k.model.Name]
	tick := time.NewTicker(sweep)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
			if err := k.fill(ctx); err != nil {
				return err
			}
		case first := <-inbox:
			if err := k.take(ctx, drain(first, inbox)); err != nil {
				return err
			}
		}
	}
}

// drain takes what waits in the inbox, without waiting for more.
func drain(first Event, inbox <-chan Event) []Event {
	batch := []Event{first}
	for len(batch) < batchMax {
		select {
		case e := <-inbox:
			batch = append(batch, e)
		default:
			return batch
		}
	}
	return batch
}

// take applies what JetStream brought, if it follows on; if it does not, Postgres is read.
func (k *keeper) take(ctx context.Context, batch []Event) error {
	for len(batch) > 0 && batch[0].Pos <= k.pos {
		batch = batch[1:]
	}
	for i, e := range batch {
		if e.Pos != k.pos+1+int64(i) {
			return k.fill(ctx)
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return k.apply(ctx, batch)
}

// load reads the checkpoint. It fails when the model stands at another version: then another build keeps it.
func (k *keeper) load(ctx context.Context) error {
	err := k.engine.pool.QueryRow(ctx, "SELECT pos FROM projections WHERE name = $1 AND version = $2", k.model.Name, k.model.Version).Scan(&k.pos)
	if errors.Is(err, pgx.ErrNoRows) {
		return fmt.Errorf("version %d of read model %s is not the one that stands", k.model.Version, k.model.Name)
	}
	return err
}

// fill applies everything after the checkpoint from Postgres.
func (k *keeper) fill(ctx context.Context) error {
	for {
		records, err := k.engine.source(ctx, k.pos, batchMax)
		if err != nil || len(records) == 0 {
			return err
		}
		batch, err := decode(records)
		if err != nil && len(batch) == 0 {
			return k.pause(ctx, records[0], err)
		}
		if err := k.apply(ctx, batch); err != nil {
			return err
		}
	}
}

// decode reads bodies up to the first that cannot be read.
func decode(records []event.Record) ([]Event, error) {
	batch := make([]Event, 0, len(records))
	for _, r := range records {
		m, err := r.Message()
		if err != nil {
			return batch, err
		}
		batch = append(batch, Event{r, m})
	}
	return batch, nil
}

// apply folds a batch; when one of its events is poison it folds what comes before and pauses at it.
func (k *keeper) apply(ctx context.Context, batch []Event) error {
	err := k.commit(ctx, batch)
	if err == nil || !poison(err) {
		return err
	}
	if len(batch) == 1 {
		return k.pause(ctx, batch[0].Record, err)
	}
	for i := range batch {
		if err := k.apply(ctx, batch[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

// commit folds a batch and moves the checkpoint in one transaction. When another projector was faster, it only takes
// note of where the model stands.
func (k *keeper) commit(ctx context.Context, batch []Event) error {
	last := batch[len(batch)-1].Pos
	var (
		changes Changes
		moved   bool
	)
	err := pgx.BeginFunc(ctx, k.engine.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "UPDATE projections SET pos = $1, paused = '' WHERE name = $2 AND pos = $3 AND version = $4", last, k.model.Name, k.pos, k.model.Version)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		moved = true
		changes, err = k.model.Fold(ctx, tx, batch)
		return err
	})
	if err != nil {
		return fmt.Errorf("fold %d to %d: %w", batch[0].Pos, last, err)
	}
	if !moved {
		return k.load(ctx)
	}
	k.pos = last
	k.engine.tell(k.model.Name, last, changes)
	return nil
}

// pause stops the model at an event that it cannot take, visibly. Nothing is skipped.
func (k *keeper) pause(ctx context.Context, r event.Record, cause error) error {
	slog.Error("projections: a read model is paused", "model", k.model.Name, "position", r.Pos, "type", r.Type, "error", cause)
	_, err := k.engine.pool.Exec(ctx, `WITH letter AS (INSERT INTO dead_letters (model, pos, error, at) VALUES ($1, $2, $3, now())
		ON CONFLICT (model, pos) DO UPDATE SET error = excluded.error, at = excluded.at)
		UPDATE projections SET paused = $3 WHERE name = $1`, k.model.Name, r.Pos, cause.Error())
	if err != nil {
		return err
	}
	return errPaused
}
