package agenda

import (
	"context"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/usecase"
)

// linksShown is how many kept links are looked at: the newest.
const linksShown = 5

// invitations adds the links that the person came by and has neither used nor put aside, where they still work.
func (r *reading) invitations(ctx context.Context) error {
	kept, err := r.Invited.List(ctx, r.caller.UserID)
	if err != nil {
		return err
	}
	for _, p := range kept[:min(len(kept), linksShown)] {
		name, err := r.leadsTo(ctx, p)
		if fault.As(err) != nil {
			continue // Withdrawn, or the place has ended.
		}
		if err != nil {
			return err
		}
		if name == "" {
			continue
		}
		at := place{Kind: ofGroup, Id: p.ID, Name: name}
		if p.Kind == invited.Ajo {
			at.Kind = ofAjo
		}
		r.add(Row{Id: "link:" + p.ID, Kind: Invitation, Title: "You are invited", Place: &at, Button: "Look", Link: p.Path()}, 0, "")
	}
	return nil
}

// leadsTo names the place of a link; it is empty where the person is in already or has asked, and where nobody gets in.
func (r *reading) leadsTo(ctx context.Context, p invited.Place) (string, error) {
	if p.Kind == invited.Savings {
		group, err := r.Groups.Invitation(ctx, r.caller.UserID, p.ID, p.Code)
		if err != nil || group.MemberStatus != nil {
			return "", err
		}
		return group.Name, nil
	}
	view, err := r.Ajo.Data(ctx, r.caller.UserID, p.ID, usecase.OrNil(p.Code))
	open := view.Status == ajo.AjoStatus(rules.Open) && view.FreeHalves > 0 || len(view.OpenPlaces) > 0
	if err != nil || view.IsMember || !open {
		return "", err
	}
	return view.Name, nil
}
