package app

import (
	"context"
	"math"
	"slices"
	"time"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/savings"
	"adashi.ng/projections/groups"
)

// circle is everything the views of some groups are made of. members and paid are everybody's, or one user's alone.
type circle struct {
	members map[string][]groups.Member
	subs    map[string][]groups.SubAccount
	paid    map[payer]savings.Paid
	away    map[[2]string][]groups.Span // By group and user.
	months  map[string]map[string]money.Kobo
	money   groupMoney
	today   time.Time
	// verified are the owners with a verified BVN, of groups that wait for one.
	verified map[string]bool
	tallies  map[string]tally // Read apart: see App.tallies.
}

// payer is who pays into what: a group, a user and a sub-account.
type payer [3]string

// circle reads it all, or with only, no more of the members and what they paid than that user: a big group is not read
// for a view that shows one person.
func (a *App) circle(ctx context.Context, only string, gs ...groups.Group) (circle, error) {
	c := circle{
		members: map[string][]groups.Member{}, subs: map[string][]groups.SubAccount{},
		paid: map[payer]savings.Paid{}, today: savings.Day(a.Now()),
	}
	ids := make([]string, 0, len(gs))
	for _, g := range gs {
		ids = append(ids, g.ID)
	}
	members, err := groups.Members(ctx, a.Pool, only, ids...)
	if err != nil {
		return c, err
	}
	for _, m := range members {
		c.members[m.GroupID] = append(c.members[m.GroupID], m)
	}
	subs, err := groups.SubAccounts(ctx, a.Pool, ids...)
	if err != nil {
		return c, err
	}
	for _, s := range subs {
		c.subs[s.GroupID] = append(c.subs[s.GroupID], s)
	}
	if c.money, err = a.groupMoney(ctx, ids, c.subs); err != nil {
		return c, err
	}
	contributors, err := groups.Contributors(ctx, a.Pool, only, ids...)
	if err != nil {
		return c, err
	}
	for _, p := range contributors {
		c.paid[payer{p.GroupID, p.User, p.SubAccountID}] = paidOf(p)
	}
	if c.away, err = groups.Absences(ctx, a.Pool, only, ids...); err != nil {
		return c, err
	}
	if c.verified, err = a.verifiedOwners(ctx, gs); err != nil {
		return c, err
	}
	c.months, err = groups.Months(ctx, a.Pool, ids, []string{month(c.today, 0), month(c.today, -1)})
	return c, err
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

// Group is one group as a user sees it; a group that they are not in is not there.
func (a *App) Group(ctx context.Context, user, id string) (contract.Group, error) {
	c, g, s, err := a.groupFor(ctx, user, id, user)
	if err != nil {
		return contract.Group{}, err
	}
	if c.tallies, err = a.tallies(ctx, c.today, g); err != nil {
		return contract.Group{}, err
	}
	view := a.groupView(c, g, s)
	if !s.active() {
		return view, nil
	}
	status := string(savings.Active)
	if s.official {
		status = "" // Who waits is theirs to know.
	}
	first, err := groups.FirstMembers(ctx, a.Pool, g.ID, status, membersShown)
	if err != nil {
		return view, err
	}
	list, err := a.memberViews(ctx, c, g, s, first)
	view.Members = &list
	return view, err
}

// showAvatars puts the pictures to a list of members.
func (a *App) showAvatars(ctx context.Context, ids []string, list []contract.Member) error {
	if a.Options.Members.Avatars == nil {
		return nil
	}
	avatars, err := a.Options.Members.Avatars(ctx, ids)
	for i := range list {
		if id := avatars[list[i].UserId]; id != "" {
			list[i].Avatar = orNil("/api/v1/files/" + id)
		}
	}
	return err
}

// groupFor is a group for a user who is in it, with the circle of only: see circle.
func (a *App) groupFor(ctx context.Context, user, id, only string) (circle, groups.Group, seat, error) {
	none := fault.New(fault.NotFound, "There is no such group.")
	id, err := parseID(id, "group")
	if err != nil {
		return circle{}, groups.Group{}, seat{}, err
	}
	g, err := groups.One(ctx, a.Pool, id)
	if err != nil {
		return circle{}, g, seat{}, notThere(err, groups.ErrNone, "group")
	}
	c, err := a.circle(ctx, only, g)
	if err != nil {
		return c, g, seat{}, err
	}
	s, in := c.seat(g, user)
	if !in {
		return c, g, s, none
	}
	return c, g, s, nil
}

// Groups are the groups a user is in or waits for, newest first, without their member lists.
func (a *App) Groups(ctx context.Context, user string) ([]contract.Group, error) {
	gs, err := groups.OfUser(ctx, a.Pool, user)
	if err != nil {
		return nil, err
	}
	c, err := a.circle(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	if c.tallies, err = a.tallies(ctx, c.today, gs...); err != nil {
		return nil, err
	}
	out := []contract.Group{}
	for _, g := range gs {
		if s, in := c.seat(g, user); in {
			out = append(out, a.groupView(c, g, s))
		}
	}
	return out, nil
}

func (a *App) groupView(c circle, g groups.Group, s seat) contract.Group {
	view := contract.Group{
		Id: g.ID, Name: g.Name, Description: g.Description, Amount: naira(g.Amount), MemberCapacity: g.Capacity, MemberCount: g.Members,
		StartMonth: time.Month(g.StartMonth).String(), StartMonthId: g.StartMonth, Status: contract.GroupStatus(g.Status),
		Missing: savings.Missing(savings.Status(g.Status), g.Validator, len(g.Approvers), c.verified[g.Owner]), OwnerId: g.Owner, ValidatorId: orNil(g.Validator),
		Role: s.role, MemberStatus: contract.GroupMemberStatus(s.member.Status), GroupLink: orNil(a.PublicURL + "/savings/" + g.ID),
		ShowTotalBalance: g.ShowTotal, ShowTotalToMembers: g.ShowTotal, TotalHidden: true, DateCreated: g.CreatedAt.UTC(),
	}
	if !s.active() {
		return view
	}
	mine := money.Kobo(0)
	for _, sub := range c.subs[g.ID] {
		mine += c.paid[payer{g.ID, s.member.User, sub.ID}].Savings()
	}
	view.UserTotalSavings = naira(mine)
	view.NextDue = c.nextDue(g, s.member)
	if s.official {
		view.InvitationLink = orNil(a.invitationLink(g.ID))
	}
	if c.seesTotal(g, s.official) {
		view.TotalHidden = false
		c.money.show(&view, c.subs[g.ID])
		view.GrowthPercent = c.growth(g.ID)
		stand := c.tallies[g.ID]
		view.DueThisMonth, view.PaidThisMonth = stand.due, stand.paid
		if s.official {
			view.Unsettled = &stand.overdue
		}
	}
	return view
}

func (c circle) nextDue(g groups.Group, m groups.Member) *contract.Due {
	var dues []contract.Due
	for _, s := range c.subs[g.ID] {
		d := c.duesOf(s, m)
		if due, ok := nextDue(g, s, d, c.today, c.today.AddDate(0, 1, 0)); ok {
			dues = append(dues, due)
		}
	}
	if len(dues) == 0 {
		return nil
	}
	soonest(dues)
	return &dues[0]
}

// growth is this month's contributions over last month's in percent, to one decimal; nil when last month had none.
func (c circle) growth(groupID string) *float32 {
	before, now := c.months[groupID][month(c.today, -1)], c.months[groupID][month(c.today, 0)]
	if before == 0 {
		return nil
	}
	percent := float32(math.Round(float64(now-before)/float64(before)*1000) / 10)
	return &percent
}

// SubAccounts are a group's sub-accounts as a user sees them, oldest first.
func (a *App) SubAccounts(ctx context.Context, user, groupID string) (contract.GroupSubAccounts, error) {
	c, g, s, err := a.groupFor(ctx, user, groupID, user)
	if err != nil {
		return contract.GroupSubAccounts{}, err
	}
	out := contract.GroupSubAccounts{GroupSavingsId: g.ID, GroupName: g.Name, SubAccounts: []contract.SubAccount{}}
	if !s.active() {
		return out, nil
	}
	for _, sub := range c.subs[g.ID] {
		view, err := a.subView(ctx, c, g, s, sub)
		if err != nil {
			return out, err
		}
		out.SubAccounts = append(out.SubAccounts, view)
	}
	return out, nil
}

// hidesTotal says whether what a sub-account holds is hidden from an onlooker.
func hidesTotal(g groups.Group, s groups.SubAccount, viewer seat) bool {
	return !viewer.official && !(s.ShowTotal && g.ShowTotal)
}

const paymentsShown = 50

func (a *App) subView(ctx context.Context, c circle, g groups.Group, viewer seat, s groups.SubAccount) (contract.SubAccount, error) {
	return a.subViewOf(ctx, c, g, viewer, s, false)
}

// subViewOf is a sub-account as one member sees it; alone with their payments and nobody else's.
func (a *App) subViewOf(ctx context.Context, c circle, g groups.Group, viewer seat, s groups.SubAccount, alone bool) (contract.SubAccount, error) {
	mine := c.paid[payer{g.ID, viewer.member.User, s.ID}]
	dues := c.duesOf(s, viewer.member)
	view := contract.SubAccount{
		Id: s.ID, GroupSavingsId: g.ID, Name: s.Name, Description: s.Description,
		PaymentType:      contract.PaymentType(s.Type.String()[len("PAYMENT_TYPE_"):]),
		PaymentFrequency: contract.PaymentFrequency(s.Frequency.String()[len("PAYMENT_FREQUENCY_"):]),
		AmountPayable:    naira(s.Amount), ShowTotalToMembers: s.ShowTotal, MyTotal: naira(mine.Total), MySavings: nairaPtr(mine.Savings()), LateTerms: orNil(lateTerms(s)), GroupStatus: orNil(g.Status),
		Dues: shownDues(g, s, dues, c.today), MemberPayments: []contract.MemberPayment{},
	}
	onlyOf := ""
	if alone {
		onlyOf = viewer.member.User
	}
	// Who rests sees their own money alone.
	if view.TotalHidden = hidesTotal(g, s, viewer) || !viewer.official && !viewer.active(); view.TotalHidden {
		onlyOf = viewer.member.User
	} else {
		pool := c.money.pools[s.ID]
		view.TotalAmountContributed, view.NumberOfPayments = nairaPtr(s.Total), &s.Payments
		view.Balance, view.Held = nairaPtr(pool.Available), nairaPtr(pool.Held)
	}
	payments, err := groups.Contributions(ctx, a.Pool, s.ID, onlyOf, paymentsShown)
	if err != nil {
		return view, err
	}
	ids := make([]string, 0, len(payments))
	for _, p := range payments {
		ids = append(ids, p.User)
	}
	cards, err := a.People.Cards(ctx, ids)
	if err != nil {
		return view, err
	}
	for _, p := range payments {
		label := ""
		if p.FirstPeriod != "" {
			label = dues.Schedule.Label(dues.Schedule.At(savings.ParseDay(p.FirstPeriod)))
		}
		view.MemberPayments = append(view.MemberPayments, contract.MemberPayment{
			UserId: p.User, Name: fullName(cards, p.User), Amount: naira(p.Amount), Date: p.At.UTC(), Label: orNil(label),
		})
	}
	return view, nil
}

// Invitation is what an invitation link is for. user is empty for somebody who is not logged in.
func (a *App) Invitation(ctx context.Context, user, groupID, code string) (contract.Invitation, error) {
	groupID, err := parseID(groupID, "group")
	if err != nil {
		return contract.Invitation{}, err
	}
	if err := a.invited(groupID, code); err != nil {
		return contract.Invitation{}, err
	}
	g, err := groups.One(ctx, a.Pool, groupID)
	if err != nil {
		return contract.Invitation{}, notThere(err, groups.ErrNone, "group")
	}
	cards, err := a.People.Cards(ctx, []string{g.Owner})
	if err != nil {
		return contract.Invitation{}, err
	}
	view := contract.Invitation{
		GroupId: g.ID, Name: g.Name, Description: g.Description, Amount: naira(g.Amount), MemberCount: g.Members,
		MemberCapacity: g.Capacity, InvitedBy: fullName(cards, g.Owner),
	}
	memberships, err := groups.Memberships(ctx, a.Pool, user)
	for _, m := range memberships {
		if m.GroupID == g.ID {
			status := contract.InvitationMemberStatus(m.Status)
			view.MemberStatus = &status
		}
	}
	return view, err
}

const searchMax = 50

// Search are the active groups whose name contains a text, as anybody may see them.
func (a *App) Search(ctx context.Context, user, text string) ([]contract.GroupRow, error) {
	gs, err := groups.Search(ctx, a.Pool, text, searchMax)
	if err != nil {
		return nil, err
	}
	c, err := a.circle(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	out := []contract.GroupRow{}
	for _, g := range gs {
		s, in := c.seat(g, user)
		row := contract.GroupRow{Id: g.ID, Name: g.Name, MemberCount: g.Members, Amount: naira(g.Amount), IsMember: in && s.active()}
		if c.seesTotal(g, in && s.official) {
			row.TotalSaved, row.GrowthPercent = nairaPtr(c.money.of(c.subs[g.ID]).Available), c.growth(g.ID)
		}
		row.NextPayment = c.nextPayment(g)
		out = append(out, row)
	}
	return out, nil
}

// nextPayment is the next day on which the group's members have something due.
func (c circle) nextPayment(g groups.Group) *string {
	next := ""
	for _, s := range c.subs[g.ID] {
		d := termsOf(s).Dues(savings.Member{}, savings.Paid{})
		if d.Flexible() {
			continue
		}
		if due := d.Schedule.Due(d.Schedule.At(c.today)).Format(time.DateOnly); due >= c.today.Format(time.DateOnly) && (next == "" || due < next) {
			next = due
		}
	}
	return orNil(next)
}
