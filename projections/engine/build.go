package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sort"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/projections/engine/memory"
	"adashi.ng/projections/engine/recent"
)

// buildBatch is how many events a build folds in one transaction. Two such batches are in memory at once.
const buildBatch = 1500

// ErrBusy is returned when some process is already rebuilding or checking the model.
var ErrBusy = errors.New("engine: the read model is being rebuilt or checked already")

// build is a fold from zero into tables of its own: the model's tables, in a schema beside the serving one. It has its
// own connection, whose session holds the lock of its purpose.
type build struct {
	engine   *Engine
	model    Model
	conn     *pgx.Conn
	serving  string  // The serving schema.
	green    string  // The schema that is being built.
	pos      []int64 // The position of each part of the built tables.
	progress func(pos, head int64)
	beyond   bool // The serving tables' position is beyond the ledger's end.
	memory   memory.Memory
	scratch  bool // These tables will never serve, so they need not survive a crash of the database.
}

// begin opens a build. purpose is a part of the schema's name; two of one purpose never run at once. ErrBusy.
func (e *Engine) begin(ctx context.Context, name, purpose string, progress func(pos, head int64)) (*build, error) {
	m, err := e.model(name)
	if err != nil {
		return nil, err
	}
	conn, err := e.connect(ctx)
	if err != nil {
		return nil, err
	}
	if progress == nil {
		progress = func(int64, int64) {}
	}
	b := &build{engine: e, model: m, conn: conn, pos: make([]int64, m.parts()), progress: progress}
	var free bool
	err = conn.QueryRow(ctx, "SELECT current_schema(), pg_try_advisory_lock("+lockKey+")", purpose+" "+name).Scan(&b.serving, &free)
	if err == nil && !free {
		err = ErrBusy
	}
	if err != nil {
		b.close()
		return nil, fmt.Errorf("%s of read model %s: %w", purpose, name, err)
	}
	b.green = b.schemaFor(purpose)
	return b, nil
}

// schemaFor names a schema beside the serving one.
func (b *build) schemaFor(purpose string) string {
	return b.serving + "__" + b.model.Name + "_" + purpose
}

// close ends the session and with it the lock. It outlives a cancelled context.
func (b *build) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// The session ends a moment after Close, so release the locks first for the next build.
	_, _ = b.conn.Exec(ctx, "SELECT pg_advisory_unlock_all()")
	_ = b.conn.Close(ctx)
}

// drop removes the built tables.
func (b *build) drop() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := b.conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+quoted(b.green)+" CASCADE"); err != nil {
		slog.Warn("projections: a build was left behind; the next one removes it", "schema", b.green, "error", err)
	}
}

func quoted(names ...string) string { return pgx.Identifier(names).Sanitize() }

// create makes empty tables, after removing those of a build that was cut short.
func (b *build) create(ctx context.Context) error {
	_, err := b.conn.Exec(ctx, fmt.Sprintf("DROP SCHEMA IF EXISTS %[1]s CASCADE; CREATE SCHEMA %[1]s", quoted(b.green)))
	if err != nil {
		return err
	}
	return b.within(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, b.model.Schema); err != nil {
			return err
		}
		for _, table := range b.model.Tables {
			if !b.scratch {
				break
			}
			if _, err := tx.Exec(ctx, "ALTER TABLE "+quoted(table)+" SET UNLOGGED"); err != nil {
				return err
			}
		}
		return nil
	})
}

// within runs f in a transaction that sees only the built tables. It need not wait for the disk: a build that a crash
// cuts short is thrown away, and the flip waits for the disk.
func (b *build) within(ctx context.Context, f func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, b.conn, pgx.TxOptions{BeginQuery: "begin; " + b.inside() + "; SELECT " + folding}, f)
}

// inside makes a transaction see only the built tables.
func (b *build) inside() string {
	return "SET LOCAL search_path TO " + quoted(b.green) + "; SET LOCAL synchronous_commit TO off"
}

// bulk folds everything up to the position of the serving tables, without disturbing their keepers, then makes the
// readers' indexes. It never passes the serving tables, so that both can be compared.
func (b *build) bulk(ctx context.Context, until func(context.Context) (int64, error)) error {
	for indexed := false; ; {
		to, err := until(ctx)
		if err != nil {
			return err
		}
		if err := b.advance(ctx, b.each(to)); err != nil {
			return err
		}
		if to, err = until(ctx); err != nil {
			return err
		}
		if behind := to - b.pos[0]; behind > buildBatch || indexed && behind > batchMax {
			continue
		}
		if indexed {
			return nil
		}
		if err := b.index(ctx); err != nil {
			return err
		}
		indexed = true
	}
}

// index makes the indexes that only serving tables need.
func (b *build) index(ctx context.Context) error {
	if b.scratch {
		return nil
	}
	return b.within(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, b.model.Indexes); err != nil {
			return err
		}
		for _, table := range b.model.Tables {
			if _, err := tx.Exec(ctx, "ANALYZE "+quoted(table)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (b *build) each(pos int64) []int64 { return slices.Repeat([]int64{pos}, len(b.pos)) }

// advance folds events until every part of the built tables has reached its position in to, one transaction for each
// batch.
func (b *build) advance(ctx context.Context, to []int64) error {
	return b.read(ctx, to, func(next recent.Batch) error { return b.step(ctx, next, to) })
}

// step folds a batch in a transaction of its own.
func (b *build) step(ctx context.Context, next recent.Batch, to []int64) error {
	if len(next.Events) == 0 {
		return b.fold(ctx, nil, next, to) // Only the positions move.
	}
	return b.within(ctx, func(tx pgx.Tx) error { return b.fold(ctx, tx, next, to) })
}

// read passes on the missing events until to, batch by batch, and reports progress.
func (b *build) read(ctx context.Context, to []int64, take func(recent.Batch) error) error {
	after, until := slices.Min(b.pos), slices.Max(to)
	for next := range b.engine.Source.Read(ctx, b.model.Ignores, after, until, buildBatch) {
		if next.Err != nil {
			return next.Err
		}
		if err := take(next); err != nil {
			return fmt.Errorf("fold %d to %d: %w", after+1, next.Through, err)
		}
		after = next.Through
		b.progress(after, until)
	}
	return nil
}

// fold applies a batch, to each part up to its target. While all parts are at one position it folds them as one.
func (b *build) fold(ctx context.Context, tx pgx.Tx, next recent.Batch, to []int64) error {
	if slices.Min(to) >= next.Through && slices.Min(b.pos) == slices.Max(b.pos) {
		err := b.foldPart(ctx, tx, Part{0, 1}, between(next.Events, b.pos[0], next.Through))
		copy(b.pos, b.each(next.Through))
		return err
	}
	for part, pos := range b.pos {
		end := min(next.Through, to[part])
		if err := b.foldPart(ctx, tx, Part{part, len(b.pos)}, between(next.Events, pos, end)); err != nil {
			return err
		}
		b.pos[part] = max(pos, end)
	}
	return nil
}

func (b *build) foldPart(ctx context.Context, tx pgx.Tx, part Part, events []Event) error {
	if len(events) == 0 {
		return nil
	}
	if n := slices.IndexFunc(events, Event.Unreadable); n >= 0 {
		_, cause := events[n].Record.Message()
		return fmt.Errorf("position %d: %w", events[n].Pos, &Refusal{cause.Error()})
	}
	if len(b.pos) == 1 {
		ctx = b.memory.Lend(ctx)
	}
	_, err := b.model.fold(ctx, tx, part, events)
	if err == nil {
		b.memory.Written() // On an error the built tables are thrown away.
	}
	return err
}

// between are the events after one position up to another.
func between(events []Event, after, until int64) []Event {
	from := sort.Search(len(events), func(i int) bool { return events[i].Pos > after })
	end := sort.Search(len(events), func(i int) bool { return events[i].Pos > until })
	return events[from:max(from, end)]
}
