package agenda

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// inGroups is a person's groups while their rows are read.
type inGroups struct {
	*reading
	all     map[string]groups.Group
	offices map[string]savings.Group // As the ledger has them: those in which the person holds an office.
	waiters []groups.Waiting         // People who ask to join.
	waivers []groups.Waiver
	cards   map[string]people.Card
}

const peopleMax = 200

// groups adds the rows of groups.
func (r *reading) groups(ctx context.Context) error {
	gs, err := groups.OfUser(ctx, r.Pool, r.caller.UserID)
	if err != nil || len(gs) == 0 {
		return err
	}
	c, err := r.Membership.Snapshot(ctx, r.caller.UserID, gs...)
	if err != nil {
		return err
	}
	in := inGroups{reading: r, all: map[string]groups.Group{}, offices: map[string]savings.Group{}}
	for _, g := range gs {
		in.all[g.ID] = g
		if g.Owner == r.caller.UserID {
			r.owned = append(r.owned, *groupPlace(g))
		}
		seat, _ := c.Seat(g, r.caller.UserID)
		switch {
		case seat.Member.Status == string(savings.Invited):
			in.invited(g)
		case seat.Active():
			in.dues(c, g, seat)
			if seat.Official && !savings.Status(g.Status).Ended() {
				in.offices[g.ID] = savings.Group{}
			}
		}
	}
	if len(in.offices) == 0 {
		return nil
	}
	return in.official(ctx)
}

func groupPlace(g groups.Group) *place { return &place{Kind: ofGroup, Id: g.ID, Name: g.Name} }

func (in inGroups) invited(g groups.Group) {
	in.add(Row{Id: "invitation:" + g.ID, Kind: Invitation, Title: "You are invited", Place: groupPlace(g), Button: "Answer", Link: "/savings/" + g.ID}, 0, "")
}

// dues adds the oldest unpaid due of each sub-account, if it is late or its last day is near.
func (in inGroups) dues(c membership.Snapshot, g groups.Group, seat membership.Seat) {
	until := in.today.AddDate(0, 0, daysAhead)
	for _, sub := range c.Subs[g.ID] {
		d := c.DuesOf(sub, seat.Member)
		due, ok := membership.NextDue(g, sub, d, in.today, until)
		if !ok || due.DueDate > until.Format(time.DateOnly) {
			continue
		}
		k := d.Next()
		query := url.Values{"subAccountId": {sub.ID}, "groupId": {g.ID}, "period": {due.Period}}
		in.add(Row{
			Id: "due:" + sub.ID + ":" + due.Period, Kind: GroupDue, Title: sub.Name + ", " + due.Label, Place: groupPlace(g),
			Button: "Pay", Link: "/dashboard/sub-account/payment?" + query.Encode(),
		}, d.Owed(k)-d.Paid(k), due.DueDate)
	}
}

// official adds what waits for the officials of groups.
func (in inGroups) official(ctx context.Context) error {
	ids := slices.Sorted(maps.Keys(in.offices))
	var streams []string
	for _, id := range ids {
		streams = append(streams, savings.GroupStream(id))
	}
	err := in.See(ctx, streams, nil, func(v event.View) {
		for _, id := range ids {
			in.offices[id] = event.StateOf[savings.Group](v, savings.GroupStream(id))
		}
	})
	if err != nil {
		return err
	}
	if in.waiters, err = groups.WaitingIn(ctx, in.Pool, ids, string(savings.Pending), peopleMax); err != nil {
		return err
	}
	if in.waivers, err = groups.OpenWaivers(ctx, in.Pool, ids); err != nil {
		return err
	}
	asked, err := in.Liquidations.Waiting(ctx, in.caller.UserID, in.offices)
	if err != nil {
		return err
	}
	var users []string
	for _, w := range in.waiters {
		users = append(users, w.User)
	}
	for _, w := range in.waivers {
		users = append(users, w.User, w.RequestedBy)
	}
	for _, a := range asked {
		users = append(users, a.RequestedBy)
	}
	for _, g := range in.offices {
		users = append(users, g.Owner, g.Succession.Candidate)
	}
	if in.cards, err = in.People.Cards(ctx, usecase.UniqueIDs(users)); err != nil {
		return err
	}
	for _, a := range asked {
		in.request(a.ID, a.Group, a.RequestedBy, a.Kind, a.May, a.Amount, a.ExpiresAt)
	}
	for _, id := range ids {
		if err := in.office(ctx, in.all[id], in.offices[id]); err != nil {
			return err
		}
	}
	return nil
}

func (in inGroups) name(user string) string { return usecase.FullName(in.cards, user) }

// requestButtons are the buttons of what an official may do with a request.
var requestButtons = map[string]string{"VALIDATE": "Validate", "APPROVE": "Approve", "ANSWER": "Answer", "RETRY": "Send again"}

func (in inGroups) request(id, group, by string, kind nairav1.LiquidationKind, may string, amount money.Kobo, expires time.Time) {
	title := in.name(by) + " asks for their savings"
	if kind == nairav1.LiquidationKind_LIQUIDATION_KIND_GROUP_DISBURSEMENT {
		title = in.name(by) + " asks the group to pay"
	}
	last := day(expires)
	switch may {
	case "ANSWER":
		title = "Members object to a payment"
	case "RETRY":
		title, last = "The bank did not pay", ""
	}
	in.add(Row{
		Id: "request:" + id + ":" + may, Kind: Request, Title: title, Place: groupPlace(in.all[group]), Button: requestButtons[may],
		Link: "/savings/" + group + "/liquidation-requests?request=" + id,
	}, amount, last)
}

// office adds the rows of a group in which the person holds an office.
func (in inGroups) office(ctx context.Context, g groups.Group, state savings.Group) error {
	user := in.caller.UserID
	if state.MayApprove(user) {
		in.joining(g)
	}
	for _, w := range in.waivers {
		deciders := w.Deciders
		if len(deciders) == 0 { // From before the deciders were fixed.
			deciders = g.Approvers
		}
		if w.GroupID == g.ID && slices.Contains(deciders, user) && user != w.User && user != w.RequestedBy {
			in.add(Row{
				Id: "waiver:" + w.ID, Kind: Waiver, Title: in.name(w.RequestedBy) + " asks to let " + in.name(w.User) + " off a due", Place: groupPlace(g),
				Button: "Decide", Link: "/savings/" + g.ID + "/unsettled-payments",
			}, 0, "")
		}
	}
	if state.Offered == user {
		in.add(Row{
			Id: "ownership:" + g.ID, Kind: Ownership, Title: in.name(state.Owner) + " asks you to take over", Place: groupPlace(g), Button: "Answer",
			Link: "/savings/" + g.ID + "/settings#ownership",
		}, 0, "")
	}
	if err := in.succession(ctx, g, state); err != nil || state.Owner != user {
		return err
	}
	in.setup(g)
	return nil
}

// joining adds the people who ask to join, in one row for each group.
func (in inGroups) joining(g groups.Group) {
	var asking []groups.Waiting
	for _, w := range in.waiters {
		if w.GroupID == g.ID {
			asking = append(asking, w)
		}
	}
	if status := savings.Status(g.Status); len(asking) == 0 || status != savings.Active && status != savings.PendingApproval {
		return
	}
	title, link := fmt.Sprintf("%d people ask to join", len(asking)), "/savings/"+g.ID+"/members?status=PENDING"
	if len(asking) == 1 {
		title, link = in.name(asking[0].User)+" asks to join", link+"&member="+asking[0].User
	}
	in.add(Row{Id: "join:" + g.ID, Kind: Join, Title: title, Place: groupPlace(g), Button: "Decide", Link: link}, 0, "")
}

// succession adds an open vote on a group's owner, unless the owner was here meanwhile, which ends it.
func (in inGroups) succession(ctx context.Context, g groups.Group, state savings.Group) error {
	vote := state.Succession
	ends := vote.Since.Add(savings.VoteFor)
	if vote.Candidate == "" || vote.Voted(in.caller.UserID) || !slices.Contains(state.Voters(), in.caller.UserID) || !in.now.Before(ends) {
		return nil
	}
	seen, err := in.People.SeenAt(ctx, state.Owner)
	if err != nil || in.now.Sub(seen) < savings.AwayFor {
		return err
	}
	in.add(Row{
		Id: "succession:" + g.ID, Kind: Succession, Title: in.name(vote.Candidate) + " may take over from " + in.name(state.Owner), Place: groupPlace(g), Button: "Vote",
		Link: "/savings/" + g.ID + "/settings#ownership",
	}, 0, day(ends))
	return nil
}

// setup adds the next step of an owner whose group is not active yet. Their BVN has a row of its own.
func (in inGroups) setup(g groups.Group) {
	if savings.Status(g.Status) != savings.PendingApproval {
		return
	}
	page := "/savings/" + g.ID + "/settings#officials"
	var title string
	button := "Choose"
	switch {
	case g.Validator != "" && len(g.Approvers) > 1:
		return
	case g.Members < 2:
		title, button, page = "Invite people to your group", "Invite", "/savings/group/invite?group="+g.ID
	case g.Validator == "":
		title = "Appoint a validator"
	case g.Members < 3:
		title, button, page = "Invite one more person", "Invite", "/savings/group/invite?group="+g.ID
	default:
		title = "Appoint an approver"
	}
	in.add(Row{Id: "setup:" + g.ID, Kind: GroupSetup, Title: title, Place: groupPlace(g), Button: button, Link: page}, 0, "")
}

// own adds the steps that a person has to take for their own account.
func (r *reading) own(ctx context.Context) error {
	a, err := r.AccountState(ctx, r.caller.UserID)
	if err != nil {
		return err
	}
	if a.Bvn != account.Verified {
		r.add(Row{Id: "verify", Kind: Verify, Title: "Verify your bank account and your BVN", Button: "Verify", Link: "/dashboard/profile/edit#bank"}, 0, "")
	}
	if a.Frozen && a.ThawAt.IsZero() {
		r.add(Row{Id: "thaw", Kind: Thaw, Title: "Your money is frozen", Button: "Thaw", Link: "/dashboard/security#freeze"}, 0, "")
	}
	return nil
}
