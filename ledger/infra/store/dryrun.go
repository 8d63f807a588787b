package store

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store/bulk"
	"adashi.ng/ledger/infra/store/text"
)

// DryRun decides a command against the current ledger and records nothing. It answers the events that would be
// recorded, or the refusal that the command would meet now.
func (s *Store) DryRun(ctx context.Context, c event.Command) ([]event.Draft, error) {
	return s.DryRunAt(ctx, c, s.opt.Clock())
}

// DryRunAt is DryRun of a command whose events count from a time.
func (s *Store) DryRunAt(ctx context.Context, c event.Command, from time.Time) (_ []event.Draft, err error) {
	defer func() {
		if r := recover(); r != nil {
			if err = broken(r); fault.As(err) == nil {
				err = undecided(&Command{Command: c}, 0, err)
			}
		}
	}()
	c = bulk.Around(s.opt.Around, uuid.Nil, c)
	names := slices.Clone(c.Streams())
	slices.Sort(names)
	names = slices.Compact(names) // A command may name a stream twice; its events are read once.
	need := Need{Streams: names, Folds: s.foldsOf(names), Accounts: c.Accounts(), Now: true}
	if !text.Storable(need.Streams...) || !text.Storable(need.Accounts...) {
		return nil, text.Err()
	}
	found, err := s.backend.Load(ctx, need)
	if err != nil {
		return nil, err
	}
	streams := s.foldAll(need.Streams, found)
	now := s.opt.Clock().UTC().Truncate(time.Microsecond)
	return s.drafts(c, loaded{streams, found.Balances}, event.Happened{EffectiveAt: from.UTC().Truncate(time.Microsecond), RecordedAt: now})
}

// loaded is a view of the data read for one command.
type loaded struct {
	streams  map[string]stream
	balances map[string]money.Kobo
}

func (v loaded) State(stream string) any           { return v.streams[stream].whole() }
func (v loaded) Balance(account string) money.Kobo { return v.balances[account] }

// Load folds a stream as it is now. It reads the database, not the appender's memory.
func (s *Store) Load(ctx context.Context, name string) (any, error) {
	if _, err := s.fold(name); err != nil {
		return nil, err
	}
	if !text.Storable(name) {
		return nil, text.Err()
	}
	found, err := s.backend.Load(ctx, Need{Streams: []string{name}, Folds: s.foldsOf([]string{name})})
	if err != nil {
		return nil, err
	}
	e := s.foldAll([]string{name}, found)[name]
	return e.state, e.broken
}

// Recorded reports whether a command was recorded.
func (s *Store) Recorded(ctx context.Context, id uuid.UUID) (bool, error) {
	found, err := s.backend.Load(ctx, Need{Recorded: []uuid.UUID{id}})
	return len(found.Recorded)+len(found.Archived) > 0, err
}
