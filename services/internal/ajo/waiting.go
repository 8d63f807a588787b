package ajo

import (
	"context"
	"slices"

	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/usecase"
)

// Waiting is an ajo of a member, with all in it that may wait for them.
type Waiting struct {
	Ajo
	Owes AjoDues     // Without the due of a seat that collects, which is taken from its pot.
	Pots []AjoPayout // That may be paid out and are not.
}

// Waiting returns the ajo in which a member holds a place and that have not ended. An owner may close a list if it is
// full and nothing else is missing.
func (s *Service) Waiting(ctx context.Context, user string) ([]Waiting, error) {
	sights, err := s.sights(ctx, user)
	if err != nil {
		return nil, err
	}
	out := make([]Waiting, 0, len(sights))
	for _, v := range sights {
		w := Waiting{Ajo: v.whole()}
		v.owes(&w.Owes)
		w.Owes.Dues = slices.DeleteFunc(w.Owes.Dues, func(l AjoDueLine) bool { return l.Seat == v.collects(l.Cycle) })
		for _, ready := range v.a.Cycles {
			if !v.cycles[ready.Cycle].PaidOut {
				w.Pots = append(w.Pots, v.payout(ready))
			}
		}
		full := !slices.ContainsFunc(v.a.Seats, func(s rules.Seat) bool { return s.Halves() < 2 })
		w.Me.MayClose = full && v.a.Status == rules.Open && v.a.Owner == user && s.closeNeeds(ctx, v.room, user) == nil
		out = append(out, w)
	}
	return out, nil
}

// sights reads the ajo in which a user holds a place and that have not ended, all of them at once.
func (s *Service) sights(ctx context.Context, user string) ([]sight, error) {
	list, err := ajos.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, a := range list {
		if !slices.Contains([]rules.Status{rules.Cancelled, rules.Completed}, a.State.Status) {
			ids = append(ids, a.ID)
		}
	}
	rooms, err := s.rooms(ctx, ids...)
	if err != nil {
		return nil, err
	}
	rooms = slices.DeleteFunc(rooms, func(r *room) bool { return !r.knows(user) }) // They left just now.
	if err := s.fill(ctx, rooms...); err != nil {
		return nil, err
	}
	var everyone []string
	for _, r := range rooms {
		everyone = append(everyone, r.everyone()...)
	}
	cards, err := s.names(ctx, usecase.UniqueIDs(everyone))
	all := make([]sight, 0, len(rooms))
	for _, r := range rooms {
		all = append(all, sight{room: *r, s: s, user: user, cards: cards, today: s.today(), now: s.Now()})
	}
	return all, err
}
