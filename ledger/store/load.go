package store

import (
	"fmt"
	"log/slog"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
)

// need names the streams and accounts that the batch names and the memory lacks.
func (s *Store) need(batch []*waiting) Need {
	var n Need
	streams, accounts := map[string]bool{}, map[string]bool{}
	for _, w := range batch {
		for _, name := range w.command.Streams() {
			if _, ok := s.memory.streams.get(name); !ok && !streams[name] {
				streams[name] = true
				n.Streams = append(n.Streams, name)
			}
		}
		for _, name := range w.command.Accounts() {
			if _, ok := s.memory.balance(name); !ok && !accounts[name] {
				accounts[name] = true
				n.Accounts = append(n.Accounts, name)
			}
		}
	}
	n.Folds = s.foldsOf(n.Streams)
	return n
}

// foldsOf are the versions of the streams' folds; nil for one that nothing folds, whose command fails alone when it is
// decided.
func (s *Store) foldsOf(streams []string) []int32 {
	folds := make([]int32, len(streams))
	for i, name := range streams {
		if a, err := s.fold(name); err == nil {
			folds[i] = a.Fold
		}
	}
	return folds
}

// take puts what was found into the memory.
func (s *Store) take(n Need, f Found) error {
	streams, err := s.foldAll(n.Streams, f)
	if err != nil {
		return err
	}
	for name, e := range streams {
		s.memory.streams.put(name, e)
	}
	for _, name := range n.Accounts {
		if _, newer := s.memory.unsettled[name]; !newer {
			s.memory.accounts.put(name, f.Balances[name])
		}
	}
	s.memory.settled = f.Settled
	for i := range f.Recorded {
		r := &f.Recorded[i]
		k := s.memory.keys[r.Command]
		if r.Seq == 0 {
			k = known{} // The whole command is read; what is remembered of it may be the same.
		}
		k.hash = r.CommandHash
		k.keep(r)
		s.memory.keys[r.Command] = k
	}
	for _, id := range f.Archived {
		s.memory.remember(id, known{archived: true})
	}
	for i := range f.Refusals {
		r := &f.Refusals[i]
		s.memory.remember(r.Command, known{hash: r.Hash, err: &r.Fault})
	}
	return nil
}

// foldAll folds the streams from what was found of them.
func (s *Store) foldAll(names []string, f Found) (map[string]stream, error) {
	out := make(map[string]stream, len(names))
	for _, name := range names {
		if a, err := s.fold(name); err == nil {
			out[name] = stream{state: a.Zero}
		}
	}
	for i := range f.Snapshots {
		snap := &f.Snapshots[i]
		a, err := s.fold(snap.Stream)
		if err != nil {
			return nil, err
		}
		state, err := a.Thaw(snap.State)
		if err != nil {
			return nil, fmt.Errorf("store: the snapshot of %s: %w", snap.Stream, err)
		}
		out[snap.Stream] = stream{version: snap.Version, state: state}
	}
	for i := range f.Events {
		r := &f.Events[i]
		e := out[r.Stream]
		if r.Version != e.version+1 {
			slog.Error("ledger: a stream's events are archived and no snapshot stands for them: attach their partition", "stream", r.Stream, "after version", e.version)
			return nil, fault.New(fault.Unavailable, "A part of the history that this needs is archived and has to be brought back first. Nothing was taken.")
		}
		a, err := s.fold(r.Stream)
		if err != nil {
			return nil, err
		}
		if e.state, err = evolve(a, e.state, r); err != nil {
			return nil, err
		}
		e.version = r.Version
		out[r.Stream] = e
	}
	return out, nil
}

func evolve(a event.Aggregate, state any, r *event.Record) (any, error) {
	m, err := r.Message()
	if err != nil {
		return nil, fmt.Errorf("store: position %d: %w", r.Pos, err)
	}
	return a.Evolve(state, event.Happened{Message: m, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt}), nil
}
