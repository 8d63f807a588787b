package audit

import (
	"bytes"
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// folding is a snapshot with a fold of its stream's events, to compare the two as the events are read.
type folding struct {
	event.Aggregate
	store.Snapshot
	state   any
	at      int64 // The version that state is of.
	pos     int64 // Of the last event that was folded.
	matches bool  // The fold had the snapshot's state at its version.
	broken  error // Why the stream cannot be folded.
	begins  int64 // The version of its first event here; 0 when there is none.
}

// snapshotsAtOnce bounds how many snapshots are kept in memory while the events are read.
const snapshotsAtOnce = 500_000

// readSnapshots loads the snapshots that deciders read: those of this build's folds.
func (w *walk) readSnapshots(ctx context.Context, opt Options) error {
	w.folding = map[key]*folding{}
	for _, a := range opt.Aggregates {
		rows, err := w.side.Query(ctx, "SELECT stream, fold, version, state FROM snapshots WHERE fold = $1 AND stream >= $2 AND stream < $3 LIMIT $4",
			a.Fold, a.Category+":", a.Category+";", snapshotsAtOnce-len(w.folding))
		if err != nil {
			return noLedger(err)
		}
		all, err := pgx.CollectRows(rows, pgx.RowToStructByPos[store.Snapshot])
		if err != nil {
			return err
		}
		for _, one := range all {
			w.folding[w.text(one.Stream)] = &folding{Aggregate: a, Snapshot: one, state: a.Zero}
		}
	}
	return nil
}

// add folds the next event of the stream.
func (f *folding) add(j *judged) {
	if f.begins == 0 {
		f.begins = j.Version
	}
	if f.broken != nil || j.Version > f.Version || f.begins > 1 {
		return
	}
	if j.Version != f.at+1 || j.message == nil {
		f.broken = fmt.Errorf("version %d cannot follow version %d", j.Version, f.at)
		return
	}
	f.pos, f.at = j.Pos, j.Version
	f.broken = guard.Call(func() error {
		return f.fold(event.Happened{Message: j.message, EffectiveAt: j.EffectiveAt, RecordedAt: j.RecordedAt})
	})
}

// fold folds an event, and compares the state with the snapshot at the snapshot's version.
func (f *folding) fold(e event.Happened) error {
	if f.state = f.Evolve(f.state, e); f.at < f.Version {
		return nil
	}
	frozen, err := f.Freeze(f.state)
	f.matches, f.state = bytes.Equal(frozen, f.State), nil
	return err
}

// verifySnapshots reports the result for each snapshot, and how many there were.
func (w *walk) verifySnapshots(ctx context.Context, c *Check) error {
	var archived int64
	for _, f := range w.folding {
		switch {
		case w.archived > 0 && f.begins != 1:
			archived++
			continue
		case f.broken != nil:
			c.Violate(f.pos, f.Stream, "The stream cannot be folded: %v.", f.broken)
		case f.at < f.Version:
			c.Violate(f.pos, f.Stream, "There is a snapshot of version %d, and the stream ends at version %d.", f.Version, f.at)
		case !f.matches:
			c.Violate(f.pos, f.Stream, "The snapshot of version %d is not what its events come to.", f.Version)
		}
		c.Looked++
	}
	var all int64
	if err := w.side.QueryRow(ctx, "SELECT count(*) FROM snapshots").Scan(&all); err != nil {
		return err
	}
	c.Said = fmt.Sprintf("%d of %d", c.Looked, all)
	if archived > 0 {
		c.Said += fmt.Sprintf(", %d begin in an archive", archived)
	}
	if foreign := all - int64(len(w.folding)); foreign > 0 {
		c.Said += fmt.Sprintf(", %d are of folds that nothing reads", foreign)
	}
	return nil
}
