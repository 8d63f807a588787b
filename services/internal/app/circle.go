package app

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/usecase"
)

// circle is everything the views of some groups are made of. members and paid are everybody's, or one user's alone.
type circle struct {
	members map[string][]groups.Member
	subs    map[string][]groups.SubAccount
	paid    map[payer]savings.Paid
	away    map[[2]string][]groups.Span // By group and user.
	months  map[string]map[string]money.Kobo
	today   time.Time
	// verified are the owners with a verified BVN, of groups that wait for one.
	verified map[string]bool
	money    groupMoney       // Read apart: see App.groupMoney.
	tallies  map[string]tally // Read apart: see App.tallies.
}

// payer is who pays into what: a group, a user and a sub-account.
type payer [3]string

func newCircle(today time.Time) circle {
	return circle{members: map[string][]groups.Member{}, subs: map[string][]groups.SubAccount{}, paid: map[payer]savings.Paid{}, today: today}
}

// queue puts to a batch what depends on the groups' ids alone. With only, no more of the members and what they paid is
// read than that user: a big group is not read for a view that shows one person.
func (c *circle) queue(batch *pgx.Batch, only string, ids ...string) {
	groups.Members(only, ids...).Queue(batch, c.takeMembers)
	groups.SubAccounts(ids...).Queue(batch, c.takeSubs)
	groups.Contributors(only, ids...).Queue(batch, c.takePaid)
	groups.Months(ids, month(c.today, -1), month(c.today, 0)).Queue(batch, func(taken map[string]map[string]money.Kobo) { c.months = taken })
	groups.Absences(only, ids...).Queue(batch, c.takeAway)
}

func (c *circle) takeMembers(found []groups.Member) {
	for _, m := range found {
		c.members[m.GroupID] = append(c.members[m.GroupID], m)
	}
}

func (c *circle) takeSubs(found []groups.SubAccount) {
	for _, s := range found {
		c.subs[s.GroupID] = append(c.subs[s.GroupID], s)
	}
}

func (c *circle) takePaid(found []groups.Contributor) {
	for _, p := range found {
		c.paid[payer{p.GroupID, p.User, p.SubAccountID}] = paidOf(p)
	}
}

func (c *circle) takeAway(away map[[2]string][]groups.Span) { c.away = away }

// circle reads the circle of groups; only is that of circle.queue.
func (a *App) circle(ctx context.Context, only string, gs ...groups.Group) (circle, error) {
	c, batch := newCircle(savings.Day(a.Now())), &pgx.Batch{}
	c.queue(batch, only, groupIDsOf(gs)...)
	if err := query.Send(ctx, a.Pool, batch); err != nil {
		return c, err
	}
	var err error
	c.verified, err = a.verifiedOwners(ctx, gs)
	return c, err
}

func groupIDsOf(gs []groups.Group) []string {
	ids := make([]string, len(gs))
	for i, g := range gs {
		ids[i] = g.ID
	}
	return ids
}

// groupFor is a group for a user who is in it, with the circle of only: see circle.queue. What also queues is read with
// them, whether or not the user is in the group.
func (a *App) groupFor(ctx context.Context, user, id, only string, also ...func(batch *pgx.Batch, groupID string)) (circle, groups.Group, seat, error) {
	c, batch := newCircle(savings.Day(a.Now())), &pgx.Batch{}
	none := fault.New(fault.NotFound, "There is no such group.")
	id, err := usecase.ParseID(id, "group")
	if err != nil {
		return c, groups.Group{}, seat{}, err
	}
	var found []groups.Group
	groups.ByIDs(id).Queue(batch, func(gs []groups.Group) { found = gs })
	c.queue(batch, only, id)
	for _, queue := range also {
		queue(batch, id)
	}
	if err := query.Send(ctx, a.Pool, batch); err != nil {
		return c, groups.Group{}, seat{}, err
	}
	if len(found) == 0 {
		return c, groups.Group{}, seat{}, none
	}
	g := found[0]
	if c.verified, err = a.verifiedOwners(ctx, found); err != nil {
		return c, g, seat{}, err
	}
	s, in := c.seat(g, user)
	if !in {
		return c, g, s, none
	}
	return c, g, s, nil
}

// others begins the circle of other members of the same groups.
func (c circle) others() circle {
	of := newCircle(c.today)
	of.subs = c.subs
	return of
}

// queueDues puts to a batch what some members of a group paid, and when anybody in it was inactive.
func (c *circle) queueDues(batch *pgx.Batch, groupID string, users []string) {
	groups.ContributorsAmong(groupID, users).Queue(batch, c.takePaid)
	groups.Absences("", groupID).Queue(batch, c.takeAway)
}

// among is the circle of some of a group's members.
func (a *App) among(ctx context.Context, c circle, g groups.Group, users []string) (circle, error) {
	of, batch := c.others(), &pgx.Batch{}
	groups.MembersAmong(g.ID, users).Queue(batch, of.takeMembers)
	of.queueDues(batch, g.ID, users)
	err := query.Send(ctx, a.Pool, batch)
	return of, err
}

// month is the YYYY-MM so many months from a day.
func month(day time.Time, offset int) string {
	return time.Date(day.Year(), day.Month()+time.Month(offset), 1, 0, 0, 0, 0, time.UTC).Format("2006-01")
}

// seat is what a user is in a group.
type seat struct {
	member   groups.Member
	role     contract.GroupRole
	official bool // Owner, approver or validator: always sees the totals.
}

func (c circle) seat(g groups.Group, user string) (seat, bool) {
	for _, m := range c.members[g.ID] {
		if m.User == user {
			role := roleOf(g, user)
			return seat{m, role, role != contract.GroupRoleMEMBER}, true
		}
	}
	return seat{}, false
}

func roleOf(g groups.Group, user string) contract.GroupRole {
	switch {
	case user == g.Owner:
		return contract.GroupRoleOWNER
	case user == g.Validator:
		return contract.GroupRoleVALIDATOR
	case slices.Contains(g.Approvers, user):
		return contract.GroupRoleAPPROVER
	default:
		return contract.GroupRoleMEMBER
	}
}

// seesTotal says whether the group's total may be shown to an onlooker. A hidden sub-account hides the group's total
// too, which would tell it.
func (c circle) seesTotal(g groups.Group, official bool) bool {
	if official {
		return true
	}
	for _, s := range c.subs[g.ID] {
		if !s.ShowTotal {
			return false
		}
	}
	return g.ShowTotal
}

func (s seat) active() bool { return s.member.Status == string(savings.Active) }
