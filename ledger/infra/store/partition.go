package store

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Detach takes the oldest attached partition out of the events. Its table stays in the database as it is, to be kept
// elsewhere. Later decisions use snapshots of its streams. It refuses the partition that is being written. The caller
// has made sure that the partition is sealed, streamed and folded.
func Detach(ctx context.Context, pool *pgxpool.Pool, aggregates []event.Aggregate, name string, progress func(streams int)) error {
	all, err := history.Partitions(ctx, pool)
	if err != nil {
		return err
	}
	_, head, err := history.Head(ctx, pool)
	if err != nil {
		return err
	}
	for _, p := range all {
		switch {
		case !p.Attached && p.Name != name:
			continue
		case p.Name != name:
			return fmt.Errorf("store: %s is not the oldest attached partition: detach %s first", name, p.Name)
		case !p.Attached:
			return fmt.Errorf("store: %s is detached already", name)
		case head < p.To:
			return fmt.Errorf("store: %s is still written to: the ledger ends at position %d", name, head)
		}
		if _, err := Postgres(pool, 0).Settle(ctx); err != nil {
			return fmt.Errorf("store: detach %s: %w", name, err)
		}
		if err := snapshotStreams(ctx, pool, aggregates, p, progress); err != nil {
			return err
		}
		return detach(ctx, pool, p)
	}
	return fmt.Errorf("store: there is no partition %s", name)
}

func detach(ctx context.Context, pool *pgxpool.Pool, p history.Partition) error {
	table := pgx.Identifier{p.Name}.Sanitize()
	// The triggers of the events table leave the partition when it is detached.
	if _, err := pool.Exec(ctx, "CREATE OR REPLACE TRIGGER events_archived BEFORE UPDATE OR DELETE ON "+table+" FOR EACH ROW EXECUTE FUNCTION events_are_final()"); err != nil {
		return fmt.Errorf("store: detach %s: %w", p.Name, err)
	}
	// It waits for sessions that read the partition, and blocks none of them.
	if _, err := pool.Exec(ctx, "ALTER TABLE events DETACH PARTITION "+table+" CONCURRENTLY"); err != nil {
		return fmt.Errorf("store: detach %s: %w", p.Name, err)
	}
	return nil
}

// Attach puts the newest detached partition back. The caller has made sure that its rows are unchanged.
func Attach(ctx context.Context, pool *pgxpool.Pool, name string) error {
	all, err := history.Partitions(ctx, pool)
	if err != nil {
		return err
	}
	for i, p := range all {
		switch {
		case p.Name != name:
			continue
		case p.Attached:
			return fmt.Errorf("store: %s is attached already", name)
		case !p.Present:
			return fmt.Errorf("store: the table %s is not in this database: restore it first", name)
		case i+1 < len(all) && !all[i+1].Attached:
			return fmt.Errorf("store: attach %s first: archives come back the newest first", all[i+1].Name)
		}
		err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '"+needed+"'; DROP TRIGGER IF EXISTS events_archived ON "+pgx.Identifier{name}.Sanitize())
			if err == nil {
				_, err = tx.Exec(ctx, "SELECT ledger_adopt($1, $2, $3)", name, p.From, p.To)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("store: attach %s, which needs a moment in which nobody reads the events: %w", name, err)
		}
		return nil
	}
	return fmt.Errorf("store: there is no partition %s", name)
}

// snapshotChunk is how many streams are folded at a time.
const snapshotChunk = 1000

// snapshotStreams saves a snapshot of every stream that has events in a partition.
func snapshotStreams(ctx context.Context, pool *pgxpool.Pool, aggregates []event.Aggregate, p history.Partition, progress func(streams int)) error {
	s := &Store{backend: Postgres(pool, 0), folds: byCategory(aggregates)}
	// Ordered as in the index on the two hashes of a stream's name.
	next := "SELECT DISTINCT ON (1, 2) hashtextextended(stream, 0), hashtextextended(stream, 1), stream FROM " + pgx.Identifier{p.Name}.Sanitize() +
		" WHERE (hashtextextended(stream, 0), hashtextextended(stream, 1)) > ($1, $2) ORDER BY 1, 2 LIMIT $3"
	var done int
	first, second := int64(math.MinInt64), int64(math.MinInt64)
	for {
		rows, err := pool.Query(ctx, next, first, second, snapshotChunk)
		if err != nil {
			return fmt.Errorf("store: the streams of %s: %w", p.Name, err)
		}
		var (
			stream  string
			streams []string
		)
		_, err = pgx.ForEachRow(rows, []any{&first, &second, &stream}, func() error {
			streams = append(streams, stream)
			return nil
		})
		if err != nil || len(streams) == 0 {
			return err
		}
		if err := s.snapshot(ctx, pool, streams); err != nil {
			return err
		}
		done += len(streams)
		if progress != nil {
			progress(done)
		}
	}
}

// snapshot saves snapshots of streams in their current state.
func (s *Store) snapshot(ctx context.Context, pool *pgxpool.Pool, names []string) error {
	found, err := s.backend.Load(ctx, Need{Streams: names, Folds: s.foldsOf(names)})
	if err != nil {
		return err
	}
	states := s.foldAll(names, found)
	pipeline := &pgx.Batch{}
	for name, e := range states {
		if e.broken != nil {
			return e.broken
		}
		a, _ := s.fold(name)
		state, err := a.Freeze(e.state)
		if err != nil {
			return fmt.Errorf("store: the state of %s: %w", name, err)
		}
		queueSnapshot(pipeline, Snapshot{Stream: name, Fold: a.Fold, Version: e.version, State: state})
	}
	if pipeline.Len() != len(names) {
		return errors.New("store: a stream that nothing folds cannot be archived")
	}
	return pool.SendBatch(ctx, pipeline).Close()
}
