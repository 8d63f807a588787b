// Package months closes the months of groups and ajo: it seals a month's list, draws its sample from a public beacon,
// and shows its attestation. The rules are in ledger/domain/sampling.
package months

import (
	"context"
	"errors"
	"math"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/sampling"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/months"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Service closes months and shows those that are closed.
type Service struct {
	*usecase.Base
	Membership *membership.Reader
	Beacon     *beacon.Client
}

// ReadModels are the read models that months are shown from.
var ReadModels = []string{months.Name, groups.Name, ajos.Name}

// place is a group or an ajo as one of its members sees it.
type place struct {
	sampling.Place
	name, closer string
	figures      bool // Whether the member may see the number of payments.
}

// place finds a group or an ajo for a person who is in it.
func (s *Service) place(ctx context.Context, user, id string) (place, error) {
	id, err := usecase.ParseID(id, "group or ajo")
	if err != nil {
		return place{}, err
	}
	a, err := ajos.ByID(ctx, s.Pool, id)
	switch {
	case err == nil && !a.State.IsMember(user):
		return place{}, fault.New(fault.NotFound, "There is no such group or ajo.")
	case err == nil:
		return place{Place: sampling.Place{Ajo: id}, name: a.Name, closer: sampling.AjoCloser(a.State), figures: true}, nil
	case !errors.Is(err, ajos.ErrNone):
		return place{}, err
	}
	c, g, seat, err := s.Membership.GroupFor(ctx, user, id, user)
	if fault.Is(err, fault.NotFound) {
		return place{}, fault.New(fault.NotFound, "There is no such group or ajo.")
	}
	if err == nil && !seat.Active() {
		err = membership.NotYet(seat)
	}
	if err != nil {
		return place{}, err
	}
	closer := g.Validator
	if closer == "" {
		closer = g.Owner
	}
	return place{Place: sampling.Place{Group: id}, name: g.Name, closer: closer, figures: c.SeesTotal(g, seat.Official)}, nil
}

// byID returns a place for a job.
func byID(m months.Month) place {
	if m.Ajo {
		return place{Place: sampling.Place{Ajo: m.Place}}
	}
	return place{Place: sampling.Place{Group: m.Place}}
}

// state returns the ledger's state of a place's months.
func (s *Service) state(ctx context.Context, p place) (sampling.Months, error) {
	state, err := s.Ledger.Load(ctx, p.Stream())
	if err != nil {
		return sampling.Months{}, err
	}
	return state.(sampling.Months), nil
}

// caughtUp waits for the read models to reach the head of the ledger.
func (s *Service) caughtUp(ctx context.Context) error {
	_, head, err := history.Head(ctx, s.Pool)
	if err == nil {
		s.Tracker.WaitFor(ctx, head, usecase.ReadModelWait, ReadModels...)
	}
	return err
}

// payments reads the payments of a list, and the position up to which their marks are known.
func (s *Service) payments(ctx context.Context, p place, l query.ListOf) ([]query.Listed, error) {
	if p.Ajo != "" {
		return ajos.Listed(ctx, s.Pool, p.Ajo, l)
	}
	return groups.Listed(ctx, s.Pool, p.Group, l)
}

// listOf returns the bounds of a closed month's list.
func listOf(m months.Month) (query.ListOf, error) {
	_, end, err := sampling.Span(m.Month)
	l := query.ListOf{Upto: m.Position, Since: m.Since, End: end, ToldLateAfter: m.ToldLateAfter}
	if m.AttestedAt != nil {
		l.Said = *m.AttestedAt
	}
	return l, err
}

// sealed reads a closed month's list as it was sealed, with the payments' present marks.
func (s *Service) sealed(ctx context.Context, p place, m months.Month) (sampling.List, []query.Listed, error) {
	list := sampling.List{Month: m.Month, Position: m.Position, Since: m.Since, ToldLateAfter: m.ToldLateAfter}
	bounds, err := listOf(m)
	if err != nil {
		return list, nil, err
	}
	rows, err := s.payments(ctx, p, bounds)
	if err != nil {
		return list, nil, err
	}
	always := map[int64]bool{} // A payment may have become unusual since.
	for _, pos := range m.Always {
		always[pos] = true
	}
	for _, r := range rows {
		list.Items = append(list.Items, sampling.Item{Pos: r.Pos, At: r.At, Always: always[r.Pos]})
	}
	return list, rows, nil
}

// open reads the list of a month from the present ledger.
func (s *Service) open(ctx context.Context, p place, state sampling.Months, month string) (sampling.List, error) {
	list := sampling.List{Month: month}
	_, end, err := sampling.Span(month)
	if err != nil {
		return list, err
	}
	// The first list begins with its month, whenever its payments were recorded.
	if list.Since, list.ToldLateAfter, err = state.Begins(month, math.MaxInt64); err != nil {
		return list, err
	}
	rows, err := s.payments(ctx, p, query.ListOf{Upto: math.MaxInt64, Since: list.Since, End: end, ToldLateAfter: list.ToldLateAfter})
	if err != nil || len(rows) == 0 {
		return list, err
	}
	list.Position = rows[0].Stand
	_, list.ToldLateAfter, err = state.Begins(month, list.Position)
	for _, r := range rows {
		list.Items = append(list.Items, sampling.Item{Pos: r.Pos, At: r.At, Always: r.Always})
	}
	return list, err
}
