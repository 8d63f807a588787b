package replay

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Folded is a stream after some of its events.
type Folded struct {
	Version   int64 // The version after the last of them.
	State     any   // The state of the stream's aggregate.
	aggregate *event.Aggregate
}

// All folds every stream from all events up to a position, by the stream's name. It fails with a *store.ArchivedError
// where events are archived, and beyond the head.
func All(ctx context.Context, pool *pgxpool.Pool, aggregates []event.Aggregate, to int64) (map[string]*Folded, error) {
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Release()
	folds, streams := foldsOf(aggregates), map[string]*Folded{}
	var found []*Folded
	return streams, history.ScanFacts(ctx, conn.Conn(), 1, to, func(facts []history.Fact) error {
		// Look all streams up first, in a loop small enough for the processor to fetch many of them from memory at the
		// same time: with many streams, memory access takes most of the time.
		found = found[:0]
		for i := range facts {
			found = append(found, streams[facts[i].Stream])
		}
		for i := range facts {
			f, s := &facts[i], found[i]
			if s == nil {
				s, err = folds.in(streams, f.Stream)
				if err != nil {
					return fmt.Errorf("position %d: %w", f.Pos, err)
				}
			}
			if err := s.fold(f); err != nil {
				return err
			}
		}
		return nil
	})
}

// fold takes the stream's next event.
func (s *Folded) fold(f *history.Fact) error {
	happened, err := f.Happened()
	if err != nil {
		return fmt.Errorf("position %d: %w", f.Pos, err)
	}
	s.Version, s.State = f.Version, s.aggregate.Evolve(s.State, happened)
	return nil
}

// folds are the aggregates by category.
type folds map[string]*event.Aggregate

func foldsOf(aggregates []event.Aggregate) folds {
	all := folds{}
	for i := range aggregates {
		all[aggregates[i].Category] = &aggregates[i]
	}
	return all
}

// in is a stream among others, which begins if it is not there.
func (all folds) in(streams map[string]*Folded, stream string) (*Folded, error) {
	if s := streams[stream]; s != nil {
		return s, nil
	}
	s, err := all.begin(stream)
	if err == nil {
		streams[strings.Clone(stream)] = s
	}
	return s, err
}

// begin is a stream before its first event. It fails if the stream's category has no fold.
func (all folds) begin(stream string) (*Folded, error) {
	category, _, _ := strings.Cut(stream, ":")
	a, known := all[category]
	if !known {
		return nil, fmt.Errorf("nothing folds the stream %s", stream)
	}
	return &Folded{State: a.Zero, aggregate: a}, nil
}
