package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/projections/engine/compare"
	"adashi.ng/projections/engine/recent"
)

// Result is the result of a rebuild.
type Result struct {
	Model    string
	Version  int
	Position int64 // The position of the new tables when they replaced the old ones: the least of their parts.
	// Compared says that the old tables had the same version and were equal, at ComparedAt.
	Compared   bool
	ComparedAt int64  // The least position of the parts at which old and new were compared, each part at its own.
	Digest     string // Of all rows at that point, see digest; empty when nothing was compared.
	Rows       int64  // How many were compared.
	Took       time.Duration
}

// DiffersError says that a rebuild found other rows than the serving ones. Nothing was flipped; the built tables stay
// in Schema for inspection until the next rebuild.
type DiffersError struct {
	Model       string
	Position    int64
	Schema      string
	Differences []compare.Difference
}

// Error names the first table that differs.
func (e *DiffersError) Error() string {
	d := e.Differences[0]
	return fmt.Sprintf("read model %s at position %d: %s differs from a fold of the ledger: %d rows are missing and %d are too many; what was built is kept in the schema %s",
		e.Model, e.Position, d.Table, d.Missing, d.Extra, e.Schema)
}

// Rebuild folds a model from zero beside the serving tables, compares the two at one position when both are of one
// version, and replaces the old tables with the new ones, with the checkpoint, in one transaction. Readers and the
// worker that keeps the model continue meanwhile. It reads only Postgres. It does not publish the changes again, only
// the model's position, see ReachedSubject.
//
// progress, which may be nil, gets the fold's progress. Errors: ErrNoModel, ErrBusy, *DiffersError, a *Refusal for an
// event that cannot be folded, and outages. On an error the old tables serve as before.
func (e *Engine) Rebuild(ctx context.Context, model string, progress func(pos, head int64)) (Result, error) {
	results, errs := e.rebuildTogether(ctx, []string{model}, false, func(_ string, pos, head int64) {
		if progress != nil {
			progress(pos, head)
		}
	})
	if len(errs) > 0 {
		return Result{}, errs[0]
	}
	return results[0], nil
}

// RebuildAll rebuilds every model, together, and answers the successful rebuilds. progress, which may be nil, is called
// from several goroutines. A failure does not keep the other models from being rebuilt; the errors come joined.
func (e *Engine) RebuildAll(ctx context.Context, progress func(model string, pos, head int64)) ([]Result, error) {
	var names []string
	for _, m := range e.Models {
		names = append(names, m.Name)
	}
	results, errs := e.rebuildTogether(ctx, names, false, progress)
	return results, errors.Join(errs...)
}

// finishedAtOnce is how many models folded together are indexed, compared and flipped at once.
const finishedAtOnce = 2

// rebuilding is a running rebuild.
type rebuilding struct {
	*build
	log        rebuildLog
	began      clock.Watch
	until      func(context.Context) (int64, error)
	comparable bool
	kept       bool // The built tables stay for inspection.
	err        error
}

// rebuildTogether rebuilds some models, or those of them that are due, and answers the successful rebuilds. It reads
// and decodes the ledger once for all of them.
func (e *Engine) rebuildTogether(ctx context.Context, names []string, due bool, progress func(model string, pos, head int64)) (done []Result, errs []error) {
	var all []*rebuilding
	for _, name := range names {
		r, err := e.startRebuild(ctx, name, due, progress)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		defer r.close()
		all = append(all, r)
	}
	e.foldTogether(ctx, all)
	var (
		wg      sync.WaitGroup
		results = make([]Result, len(all))
		free    = make(chan struct{}, finishedAtOnce)
	)
	for i, r := range all {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			if err := guard.Call(func() error { results[i] = r.finish(ctx); return nil }); err != nil {
				r.err = err
			}
		})
	}
	wg.Wait()
	for i, r := range all {
		if r.err != nil {
			errs = append(errs, r.err)
		} else {
			done = append(done, results[i])
		}
	}
	return done, errs
}

// errNotDue is returned for a model that was rebuilt after it was found to be due.
var errNotDue = errors.New("engine: the read model was rebuilt meanwhile")

// startRebuild makes a model's new tables. The caller closes it.
func (e *Engine) startRebuild(ctx context.Context, name string, due bool, progress func(model string, pos, head int64)) (*rebuilding, error) {
	b, err := e.begin(ctx, name, "rebuild", nil)
	if err != nil {
		return nil, err
	}
	if due {
		still, err := e.due(ctx, b.model)
		if err == nil && !still {
			err = errNotDue
		}
		if err != nil {
			b.close()
			return nil, err
		}
	}
	r := &rebuilding{build: b, began: clock.Start(), log: rebuildLog{engine: e, model: b.model}}
	if progress != nil {
		r.log.progress = func(pos, head int64) { progress(name, pos, head) }
	}
	if err := r.log.start(ctx); err != nil {
		b.close()
		return nil, err
	}
	b.progress = r.log.note
	r.err = r.prepare(ctx)
	return r, nil
}

func (r *rebuilding) prepare(ctx context.Context) error {
	if _, err := r.conn.Exec(ctx, "DROP SCHEMA IF EXISTS "+quoted(r.schemaFor("differs"))+" CASCADE"); err != nil {
		return err
	}
	if err := r.create(ctx); err != nil {
		return err
	}
	var err error
	r.until, r.comparable, err = r.target(ctx)
	return err
}

// finish ends a rebuild, whatever its result.
func (r *rebuilding) finish(ctx context.Context) Result {
	result := Result{Model: r.model.Name, Version: r.model.Version}
	if r.err == nil {
		r.err = r.complete(ctx, &result)
	}
	if !r.kept {
		r.drop()
	}
	result.Took = r.began.Took()
	r.log.end(ctx, r.err)
	if r.err != nil {
		slog.Error("projections: a rebuild was given up; the old tables serve on", "model", r.model.Name, "error", r.err)
		r.err = fmt.Errorf("rebuild of read model %s: %w", r.model.Name, r.err)
		return result
	}
	slog.Info("projections: a read model was rebuilt", "model", r.model.Name, "position", result.Position, "compared", result.Compared, "rows", result.Rows, "took", result.Took)
	return result
}

func (r *rebuilding) complete(ctx context.Context, result *Result) error {
	if err := r.bulk(ctx, r.until); err != nil {
		return err
	}
	if r.comparable {
		err := r.compare(ctx, result)
		var differs *DiffersError
		r.kept = errors.As(err, &differs)
		if err != nil {
			return err
		}
	}
	if err := r.takePlace(ctx); err != nil {
		return err
	}
	result.Position = slices.Min(r.pos)
	for part, pos := range r.pos {
		r.engine.tell(Changed{Model: r.model.Name, Part: part, Position: pos})
	}
	return r.engine.settle(ctx, r.model.Name)
}

// target says how far the bulk goes: to the position of the serving tables if the two can be compared, else to the
// ledger's end.
func (b *build) target(ctx context.Context) (until func(context.Context) (int64, error), comparable bool, err error) {
	all, err := standing(ctx, b.engine.Pool, b.model.Name)
	if err != nil {
		return nil, false, err
	}
	head, err := b.head(ctx)
	if err != nil {
		return nil, false, err
	}
	// The head was read after the checkpoints, so a checkpoint beyond it is of a ledger that no longer exists.
	b.beyond = slices.Max(append(positions(all), 0)) > head
	if b.model.fits(all) != nil || b.beyond {
		return b.head, false, nil //nolint:nilerr // A version that does not fit is rebuilt.
	}
	return func(ctx context.Context) (int64, error) {
		all, err := standing(ctx, b.engine.Pool, b.model.Name)
		if err != nil {
			return 0, err
		}
		if err := b.model.fits(all); err != nil {
			return 0, err
		}
		return slices.Min(positions(all)), nil
	}, true, nil
}

func (b *build) head(ctx context.Context) (int64, error) {
	_, head, err := b.engine.Head(ctx)
	return head, err
}

func positions(all []checkpoint) []int64 {
	pos := make([]int64, 0, len(all))
	for _, c := range all {
		pos = append(pos, c.pos)
	}
	return pos
}

// compare compares the built tables with the serving ones, each part at its position, in one snapshot, so that the
// serving tables do not wait for it. When they differ the built ones are kept under another name.
func (b *build) compare(ctx context.Context, result *Result) error {
	var found []compare.Difference
	err := b.atEqual(ctx, func(tx pgx.Tx) error {
		result.ComparedAt = slices.Min(b.pos)
		old, err := compare.Digest(ctx, tx, b.serving, b.model.Tables)
		if err != nil {
			return err
		}
		fresh, err := compare.Digest(ctx, tx, b.green, b.model.Tables)
		if err != nil {
			return err
		}
		result.Compared, result.Digest, result.Rows = true, fresh.Hex, fresh.Rows
		if old == fresh {
			return nil
		}
		found, err = compare.Differences(ctx, tx, b.green, b.serving, b.model.Tables)
		if err == nil && len(found) == 0 {
			err = errors.New("the digests differ but no row does")
		}
		return err
	})
	if err != nil || len(found) == 0 {
		return err
	}
	differs := b.schemaFor("differs")
	_, err = b.conn.Exec(ctx, fmt.Sprintf("DROP SCHEMA IF EXISTS %[1]s CASCADE; ALTER SCHEMA %[2]s RENAME TO %[1]s", quoted(differs), quoted(b.green)))
	if err != nil {
		return err
	}
	return &DiffersError{Model: b.model.Name, Position: result.ComparedAt, Schema: differs, Differences: found}
}

// atEqual brings the built tables to exactly the position of the serving ones and runs f while both can be seen so. The
// transaction's snapshot freezes the serving tables; only this build writes the built ones.
func (b *build) atEqual(ctx context.Context, f func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, b.conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(tx pgx.Tx) error {
		all, err := standing(ctx, tx, b.model.Name)
		if err != nil {
			return err
		}
		if err := b.model.fits(all); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, b.inside()); err != nil {
			return err
		}
		to := positions(all)
		for part, pos := range b.pos {
			if pos > to[part] {
				return fmt.Errorf("part %d went back from %d to %d", part, pos, to[part])
			}
		}
		if err := b.read(ctx, to, func(next recent.Batch) error { return b.fold(ctx, tx, next, to) }); err != nil {
			return err
		}
		return f(tx)
	})
}

// takePlace catches up with the ledger and flips, until the flip finds the built tables at or past the serving ones.
func (b *build) takePlace(ctx context.Context) error {
	for {
		head, err := b.head(ctx)
		if err != nil {
			return err
		}
		if err := b.advance(ctx, b.each(head)); err != nil {
			return err
		}
		err = b.flip(ctx)
		var pg *pgconn.PgError
		waited := errors.As(err, &pg) && (pg.Code == "55P03" || pg.Code == "40P01")
		if !waited && !errors.Is(err, errBehind) {
			return err
		}
		if pause(ctx, 20*time.Millisecond); ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// errBehind is returned when the serving tables were ahead of the built ones.
var errBehind = errors.New("the serving tables went on")

// flip replaces the serving tables with the built ones. It locks the checkpoint, so that no keeper folds meanwhile, and
// waits only shortly for readers, so that none of them queues behind it.
func (b *build) flip(ctx context.Context) error {
	return pgx.BeginFunc(ctx, b.conn, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout TO '200ms'"); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "SELECT part, version, pos, paused <> '' FROM projections WHERE name = $1 ORDER BY part FOR UPDATE", b.model.Name)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, scanCheckpoint)
		if err != nil {
			return err
		}
		if slices.Min(b.pos) < slices.Max(append(positions(all), 0)) && !b.beyond {
			return errBehind
		}
		if err := b.move(ctx, tx); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "DELETE FROM projections WHERE name = $1", b.model.Name); err != nil {
			return err
		}
		if b.beyond && b.model.Restored != nil {
			if err := b.model.Restored(ctx, tx, slices.Min(b.pos)); err != nil {
				return err
			}
		}
		return stand(ctx, tx, b.model, b.pos)
	})
}

// move removes the serving tables, also those that only the older version had, and moves the built ones in.
func (b *build) move(ctx context.Context, tx pgx.Tx) error {
	var old []string
	if err := tx.QueryRow(ctx, "SELECT tables FROM projections WHERE name = $1 AND part = 0", b.model.Name).Scan(&old); err != nil {
		return err
	}
	for _, table := range append(old, b.model.Tables...) {
		if _, err := tx.Exec(ctx, "DROP TABLE IF EXISTS "+quoted(b.serving, table)); err != nil {
			return err
		}
	}
	for _, table := range b.model.Tables {
		if _, err := tx.Exec(ctx, fmt.Sprintf("ALTER TABLE %s SET SCHEMA %s", quoted(b.green, table), quoted(b.serving))); err != nil {
			return err
		}
	}
	_, err := tx.Exec(ctx, "DROP SCHEMA "+quoted(b.green))
	return err
}
