package audit

import (
	"cmp"
	"context"
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/projections/ajos"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// askedAtOnce limits how many open questions a member sees, and how many are read at once.
const askedAtOnce = 50

// asked is a payment about which its member is or was asked, and the group or ajo that it was made to.
type asked struct {
	pos   int64
	group string
	ajo   string
	shown OpenQuestion
}

// askedOf reads them before a position (0: from the newest), newest first. open leaves out resolved ones.
func (s *Service) askedOf(ctx context.Context, user string, open bool, before int64) ([]asked, error) {
	ofGroups, err := groups.AskedOf(ctx, s.Pool, user, open, before, askedAtOnce)
	if err != nil {
		return nil, err
	}
	ofAjos, err := ajos.AskedOf(ctx, s.Pool, user, open, before, askedAtOnce)
	if err != nil {
		return nil, err
	}
	all := make([]asked, 0, len(ofGroups)+len(ofAjos))
	for _, p := range ofGroups {
		all = append(all, asked{pos: p.Pos, group: p.Group, shown: OpenQuestion{
			PaymentId: p.Event.String(), Amount: usecase.Naira(p.Amount), Date: p.At.UTC(), QueriedAt: p.MarkedAt.UTC(), Reason: p.Reason, Answered: p.Answered,
		}})
	}
	for _, p := range ofAjos {
		all = append(all, asked{pos: p.Pos, ajo: p.AjoID, shown: OpenQuestion{
			PaymentId: p.Event.String(), Amount: usecase.Naira(p.Amount), Date: p.At.UTC(), QueriedAt: p.MarkedAt.UTC(), Reason: p.Reason, Answered: p.Answered,
		}})
	}
	slices.SortFunc(all, func(a, b asked) int { return cmp.Compare(b.pos, a.pos) })
	return all[:min(askedAtOnce, len(all))], nil
}

// Questions returns a member's payments that are queried and not resolved, the newest first.
func (s *Service) Questions(ctx context.Context, user string) ([]OpenQuestion, error) {
	out := []OpenQuestion{}
	all, err := s.askedOf(ctx, user, true, 0)
	if err != nil || len(all) == 0 {
		return out, err
	}
	ids := make([]string, 0, len(all))
	for _, one := range all {
		ids = append(ids, one.group)
	}
	names, err := s.Names(ctx, usecase.UniqueIDs(ids), nil)
	if err != nil {
		return out, err
	}
	for _, one := range all {
		one.shown.Place = names.Groups[one.group].Name
		if one.ajo != "" {
			a, err := ajos.ByID(ctx, s.Pool, one.ajo)
			if err != nil {
				return out, err
			}
			one.shown.Place = a.Name
		}
		out = append(out, one.shown)
	}
	return out, nil
}

// Asked returns all questions to a member about their payments, with the messages.
func (s *Service) Asked(ctx context.Context, user string) ([]Question, error) {
	all := []Question{}
	for before := int64(0); ; {
		page, err := s.askedOf(ctx, user, false, before)
		if err != nil || len(page) == 0 {
			return all, err
		}
		for _, one := range page {
			before = one.pos
			q, err := s.Question(ctx, user, one.shown.PaymentId)
			if fault.Is(err, fault.NotFound) {
				continue // One that they cannot see does not hold back the others.
			}
			if err != nil {
				return all, err
			}
			all = append(all, q)
		}
	}
}
