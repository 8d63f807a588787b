package engine

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
)

// buildBatch is how many events a build folds in one transaction. Two such batches are in memory at once.
const buildBatch = 5000

// ErrBusy is returned when the model is being rebuilt or checked already, in whatever process.
var ErrBusy = errors.New("engine: the read model is being rebuilt or checked already")

// build is a fold from zero into tables of its own: the model's, in a schema beside the one that serves. It has a
// connection to itself, whose session holds the lock of its purpose.
type build struct {
	engine   *Engine
	model    Model
	conn     *pgx.Conn
	house    string  // The schema that serves.
	green    string  // The schema that is built.
	pos      []int64 // Where each part of the built tables stands.
	progress func(pos, head int64)
	beyond   bool // The serving tables stand beyond the ledger's end.
	scratch  bool // Nothing here will ever serve: it need not outlive a crash of the database.
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
	err = conn.QueryRow(ctx, "SELECT current_schema(), pg_try_advisory_lock("+lockKey+")", purpose+" "+name).Scan(&b.house, &free)
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
	return b.house + "__" + b.model.Name + "_" + purpose
}

// close ends the session and with it the lock. It outlives a cancelled context.
func (b *build) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	// The session ends a moment after Close; whoever comes next is not to find the lock held still.
	_, _ = b.conn.Exec(ctx, "SELECT pg_advisory_unlock_all()")
	_ = b.conn.Close(ctx)
}

// drop removes what was built.
func (b *build) drop() {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if _, err := b.conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+quoted(b.green)+" CASCADE"); err != nil {
		slog.Warn("projections: a build was left behind; the next one removes it", "schema", b.green, "error", err)
	}
}

func quoted(names ...string) string { return pgx.Identifier(names).Sanitize() }

// create makes empty tables, after removing what a build that was cut short left behind.
func (b *build) create(ctx context.Context) error {
	_, err := b.conn.Exec(ctx, fmt.Sprintf("DROP SCHEMA IF EXISTS %[1]s CASCADE; CREATE SCHEMA %[1]s", quoted(b.green)))
	if err != nil {
		return err
	}
	return b.within(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
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

// within runs f in a transaction that sees the built tables alone. It does not wait for the disk: a build that a crash
// cuts short is thrown away, and the flip waits.
func (b *build) within(ctx context.Context, options pgx.TxOptions, f func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, b.conn, options, func(tx pgx.Tx) error {
		if err := b.inside(ctx, tx); err != nil {
			return err
		}
		return f(tx)
	})
}

func (b *build) inside(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "SET LOCAL search_path TO "+quoted(b.green)+"; SET LOCAL synchronous_commit TO off")
	return err
}

// bulk folds everything up to where the serving tables stand, without disturbing those who keep them, then makes the
// readers' indexes. It never goes past them, so that both can be compared.
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

// index makes what only those that will serve need.
func (b *build) index(ctx context.Context) error {
	if b.scratch {
		return nil
	}
	return b.within(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
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

// advance folds events until every part of the built tables stands at its position in to, a transaction a batch.
func (b *build) advance(ctx context.Context, to []int64) error {
	return b.read(ctx, to, func(events []Event) error {
		return b.within(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error { return b.fold(ctx, tx, events, to) })
	})
}

// read hands over what lacks until to, batch by batch, and reports progress.
func (b *build) read(ctx context.Context, to []int64, take func([]Event) error) error {
	after, until := slices.Min(b.pos), slices.Max(to)
	for events, err := range b.engine.read(ctx, after, until) {
		if err != nil {
			return err
		}
		if err := take(events); err != nil {
			return fmt.Errorf("fold %d to %d: %w", events[0].Pos, events[len(events)-1].Pos, err)
		}
		b.progress(events[len(events)-1].Pos, until)
	}
	return nil
}

// fold applies a batch as far as each part is to go. While all parts stand together they are folded as one.
func (b *build) fold(ctx context.Context, tx pgx.Tx, events []Event, to []int64) error {
	last := events[len(events)-1].Pos
	if slices.Min(to) >= last && slices.Min(b.pos) == slices.Max(b.pos) {
		_, err := b.model.Fold(ctx, tx, Part{0, 1}, between(events, b.pos[0], last))
		copy(b.pos, b.each(last))
		return err
	}
	for part, pos := range b.pos {
		end := min(last, to[part])
		if lacking := between(events, pos, end); len(lacking) > 0 {
			if _, err := b.model.Fold(ctx, tx, Part{part, len(b.pos)}, lacking); err != nil {
				return err
			}
		}
		b.pos[part] = max(pos, end)
	}
	return nil
}

// between are the events after one position up to another.
func between(events []Event, after, until int64) []Event {
	first := events[0].Pos
	from := min(max(0, after+1-first), int64(len(events)))
	end := min(max(from, until+1-first), int64(len(events)))
	return events[from:end]
}

// batch is what the reader found: events or why it cannot go on.
type batch struct {
	events []Event
	err    error
}

// read answers the events after a position up to another, in batches, the next one read while one is folded. An event
// whose body cannot be read is an error that names its position, once those before it were handed over.
func (e *Engine) read(ctx context.Context, after, until int64) iter.Seq2[[]Event, error] {
	return func(yield func([]Event, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		batches := make(chan batch)
		go func() {
			defer close(batches)
			e.readInto(ctx, batches, after, until)
		}()
		defer func() {
			cancel()
			for range batches { // The reader has ended when its channel is closed.
			}
		}()
		for b := range batches {
			if !yield(b.events, b.err) || b.err != nil {
				return
			}
		}
	}
}

func (e *Engine) readInto(ctx context.Context, batches chan<- batch, after, until int64) {
	send := func(b batch) bool {
		select {
		case batches <- b:
			return b.err == nil
		case <-ctx.Done():
			return false
		}
	}
	for after < until {
		records, err := e.Source(ctx, after, int(min(buildBatch, until-after)))
		if err != nil {
			send(batch{err: err})
			return
		}
		if len(records) == 0 {
			send(batch{err: fmt.Errorf("the ledger ends at %d, before %d", after, until)})
			return
		}
		events, err := decode(records)
		if len(events) > 0 && !send(batch{events: events}) {
			return
		}
		if err != nil {
			send(batch{err: fmt.Errorf("position %d: %w", records[len(events)].Pos, &Refusal{err.Error()})})
			return
		}
		after = records[len(records)-1].Pos
	}
}
