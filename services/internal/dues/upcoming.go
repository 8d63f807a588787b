package dues

import (
	"context"
	"fmt"

	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// The limits of the list of upcoming dues.
const (
	duesAhead = 31 // Days.
	duesShown = 10
)

// Upcoming returns the oldest dues of a member that are not fully paid, one of each sub-account that they pay into.
func (s *Service) Upcoming(ctx context.Context, user string) ([]DueView, error) {
	out := []DueView{}
	gs, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil {
		return out, err
	}
	c, err := s.Membership.Snapshot(ctx, user, gs...)
	if err != nil {
		return out, err
	}
	for _, g := range gs {
		seat, in := c.Seat(g, user)
		if !in || !seat.Active() {
			continue
		}
		for _, sub := range c.Subs[g.ID] {
			d := c.DuesOf(sub, seat.Member)
			if due, ok := membership.NextDue(g, sub, d, c.Today, c.Today.AddDate(0, 0, duesAhead)); ok {
				out = append(out, due)
			}
		}
	}
	membership.Soonest(out)
	return out[:min(len(out), duesShown)], nil
}

// Ties returns, for a person who wants to leave Adashi, their open dues: in every group that has not ended, whether it
// takes money now or not, and whether they are active there or not. Open dues keep them from leaving the group.
func (s *Service) Ties(ctx context.Context, user string) (ties []string, err error) {
	gs, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	c, err := s.Membership.Snapshot(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	for _, g := range gs {
		seat, in := c.Seat(g, user)
		if !in || !usecase.InGroup(savings.Status(seat.Member.Status)) || savings.Status(g.Status).Ended() {
			continue
		}
		for _, sub := range c.Subs[g.ID] {
			d := c.DuesOf(sub, seat.Member)
			if owed := d.Binding(c.Today); owed > 0 {
				ties = append(ties, fmt.Sprintf("You still owe %s to %s · %s for %s.", owed, g.Name, sub.Name, d.Schedule.Label(d.Next())))
			}
		}
	}
	return ties, nil
}
