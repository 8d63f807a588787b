package app

import (
	"context"
	"math"
	"time"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// Group is one group as a user sees it; a group that they are not in is not there.
func (a *App) Group(ctx context.Context, user, id string) (contract.Group, error) {
	var first []groups.Member
	c, g, s, err := a.groupFor(ctx, user, id, user, func(batch *pgx.Batch, groupID string) {
		groups.FirstMembers(groupID, user, membersShown).Queue(batch, func(found []groups.Member) { first = found })
	})
	if err != nil {
		return contract.Group{}, err
	}
	of, batch := c.others(), &pgx.Batch{}
	c.money.queue(batch, c.subs, g.ID)
	if s.active() {
		of.queueDues(batch, g.ID, usersOf(first))
	}
	if err := query.Send(ctx, a.Pool, batch); err != nil {
		return contract.Group{}, err
	}
	if c.tallies, err = a.tallies(ctx, c.today, g); err != nil {
		return contract.Group{}, err
	}
	view := a.groupView(c, g, s)
	if !s.active() {
		return view, nil
	}
	list, err := a.shownMembers(ctx, of, g, s, first)
	view.Members = &list
	return view, err
}

// showAvatars puts the pictures to a list of members.
func (a *App) showAvatars(ctx context.Context, ids []string, list []contract.Member) error {
	if a.Members.Avatars == nil {
		return nil
	}
	avatars, err := a.Members.Avatars(ctx, ids)
	for i := range list {
		if id := avatars[list[i].UserId]; id != "" {
			list[i].Avatar = usecase.OrNil("/api/v1/files/" + id)
		}
	}
	return err
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
	if c.money, err = a.groupMoney(ctx, c, gs...); err != nil {
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
		Id: g.ID, Name: g.Name, Description: g.Description, Amount: usecase.Naira(g.Amount), MemberCapacity: g.Capacity, MemberCount: g.Members,
		StartMonth: time.Month(g.StartMonth).String(), StartMonthId: g.StartMonth, Status: contract.GroupStatus(g.Status),
		Missing: savings.Missing(savings.Status(g.Status), g.Validator, len(g.Approvers), c.verified[g.Owner]), OwnerId: g.Owner, ValidatorId: usecase.OrNil(g.Validator),
		Role: s.role, MemberStatus: contract.GroupMemberStatus(s.member.Status), GroupLink: usecase.OrNil(a.PublicURL + "/savings/" + g.ID),
		ShowTotalBalance: g.ShowTotal, ShowTotalToMembers: g.ShowTotal, TotalHidden: true,
		SearchView: &contract.SearchView{Findable: g.Findable, ShowTerms: g.ShowTerms, ShowTotals: g.ShowTotals}, DateCreated: g.CreatedAt.UTC(),
	}
	if !inGroup(savings.Status(s.member.Status)) {
		return view
	}
	mine := money.Kobo(0)
	for _, sub := range c.subs[g.ID] {
		mine += c.paid[payer{g.ID, s.member.User, sub.ID}].Savings()
	}
	view.UserTotalSavings = usecase.Naira(mine)
	if !s.active() {
		return view // Who is inactive sees their own money alone.
	}
	view.NextDue = c.nextDue(g, s.member)
	if s.official {
		view.InvitationLink = usecase.OrNil(a.invitationLink(g.ID))
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
	if !inGroup(savings.Status(s.member.Status)) {
		return out, nil
	}
	out.SubAccounts, err = a.subViews(ctx, c, g, s, !s.active(), c.subs[g.ID]...)
	return out, err
}

// hidesTotal says whether what a sub-account holds is hidden from an onlooker.
func hidesTotal(g groups.Group, s groups.SubAccount, viewer seat) bool {
	return !viewer.official && !(s.ShowTotal && g.ShowTotal)
}

// ownAlone says whether an onlooker sees their own money in a sub-account alone: where the total is hidden from them, or
// when they rest.
func ownAlone(g groups.Group, s groups.SubAccount, viewer seat) bool {
	return hidesTotal(g, s, viewer) || !viewer.official && !viewer.active()
}

const paymentsShown = 50

// subViews are sub-accounts of a group as one member sees them; alone with their payments and nobody else's.
func (a *App) subViews(ctx context.Context, c circle, g groups.Group, viewer seat, alone bool, subs ...groups.SubAccount) ([]contract.SubAccount, error) {
	views, payments, batch := make([]contract.SubAccount, len(subs)), make([][]groups.Contribution, len(subs)), &pgx.Batch{}
	var users []string
	for i, s := range subs {
		onlyOf := ""
		if alone || ownAlone(g, s, viewer) {
			onlyOf = viewer.member.User
		}
		groups.Contributions(s.ID, onlyOf, paymentsShown).Queue(batch, func(found []groups.Contribution) {
			payments[i] = found
			for _, p := range found {
				users = append(users, p.User)
			}
		})
	}
	requests.Pools(idsOf(subs)...).Queue(batch, func(pools map[string]requests.Pool) { c.money.pools = pools })
	if err := query.Send(ctx, a.Pool, batch); err != nil {
		return views, err
	}
	cards, err := a.People.Cards(ctx, users)
	if err != nil {
		return views, err
	}
	for i, s := range subs {
		views[i] = c.subView(g, viewer, s)
		views[i].MemberPayments = memberPayments(payments[i], usecase.ScheduleOf(s), cards)
	}
	return views, nil
}

// subView is a sub-account as one member sees it, without payments.
func (c circle) subView(g groups.Group, viewer seat, s groups.SubAccount) contract.SubAccount {
	mine := c.paid[payer{g.ID, viewer.member.User, s.ID}]
	view := contract.SubAccount{
		Id: s.ID, GroupSavingsId: g.ID, Name: s.Name, Description: s.Description,
		PaymentType:      contract.PaymentType(s.Type.String()[len("PAYMENT_TYPE_"):]),
		PaymentFrequency: contract.PaymentFrequency(s.Frequency.String()[len("PAYMENT_FREQUENCY_"):]),
		AmountPayable:    usecase.Naira(s.Amount), ShowTotalToMembers: s.ShowTotal, MyTotal: usecase.Naira(mine.Total), MySavings: usecase.NairaPtr(mine.Savings()), LateTerms: usecase.OrNil(lateTerms(s)), GroupStatus: usecase.OrNil(g.Status),
		Dues: shownDues(g, s, c.duesOf(s, viewer.member), c.today), TotalHidden: ownAlone(g, s, viewer),
	}
	if !view.TotalHidden {
		pool := c.money.pools[s.ID]
		view.TotalAmountContributed, view.NumberOfPayments = usecase.NairaPtr(s.Total), &s.Payments
		view.Balance, view.Held = usecase.NairaPtr(pool.Available), usecase.NairaPtr(pool.Held)
	}
	return view
}

func memberPayments(payments []groups.Contribution, schedule savings.Schedule, cards map[string]people.Card) []contract.MemberPayment {
	views := []contract.MemberPayment{}
	for _, p := range payments {
		label := ""
		if p.FirstPeriod != "" {
			label = schedule.Label(schedule.At(savings.ParseDay(p.FirstPeriod)))
		}
		views = append(views, contract.MemberPayment{
			UserId: p.User, Name: usecase.FullName(cards, p.User), Amount: usecase.Naira(p.Amount), Date: p.At.UTC(), Label: usecase.OrNil(label),
		})
	}
	return views
}

// Invitation is what an invitation link is for. user is empty for somebody who is not logged in.
func (a *App) Invitation(ctx context.Context, user, groupID, code string) (contract.Invitation, error) {
	groupID, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return contract.Invitation{}, err
	}
	if err := a.invited(groupID, code); err != nil {
		return contract.Invitation{}, err
	}
	g, err := groups.One(ctx, a.Pool, groupID)
	if err != nil {
		return contract.Invitation{}, usecase.NotThere(err, groups.ErrNone, "group")
	}
	cards, err := a.People.Cards(ctx, []string{g.Owner})
	if err != nil {
		return contract.Invitation{}, err
	}
	owner, err := a.AccountState(ctx, g.Owner)
	if err != nil {
		return contract.Invitation{}, err
	}
	view := contract.Invitation{
		GroupId: g.ID, Name: g.Name, Description: g.Description, Amount: usecase.Naira(g.Amount), MemberCount: g.Members,
		MemberCapacity: g.Capacity, InvitedBy: usecase.FullName(cards, g.Owner), InvitedByVerified: owner.Bvn == account.Verified,
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

// Search are the active groups whose name contains a text: the user's own as they see them, others as their owners show
// them to people outside.
func (a *App) Search(ctx context.Context, user, text string) ([]contract.GroupRow, error) {
	gs, err := groups.Search(ctx, a.Pool, user, text, searchMax)
	if err != nil {
		return nil, err
	}
	c, err := a.circle(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	if c.money, err = a.groupMoney(ctx, c, gs...); err != nil {
		return nil, err
	}
	alike := lookAlikes(gs)
	out := []contract.GroupRow{}
	for _, g := range gs {
		s, in := c.seat(g, user)
		in = in && s.active()
		row := contract.GroupRow{Id: g.ID, Name: g.Name, MemberCount: g.Members, IsMember: in, LookAlike: alike[g.ID], TermsHidden: true, TotalsHidden: true}
		if in || g.ShowTerms {
			row.TermsHidden, row.Amount, row.NextPayment = false, usecase.NairaPtr(g.Amount), c.nextPayment(g)
		}
		if (in || g.ShowTotals) && c.seesTotal(g, in && s.official) {
			row.TotalsHidden, row.TotalSaved, row.GrowthPercent = false, usecase.NairaPtr(c.money.of(c.subs[g.ID]).Available), c.growth(g.ID)
		}
		out = append(out, row)
	}
	return out, nil
}

// lookAlikes are the groups whose name is, or looks like, that of an older one among them.
func lookAlikes(gs []groups.Group) map[string]bool {
	oldest, alike := map[string]groups.Group{}, map[string]bool{}
	for _, g := range gs {
		looks := wording.Looks(g.Name)
		first, found := oldest[looks]
		switch {
		case !found:
			oldest[looks] = g
		case g.Pos < first.Pos:
			oldest[looks], alike[first.ID] = g, true
		default:
			alike[g.ID] = true
		}
	}
	return alike
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
	return usecase.OrNil(next)
}
