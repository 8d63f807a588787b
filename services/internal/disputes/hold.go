package disputes

import (
	"context"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/disputes"
	"adashi.ng/services/internal/usecase"
)

// aboutRequest makes a dispute concern a group's requested payout that the member may see.
func (s *Service) aboutRequest(ctx context.Context, c *rules.Claim, id string) error {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return err
	}
	seen, err := s.Requests.Liquidation(ctx, c.User, id)
	if err != nil {
		return err
	}
	c.Group, c.Sub, c.About = seen.GroupId, seen.SubAccountId, rules.AboutPayout(id)
	if c.Amount == 0 && seen.Holdable != nil {
		c.Amount, err = usecase.Kobo("amount", *seen.Holdable)
	}
	return err
}

// holding returns the commands that hold the disputed amount of a payout in its sub-account, if the member wants that.
// For an ajo's pot the members refuse the payout instead.
func (s *Service) holding(ctx context.Context, c rules.Claim, form OpenDisputeRequest) ([]event.Command, error) {
	switch {
	case form.Hold == nil || !*form.Hold:
		return nil, nil
	case given(form.RequestId):
		l, err := s.LiquidationState(ctx, *form.RequestId)
		if err != nil {
			return nil, err
		}
		return []event.Command{rules.HoldPayout{DisputeID: c.DisputeID, User: c.User, Of: liquidation.About(*form.RequestId, l), Amount: c.Amount, Now: c.Now}}, nil
	default:
		return nil, fault.Field("hold", "Only a payout of a group that still waits can be held. Open the dispute from it, or leave the hold out.")
	}
}

// AllowHold allows the hold on a payout that a member requested, or extends it.
func (s *Service) AllowHold(ctx context.Context, who usecase.Who, id string) (Case, int64, error) {
	id, err := usecase.ParseID(id, "case")
	if err != nil {
		return Case{}, 0, err
	}
	d, err := s.dispute(ctx, id)
	if err != nil {
		return Case{}, 0, err
	}
	l, err := s.LiquidationState(ctx, d.Hold.Liquidation)
	if err != nil {
		return Case{}, 0, err
	}
	return s.work(ctx, who, "allow hold", id, "", 0, func(c rules.Case, _ *nairav1.Words) event.Command {
		return rules.AllowHold{Case: c, Of: liquidation.About(d.Hold.Liquidation, l), Now: s.Now()}
	})
}

func holdView(d disputes.Dispute) *DisputeHold {
	if d.Hold == "" {
		return nil
	}
	return &DisputeHold{Amount: usecase.Naira(d.HoldAmount), Status: DisputeHoldStatus(d.Hold), Until: d.HoldUntil}
}
