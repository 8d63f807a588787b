package membership

import (
	"context"
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/usecase"
)

// About is the snapshot of one member of a group, for a viewer who may see it: themselves, or an official.
func (r *Reader) About(ctx context.Context, viewer, groupID, memberID string) (Snapshot, groups.Group, Seat, groups.Member, error) {
	c, g, s, err := r.GroupFor(ctx, viewer, groupID, viewer)
	if err != nil {
		return c, g, s, groups.Member{}, err
	}
	if memberID == viewer {
		if s.Member.Status != string(savings.Active) && s.Member.Status != string(savings.Inactive) {
			return c, g, s, s.Member, NotYet(s)
		}
		return c, g, s, s.Member, nil
	}
	if !s.Active() || !s.Official {
		return c, g, s, groups.Member{}, fault.New(fault.Forbidden, "Only the group's owner, validator and approvers see what other members pay.")
	}
	memberID, err = usecase.ParseID(memberID, "member")
	if err != nil {
		return c, g, s, groups.Member{}, err
	}
	if c, err = r.Snapshot(ctx, memberID, g); err != nil {
		return c, g, s, groups.Member{}, err
	}
	of, in := c.Seat(g, memberID)
	if !in {
		return c, g, s, groups.Member{}, fault.New(fault.NotFound, "There is no such member.")
	}
	return c, g, s, of.Member, nil
}

// Official is a group for one of its officials.
func (r *Reader) Official(ctx context.Context, user, groupID string) (Snapshot, groups.Group, Seat, error) {
	c, g, s, err := r.GroupFor(ctx, user, groupID, user)
	if err == nil && (!s.Active() || !s.Official) {
		err = fault.New(fault.Forbidden, "Only the group's owner, validator and approvers see this.")
	}
	return c, g, s, err
}

// Chosen are the group's sub-accounts, or the one that was asked for.
func (c Snapshot) Chosen(g groups.Group, subID *string) ([]groups.SubAccount, error) {
	subs := c.Subs[g.ID]
	if subID == nil || *subID == "" {
		return subs, nil
	}
	i := slices.IndexFunc(subs, func(s groups.SubAccount) bool { return s.ID == *subID })
	if i < 0 {
		return nil, fault.New(fault.NotFound, "There is no such sub-account.")
	}
	return subs[i : i+1], nil
}

// HidesTotal says whether what a sub-account holds is hidden from an onlooker.
func HidesTotal(g groups.Group, s groups.SubAccount, viewer Seat) bool {
	return !viewer.Official && !(s.ShowTotal && g.ShowTotal)
}

// NotYet says why somebody who is in a group's books sees nothing of it.
func NotYet(s Seat) error {
	if s.Member.Status == string(savings.Inactive) {
		return fault.New(fault.Forbidden, "You are inactive in this group, so you see your own money in it alone. Ask an approver to let you back in.")
	}
	return fault.New(fault.Forbidden, "You are not a member of this group yet. You see it once an approver lets you in.")
}

// ShowAvatars puts the pictures to a list of members.
func (r *Reader) ShowAvatars(ctx context.Context, ids []string, list []Member) error {
	if r.Avatars == nil {
		return nil
	}
	avatars, err := r.Avatars(ctx, ids)
	for i := range list {
		if id := avatars[list[i].UserId]; id != "" {
			list[i].Avatar = usecase.OrNil("/api/v1/files/" + id)
		}
	}
	return err
}
