package store

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/event"
)

// need lists the streams and accounts that the batch names and the memory does not have. A stream that could not be
// folded is read again each time.
func (s *Store) need(batch []*waiting) Need {
	var n Need
	streams, accounts := map[string]bool{}, map[string]bool{}
	for _, w := range batch {
		for _, name := range w.streams {
			if e, ok := s.memory.streams.Get(name); (!ok || e.broken != nil) && !streams[name] {
				streams[name] = true
				n.Streams = append(n.Streams, name)
			}
		}
		for _, name := range w.accounts {
			if _, ok := s.memory.balance(name); !ok && !accounts[name] {
				accounts[name] = true
				n.Accounts = append(n.Accounts, name)
			}
		}
	}
	n.Folds = s.foldsOf(n.Streams)
	for _, w := range batch {
		actor := w.command.Actor
		if since, due := s.tries.Recount(actor); due && w.command.Keyed && !slices.Contains(n.Tried, actor) {
			n.Tried = append(n.Tried, actor)
			if n.TriedSince.Before(since) {
				n.TriedSince = since
			}
		}
	}
	return n
}

// foldsOf returns the versions of the streams' folds; 0 for a stream that has no fold, whose command then fails alone
// when it is decided.
func (s *Store) foldsOf(streams []string) []int32 {
	folds := make([]int32, len(streams))
	for i, name := range streams {
		if a, err := s.fold(name); err == nil {
			folds[i] = a.Fold
		}
	}
	return folds
}

// take puts the data that was read into the memory.
func (s *Store) take(n Need, f Found) {
	for name, e := range s.foldAll(n.Streams, f) {
		s.memory.streams.Put(name, e)
	}
	for _, name := range n.Accounts {
		if _, newer := s.memory.unsettled[name]; !newer {
			s.memory.accounts.Put(name, f.Balances[name])
		}
	}
	for _, actor := range n.Tried {
		s.tries.Counted(actor, n.TriedSince, f.Tried[actor])
	}
	s.memory.settled = f.Settled
	for i := range f.Recorded {
		r := &f.Recorded[i]
		k := s.memory.keys[r.Command]
		if r.Seq == 0 {
			k = known{} // All its records were read: do not keep the remembered ones twice.
		}
		k.hash = r.CommandHash
		k.keep(r)
		s.memory.remember(r.Command, k)
	}
	for _, id := range f.Archived {
		s.memory.remember(id, known{archived: true})
	}
	for i := range f.Refusals {
		r := &f.Refusals[i]
		s.memory.remember(r.Command, known{hash: r.Hash, err: &r.Fault})
	}
}

// foldAll folds the streams from the data that was read. A stream that cannot be folded keeps the error, which fails
// only the commands that name it.
func (s *Store) foldAll(names []string, f Found) map[string]stream {
	out := make(map[string]stream, len(names))
	for _, name := range names {
		if a, err := s.fold(name); err == nil {
			out[name] = stream{state: a.Zero}
		}
	}
	beyond := map[string]int64{} // The version of a snapshot that another fold version made.
	for i := range f.Snapshots {
		snap := &f.Snapshots[i]
		if a, err := s.fold(snap.Stream); err == nil && a.Fold == snap.Fold {
			out[snap.Stream] = thawed(a, snap)
		} else {
			beyond[snap.Stream] = max(beyond[snap.Stream], snap.Version)
		}
	}
	for rest := f.Events; len(rest) > 0; {
		name, n := rest[0].Stream, 1
		for n < len(rest) && rest[n].Stream == name {
			n++
		}
		if e, ok := out[name]; ok {
			a, _ := s.fold(name)
			out[name] = e.afterAll(a, rest[:n])
		}
		rest = rest[n:]
	}
	for name, version := range beyond {
		if e, ok := out[name]; ok && e.broken == nil && e.version < version {
			e.broken = archived(name, e.version)
			out[name] = e
		}
	}
	return out
}

// thawed is a stream restored from a snapshot of its fold.
func thawed(a event.Aggregate, snap *Snapshot) stream {
	e := stream{version: snap.Version}
	err := guard.Call(func() (err error) {
		e.state, err = a.Thaw(snap.State)
		return err
	})
	if err != nil {
		e.broken = unfolded("the snapshot of "+snap.Stream, 0, err)
	}
	return e
}

// after is a stream after its next event.
func (e stream) after(a event.Aggregate, r *event.Record) stream {
	switch {
	case e.broken != nil:
	case r.Version != e.version+1:
		e.broken = archived(r.Stream, e.version)
	default:
		err := guard.Call(func() error {
			m, err := r.Message()
			if err == nil {
				e.state = a.Evolve(e.state, event.Happened{Message: m, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt})
			}
			return err
		})
		if err != nil {
			e.broken = unfolded(r.Stream, r.Pos, err)
		}
		e.version = r.Version
	}
	return e
}

// afterAll is a stream after its next events.
func (e stream) afterAll(a event.Aggregate, records []event.Record) stream {
	all := make([]event.Happened, len(records))
	together := e
	err := guard.Call(func() error {
		for i := range records {
			r := &records[i]
			if e.broken != nil || r.Version != e.version+1+int64(i) {
				return errors.New("store: these are not a stream's next events")
			}
			m, err := r.Message()
			if err != nil {
				return err
			}
			all[i] = event.Happened{Message: m, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt}
		}
		together.state = a.EvolveAll(e.state, all)
		return nil
	})
	if err == nil {
		together.version += int64(len(records))
		return together
	}
	for i := range records { // Fold one by one, to find out which event fails.
		e = e.after(a, &records[i])
	}
	return e
}

// archived is the error for a stream whose events are detached and that no snapshot replaces.
func archived(stream string, after int64) error {
	slog.Error("ledger: a stream's events are archived and no snapshot stands for them: attach their partition", "stream", stream, "after version", after)
	return fault.New(fault.Unavailable, "A part of the history that this needs is archived and has to be brought back first. Nothing was taken.")
}

// unfolded is the error for a stream that cannot be folded although its events are here.
func unfolded(stream string, pos int64, cause error) error {
	slog.Error("ledger: a stream cannot be folded; whatever needs it is refused", "stream", stream, "position", pos, "error", cause)
	return sorry(fmt.Errorf("%s, position %d: %w", stream, pos, cause))
}
