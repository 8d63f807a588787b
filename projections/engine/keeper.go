package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/engine/memory"
)

// keeper keeps one part of a model up to date.
type keeper struct {
	engine  *Engine
	model   Model
	part    Part
	ignores map[string]bool
	room    []Event // For a batch.
	pos     int64
	stored  int64       // The checkpoint: at pos, or before events that the model ignores.
	written clock.Watch // Since it was last written.
	memory  memory.Memory
	pace    pace
	back    chan error   // Receives the reason when the joint worker hands it back: see joint.
	aloneTo int64        // Up to this position it stays alone.
	ended   func() error // Why it must end; nil until then.
	avoids  *joint       // The joint worker that passed it on.
}

func newKeeper(e *Engine, m Model, part int) *keeper {
	return &keeper{engine: e, model: m, part: Part{part, m.parts()}, ignores: m.ignores(), room: make([]Event, batchMax), back: make(chan error, 1)}
}

// errOutdated is returned when the stored version is older, or the number of parts differs: a rebuild is due.
var errOutdated = errors.New("an older build")

// errNewer is returned when the stored version is newer: another build keeps it.
var errNewer = errors.New("this build's version is not the one that stands")

// errAhead is returned when a checkpoint is beyond the ledger's end, as after a restore: a rebuild is due.
var errAhead = errors.New("beyond the ledger's end")

// keep runs until the context ends. A model that cannot take an event waits until it is told to try again.
func (k *keeper) keep(ctx context.Context) {
	for ctx.Err() == nil {
		err := guard.Call(func() error { return k.run(ctx) })
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, errPaused):
			k.awaitRetry(ctx)
		case errors.Is(err, errAhead):
			slog.Warn("projections: a read model is beyond the ledger's end, as after a restore; it is rebuilt", "model", k.model.Name, "position", k.pos)
			if err := k.engine.AskRebuild(ctx, k.model.Name); err != nil {
				slog.Warn("projections: a rebuild could not be asked for", "model", k.model.Name, "error", err)
			}
			pause(ctx, 4*sweep)
		case errors.Is(err, errOutdated), errors.Is(err, errNewer):
			pause(ctx, sweep) // The owner soon notices, and releases the lock.
		default:
			slog.Warn("projections: starting over", "model", k.model.Name, "part", k.part.N, "error", err)
			pause(ctx, sweep)
		}
	}
}

// run catches up and then continues, together with others whenever it is at their position.
func (k *keeper) run(ctx context.Context) error {
	k.aloneTo = 0
	if err := k.reload(ctx); err != nil {
		return err
	}
	if err := k.catchUp(ctx); err != nil {
		return err
	}
	f := newFollower(k.engine, k.room, nil)
	defer f.stop()
	for {
		if err := k.together(ctx); err != nil {
			return err
		}
		if err := f.step(ctx, k); err != nil {
			return err
		}
	}
}

func (k *keeper) at() int64 { return k.pos }

// take applies events that follow on the model's position. At the first of its events that this build cannot read it
// pauses, after applying those before.
func (k *keeper) take(ctx context.Context, events []Event) error {
	through := events[len(events)-1].Pos
	mine := k.mine(events)
	n := slices.IndexFunc(mine, Event.Unreadable)
	if n < 0 {
		return k.apply(ctx, mine, through)
	}
	bad := mine[n].Record
	if err := k.apply(ctx, mine[:n], bad.Pos-1); err != nil {
		return err
	}
	_, cause := bad.Message()
	return k.pause(ctx, bad, cause)
}

// mine are the events that the model does not ignore. It overwrites the slice.
func (k *keeper) mine(events []Event) []Event {
	return slices.DeleteFunc(events, func(e Event) bool { return k.ignores[e.Type] })
}

// load reads the checkpoint. It fails if the stored version or parts differ from this build's, or the ledger is
// another.
func (k *keeper) load(ctx context.Context) error {
	all, err := standing(ctx, k.engine.Pool, k.model.Name)
	if err != nil {
		return err
	}
	if err := k.model.fits(all); err != nil {
		return err
	}
	k.pos = all[k.part.N].pos
	k.stored = k.pos
	k.memory.Forget()
	_, head, err := k.engine.Head(ctx)
	if err == nil && k.pos > head {
		return fmt.Errorf("read model %s at %d, ledger at %d: %w", k.model.Name, k.pos, head, errAhead)
	}
	return err
}

// reload is load for a checkpoint that may be of another ledger than the events read so far, as after a restore.
func (k *keeper) reload(ctx context.Context) error {
	err := k.load(ctx)
	k.engine.buffer.Forget()
	return err
}

// checkpoint is a part's stored position.
type checkpoint struct {
	part, version int
	pos           int64
	paused        bool
}

type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// standing reads the checkpoints of a model, by part.
func standing(ctx context.Context, db querier, model string) ([]checkpoint, error) {
	rows, err := db.Query(ctx, "SELECT part, version, pos, paused <> '' FROM projections WHERE name = $1 ORDER BY part", model)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanCheckpoint)
}

func scanCheckpoint(row pgx.CollectableRow) (c checkpoint, err error) {
	err = row.Scan(&c.part, &c.version, &c.pos, &c.paused)
	return c, err
}

// fits checks that the stored version and parts match this build's.
func (m Model) fits(all []checkpoint) error {
	switch {
	case len(all) == 0:
		return fmt.Errorf("read model %s has no tables; prepare it", m.Name)
	case all[0].version > m.Version:
		return fmt.Errorf("read model %s, version %d where %d stands: %w", m.Name, m.Version, all[0].version, errNewer)
	case all[0].version < m.Version || len(all) != m.parts():
		return fmt.Errorf("read model %s stands at version %d in %d parts: %w", m.Name, all[0].version, len(all), errOutdated)
	}
	return nil
}

// catchUp takes all events up to the ledger's current end, and resolves the dead letters before its position.
func (k *keeper) catchUp(ctx context.Context) error {
	if err := k.engine.fill(ctx, k, k.room); err != nil {
		return err
	}
	if err := k.store(ctx); err != nil {
		return err
	}
	return k.engine.settle(ctx, k.model.Name)
}

// apply folds a batch of the model's events up to a position. If one of them is poison it folds the earlier ones and
// pauses at it. If there are none the model's position advances, and its checkpoint may follow later.
func (k *keeper) apply(ctx context.Context, batch []Event, through int64) error {
	if len(batch) == 0 {
		k.moved(through, Changes{})
		if k.written.Took() < unstoredMax {
			return nil
		}
		return k.store(ctx)
	}
	err := k.commit(ctx, batch, through)
	if err == nil || !poison(err) {
		return err
	}
	if len(batch) == 1 {
		k.pos = max(k.pos, batch[0].Pos-1)
		return k.pause(ctx, batch[0].Record, err)
	}
	for one := range slices.Chunk(batch, 1) {
		if err := k.apply(ctx, one, one[0].Pos); err != nil || k.pos != one[0].Pos {
			return err // If there is no error, another projector moved the model, and the next events are read again.
		}
	}
	return k.apply(ctx, nil, through)
}

// commit folds a batch and moves the checkpoint in one transaction. When another projector was faster, it only takes
// over the model's position.
func (k *keeper) commit(ctx context.Context, batch []Event, through int64) error {
	if batch[0].Pos <= k.pos {
		return nil // Another projector moved the model meanwhile, and load has read its position.
	}
	var changes Changes
	err := pgx.BeginFunc(ctx, k.engine.Pool, func(tx pgx.Tx) (err error) {
		if err := move(ctx, tx, through, k); err != nil {
			return err
		}
		began := clock.Start()
		changes, err = k.model.fold(k.remembering(ctx), tx, k.part, batch)
		k.pace.took(began.Took())
		return err
	})
	if errors.Is(err, errAlone) {
		return k.reload(ctx)
	}
	if err != nil {
		return fmt.Errorf("fold %d to %d: %w", batch[0].Pos, batch[len(batch)-1].Pos, err)
	}
	k.stored, k.written = through, clock.Start()
	k.memory.Written()
	k.engine.Observe(k.model.Name, len(batch), k.pace.last)
	k.moved(through, changes)
	return nil
}

// remembering lends the memory to a fold.
func (k *keeper) remembering(ctx context.Context) context.Context {
	if k.part.Of > 1 {
		return ctx // Its parts are folded together for a while, and then separately.
	}
	return k.memory.Lend(ctx)
}

// move advances the checkpoints of parts from the positions that their keepers wrote, or fails with errAlone when one
// was no longer there.
func move(ctx context.Context, db execer, to int64, all ...*keeper) error {
	var (
		models          []string
		parts, versions []int
		stored          []int64
	)
	for _, k := range all {
		models, parts, versions, stored = append(models, k.model.Name), append(parts, k.part.N), append(versions, k.model.Version), append(stored, k.stored)
	}
	tag, err := db.Exec(ctx, `UPDATE projections p SET pos = $1, paused = '' FROM unnest($2::text[], $3::integer[], $4::integer[], $5::bigint[]) AS k (name, part, version, pos)
		WHERE p.name = k.name AND p.part = k.part AND p.version = k.version AND p.pos = k.pos RETURNING `+folding, to, models, parts, versions, stored)
	if err == nil && tag.RowsAffected() < int64(len(all)) {
		return errAlone
	}
	return err
}

// folding are the settings of a fold's transaction. It uses keys: a plan made while the tables were small would read
// them whole. It does not wait for the disk: if a crash loses it, its checkpoint is lost too, and it is done again. If
// its process hangs, Postgres ends its session after 5 s, since otherwise the checkpoints' rows would be locked for
// ever.
const folding = `set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true), set_config('enable_bitmapscan', 'off', true),
	set_config('synchronous_commit', 'off', true), set_config('idle_in_transaction_session_timeout', '5s', true)`

type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// store writes the model's position to the checkpoint.
func (k *keeper) store(ctx context.Context) error {
	if k.stored == k.pos {
		return nil
	}
	err := move(ctx, k.engine.Pool, k.pos, k)
	if errors.Is(err, errAlone) {
		return k.reload(ctx)
	}
	if err == nil {
		k.stored, k.written = k.pos, clock.Start()
	}
	return err
}

// moved publishes the model's new position. It never goes back.
func (k *keeper) moved(to int64, changes Changes) {
	k.pos = max(k.pos, to)
	k.engine.tell(Changed{Model: k.model.Name, Part: k.part.N, Position: to, Users: changes.Users, Groups: changes.Groups, Desks: changes.Desks})
}

// pause visibly stops the part at an event that it cannot take. It skips nothing.
func (k *keeper) pause(ctx context.Context, r event.Record, cause error) error {
	if err := k.store(ctx); err != nil || k.pos != r.Pos-1 {
		return err // Another projector moved the model.
	}
	slog.Error("projections: a read model is paused", "model", k.model.Name, "part", k.part.N, "position", r.Pos, "type", r.Type, "error", cause)
	_, err := k.engine.Pool.Exec(ctx, `WITH letter AS (INSERT INTO dead_letters (model, pos, error, at) VALUES ($1, $2, $3, $5)
		ON CONFLICT (model, pos) DO UPDATE SET error = excluded.error, at = excluded.at, resolved_at = NULL)
		UPDATE projections SET paused = $3 WHERE name = $1 AND part = $4`, k.model.Name, r.Pos, cause.Error(), k.part.N, k.engine.Clock().UTC())
	if err != nil {
		return err
	}
	return errPaused
}

// awaitRetry waits until the checkpoint no longer says that the part is paused: see Retry.
func (k *keeper) awaitRetry(ctx context.Context) {
	for ctx.Err() == nil {
		pause(ctx, sweep)
		all, err := standing(ctx, k.engine.Pool, k.model.Name)
		if err == nil && (k.model.fits(all) != nil || !all[k.part.N].paused) {
			return
		}
	}
}
