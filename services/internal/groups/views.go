package groups

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wording"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// Group returns one group as a user sees it; NotFound for a group that they are not in.
func (s *Service) Group(ctx context.Context, user, id string) (Group, error) {
	var first []groups.Member
	c, g, seat, err := s.Membership.GroupFor(ctx, user, id, user, func(batch *pgx.Batch, groupID string) {
		groups.FirstMembers(groupID, user, membersShown).Queue(batch, func(found []groups.Member) { first = found })
	})
	if err != nil {
		return Group{}, err
	}
	of, batch := c.Others(), &pgx.Batch{}
	c.Money.Queue(batch, c.Subs, g.ID)
	if seat.Active() {
		of.QueueDues(batch, g.ID, membership.Users(first))
	}
	if err := query.Send(ctx, s.Pool, batch); err != nil {
		return Group{}, err
	}
	if c.Tallies, err = s.Membership.Tally(ctx, c.Today, g); err != nil {
		return Group{}, err
	}
	view := s.groupView(c, g, seat)
	if !seat.Active() {
		return view, nil
	}
	list, err := s.shownMembers(ctx, of, g, seat, first)
	view.Members = &list
	return view, err
}

// Groups returns the groups a user is in or waits for, newest first, without their member lists.
func (s *Service) Groups(ctx context.Context, user string) ([]Group, error) {
	gs, err := groups.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	c, err := s.Membership.Snapshot(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	if c.Money, err = s.Membership.GroupMoney(ctx, c, gs...); err != nil {
		return nil, err
	}
	if c.Tallies, err = s.Membership.Tally(ctx, c.Today, gs...); err != nil {
		return nil, err
	}
	out := []Group{}
	for _, g := range gs {
		if seat, in := c.Seat(g, user); in {
			out = append(out, s.groupView(c, g, seat))
		}
	}
	return out, nil
}

func (s *Service) groupView(c membership.Snapshot, g groups.Group, seat membership.Seat) Group {
	view := Group{
		Id: g.ID, Name: g.Name, Description: g.Description, Amount: usecase.Naira(g.Amount), MemberCapacity: g.Capacity, MemberCount: g.Members,
		StartMonth: time.Month(g.StartMonth).String(), StartMonthId: g.StartMonth, Status: GroupStatus(g.Status),
		Missing: savings.Missing(savings.Status(g.Status), g.Validator, len(g.Approvers), c.Verified[g.Owner]), OwnerId: g.Owner, ValidatorId: usecase.OrNil(g.Validator),
		Role: seat.Role, MemberStatus: GroupMemberStatus(seat.Member.Status), GroupLink: usecase.OrNil(s.PublicURL + "/savings/" + g.ID),
		ShowTotalBalance: g.ShowTotal, ShowTotalToMembers: g.ShowTotal, TotalHidden: true,
		SearchView: &SearchView{Findable: g.Findable, ShowTerms: g.ShowTerms, ShowTotals: g.ShowTotals}, DateCreated: g.CreatedAt.UTC(),
	}
	if !usecase.InGroup(savings.Status(seat.Member.Status)) {
		return view
	}
	mine := money.Kobo(0)
	for _, sub := range c.Subs[g.ID] {
		mine += c.Paid[membership.Payer{g.ID, seat.Member.User, sub.ID}].Savings()
	}
	view.UserTotalSavings = usecase.Naira(mine)
	if !seat.Active() {
		return view // An inactive member sees only their own money.
	}
	view.NextDue = nextDue(c, g, seat.Member)
	if seat.Official {
		view.InvitationLink = usecase.OrNil(s.invitationLink(g.ID))
	}
	if c.SeesTotal(g, seat.Official) {
		view.TotalHidden = false
		c.Money.Show(&view, c.Subs[g.ID])
		view.GrowthPercent = growth(c, g.ID)
		stand := c.Tallies[g.ID]
		view.DueThisMonth, view.PaidThisMonth = stand.Due, stand.Paid
		if seat.Official {
			view.Unsettled = &stand.Overdue
		}
	}
	return view
}

func nextDue(c membership.Snapshot, g groups.Group, m groups.Member) *Due {
	var dues []Due
	for _, s := range c.Subs[g.ID] {
		d := c.DuesOf(s, m)
		if due, ok := membership.NextDue(g, s, d, c.Today, c.Today.AddDate(0, 1, 0)); ok {
			dues = append(dues, due)
		}
	}
	if len(dues) == 0 {
		return nil
	}
	membership.Soonest(dues)
	return &dues[0]
}

// growth is this month's contributions over last month's in percent, to one decimal; nil when last month had none.
func growth(c membership.Snapshot, groupID string) *float32 {
	before, now := c.Months[groupID][membership.Month(c.Today, -1)], c.Months[groupID][membership.Month(c.Today, 0)]
	if before == 0 {
		return nil
	}
	percent := float32(math.Round(float64(now-before)/float64(before)*1000) / 10)
	return &percent
}

// Invitation returns the subject of an invitation link. user is empty for a person who is not logged in.
func (s *Service) Invitation(ctx context.Context, user, groupID, code string) (Invitation, error) {
	groupID, err := usecase.ParseID(groupID, "group")
	if err != nil {
		return Invitation{}, err
	}
	if err := s.invited(groupID, code); err != nil {
		return Invitation{}, err
	}
	g, err := groups.One(ctx, s.Pool, groupID)
	if err != nil {
		return Invitation{}, usecase.NotThere(err, groups.ErrNone, "group")
	}
	cards, err := s.People.Cards(ctx, []string{g.Owner})
	if err != nil {
		return Invitation{}, err
	}
	owner, err := s.AccountState(ctx, g.Owner)
	if err != nil {
		return Invitation{}, err
	}
	view := Invitation{
		GroupId: g.ID, Name: g.Name, Description: g.Description, Amount: usecase.Naira(g.Amount), MemberCount: g.Members,
		MemberCapacity: g.Capacity, InvitedBy: usecase.FullName(cards, g.Owner), InvitedByVerified: owner.Bvn == account.Verified,
	}
	memberships, err := groups.Memberships(ctx, s.Pool, user)
	for _, m := range memberships {
		if m.GroupID == g.ID {
			status := InvitationMemberStatus(m.Status)
			view.MemberStatus = &status
		}
	}
	return view, err
}

const searchMax = 50

// Search returns the active groups whose name contains a text: the user's own as they see them, others as their owners
// show them to outsiders. Without text it returns the newest one, which tells whether there is any.
func (s *Service) Search(ctx context.Context, user, text string) ([]GroupRow, error) {
	most := searchMax
	if strings.TrimSpace(text) == "" {
		most = 1
	}
	gs, err := groups.Search(ctx, s.Pool, user, text, most)
	if err != nil {
		return nil, err
	}
	c, err := s.Membership.Snapshot(ctx, user, gs...)
	if err != nil {
		return nil, err
	}
	if c.Money, err = s.Membership.GroupMoney(ctx, c, gs...); err != nil {
		return nil, err
	}
	alike := lookAlikes(gs)
	out := []GroupRow{}
	for _, g := range gs {
		seat, in := c.Seat(g, user)
		in = in && seat.Active()
		row := GroupRow{Id: g.ID, Name: g.Name, MemberCount: g.Members, IsMember: in, LookAlike: alike[g.ID], TermsHidden: true, TotalsHidden: true}
		if in || g.ShowTerms {
			row.TermsHidden, row.Amount, row.NextPayment = false, usecase.NairaPtr(g.Amount), nextPayment(c, g)
		}
		if (in || g.ShowTotals) && c.SeesTotal(g, in && seat.Official) {
			row.TotalsHidden, row.TotalSaved, row.GrowthPercent = false, usecase.NairaPtr(c.Money.Of(c.Subs[g.ID]).Available), growth(c, g.ID)
		}
		out = append(out, row)
	}
	return out, nil
}

// lookAlikes returns the groups whose name is, or looks like, that of an older one among them.
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

// nextPayment returns the next day on which the group's members have a due.
func nextPayment(c membership.Snapshot, g groups.Group) *string {
	next := ""
	for _, s := range c.Subs[g.ID] {
		d := dues.Of(membership.TermsOf(s), savings.Member{}, dues.State{})
		if d.Flexible() {
			continue
		}
		if due := d.Schedule.Due(d.Schedule.At(c.Today)).Format(time.DateOnly); due >= c.Today.Format(time.DateOnly) && (next == "" || due < next) {
			next = due
		}
	}
	return usecase.OrNil(next)
}
