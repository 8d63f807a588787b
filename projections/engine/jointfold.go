package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
)

// folded is a model's share of a batch. If all of its parts are here they are folded as one.
type folded struct {
	keepers []*keeper
	part    Part
	events  []Event
	changes Changes
	took    time.Duration
}

// shares answers each model's share of a batch. It copies the events, which the models share.
func (j *joint) shares(events []Event) (all []*folded, err error) {
	for i := 0; i < len(j.members); {
		k := j.members[i]
		f := &folded{keepers: j.members[i : i+1], part: k.part, events: k.mine(append(k.room[:0], events...))}
		if model := j.members[i:min(i+k.part.Of, len(j.members))]; len(model) == k.part.Of && model[len(model)-1].model.Name == k.model.Name {
			f.keepers, f.part = model, Part{0, 1}
		}
		if slices.ContainsFunc(f.events, Event.Unreadable) {
			return nil, errAlone
		}
		i += len(f.keepers)
		all = append(all, f)
	}
	return all, nil
}

// commit folds a batch for all members and moves their checkpoints in one transaction. For members that ignore the
// whole batch the checkpoint follows later.
func (j *joint) commit(ctx context.Context, events []Event, through int64) error {
	all, err := j.shares(events)
	if err != nil {
		return err
	}
	var moving []*keeper
	work := false
	for _, f := range all {
		work = work || len(f.events) > 0
		for _, k := range f.keepers {
			if len(f.events) > 0 || k.written.Took() > unstoredMax {
				moving = append(moving, k)
			}
		}
	}
	ctx, done := context.WithTimeout(ctx, jointMax)
	defer done()
	switch {
	case work:
		err = pgx.BeginFunc(ctx, j.engine.Pool, func(tx pgx.Tx) error {
			if err := move(ctx, tx, through, moving...); err != nil {
				return err
			}
			for _, f := range all {
				if err := f.fold(ctx, tx); err != nil {
					return fmt.Errorf("read model %s: %w", f.keepers[0].model.Name, err)
				}
			}
			return nil
		})
	case len(moving) > 0:
		err = move(ctx, j.engine.Pool, through, moving...)
	}
	if err != nil {
		return err
	}
	for _, k := range moving {
		k.stored, k.written = through, clock.Start()
	}
	j.moved(all, through)
	return nil
}

func (f *folded) fold(ctx context.Context, tx pgx.Tx) (err error) {
	if len(f.events) == 0 {
		return nil
	}
	began := clock.Start()
	f.changes, err = f.keepers[0].model.fold(f.keepers[0].remembering(ctx), tx, f.part, f.events)
	f.took = began.Took()
	for _, k := range f.keepers {
		k.pace.took(f.took / time.Duration(len(f.keepers)))
	}
	return err
}

// moved publishes the members' new position and the changes.
func (j *joint) moved(all []*folded, to int64) {
	var changed []Changed
	for _, f := range all {
		for _, k := range f.keepers {
			k.pos = to
			changed = append(changed, Changed{Model: k.model.Name, Part: k.part.N, Position: to})
		}
		// Publish the changes of parts folded as one only once.
		last := &changed[len(changed)-1]
		last.Users, last.Groups, last.Desks = f.changes.Users, f.changes.Groups, f.changes.Desks
		if len(f.events) > 0 {
			f.keepers[0].memory.Written()
			j.engine.Observe(f.keepers[0].model.Name, len(f.events), f.took)
		}
	}
	j.engine.tell(changed...)
}

// store writes the members' position to the checkpoints.
func (j *joint) store(ctx context.Context) error {
	var behind []*keeper
	for _, k := range j.members {
		if k.stored != k.pos {
			behind = append(behind, k)
		}
	}
	if len(behind) == 0 {
		return nil
	}
	err := move(ctx, j.engine.Pool, j.pos, behind...)
	switch {
	case errors.Is(err, errAlone):
		j.apart(j.pos, err)
		return nil
	case err == nil:
		for _, k := range behind {
			k.stored, k.written = k.pos, clock.Start()
		}
	}
	return err
}
