package app

import (
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// membersShown is how many members a group's page lists; the others come by MemberSavings.
const membersShown = 50

// roll is everybody in a group who owes something or may, and what they paid: for what is about all of them.
type roll struct {
	members []groups.Member // Active and inactive.
	subs    []groups.SubAccount
	terms   []savings.SubAccount // As subs.
	paid    map[payer]savings.Paid
	away    map[[2]string][]groups.Span
}

func rollOf(members []groups.Member, subs []groups.SubAccount, paid map[payer]savings.Paid, away map[[2]string][]groups.Span) roll {
	r := roll{subs: subs, terms: make([]savings.SubAccount, len(subs)), paid: paid, away: away}
	for i, s := range subs {
		r.terms[i] = termsOf(s)
	}
	for _, m := range members {
		if m.Status == string(savings.Active) || m.Status == string(savings.Inactive) {
			r.members = append(r.members, m)
		}
	}
	return r
}

// roll reads the roll of a group, for some of its sub-accounts.
func (a *App) roll(ctx context.Context, groupID string, subs []groups.SubAccount) (roll, error) {
	c, batch := newCircle(savings.Day(a.Now())), &pgx.Batch{}
	groups.Members("", groupID).Queue(batch, c.takeMembers)
	groups.Contributors("", groupID).Queue(batch, c.takePaid)
	groups.Absences("", groupID).Queue(batch, c.takeAway)
	err := query.Send(ctx, a.Pool, batch)
	return rollOf(c.members[groupID], subs, c.paid, c.away), err
}

// dues are a member's dues to the n-th sub-account.
func (r roll) dues(n int, m groups.Member) savings.Dues {
	return r.terms[n].Dues(memberOf(m, r.away), r.paid[payer{m.GroupID, m.User, r.subs[n].ID}]).Shut(shutOf(m.GroupID, r.away))
}

// memberViews are members as somebody in their group sees them. What they paid is read here.
func (a *App) memberViews(ctx context.Context, c circle, g groups.Group, viewer seat, members []groups.Member) ([]contract.Member, error) {
	of, batch := c.others(), &pgx.Batch{}
	of.queueDues(batch, g.ID, usersOf(members))
	if err := query.Send(ctx, a.Pool, batch); err != nil {
		return []contract.Member{}, err
	}
	return a.shownMembers(ctx, of, g, viewer, members)
}

// shownMembers are memberViews with the circle that has what they paid.
func (a *App) shownMembers(ctx context.Context, of circle, g groups.Group, viewer seat, members []groups.Member) ([]contract.Member, error) {
	ids, out := usersOf(members), []contract.Member{}
	cards, err := a.People.Cards(ctx, ids)
	if err != nil {
		return out, err
	}
	open := of.seesTotal(g, viewer.official)
	for _, m := range members {
		out = append(out, of.memberView(g, m, cards, open || m.User == viewer.member.User))
	}
	return out, a.showAvatars(ctx, ids, out)
}

func usersOf(members []groups.Member) []string {
	users := make([]string, len(members))
	for i, m := range members {
		users[i] = m.User
	}
	return users
}

func (c circle) memberView(g groups.Group, m groups.Member, cards map[string]people.Card, open bool) contract.Member {
	since := m.Since.UTC()
	view := contract.Member{
		UserId: m.User, FirstName: cards[m.User].FirstName, LastName: cards[m.User].LastName, Role: contract.MemberRole(roleOf(g, m.User)),
		Status: contract.MemberStatus(m.Status), DateJoined: &since,
	}
	if !open {
		return view
	}
	total := money.Kobo(0)
	dues := make([]savings.Dues, 0, len(c.subs[g.ID]))
	for _, s := range c.subs[g.ID] {
		total += c.paid[payer{g.ID, m.User, s.ID}].Savings()
		dues = append(dues, c.duesOf(s, m))
	}
	view.TotalSavings = usecase.NairaPtr(total)
	_, view.PaidThisMonth = monthly(dues, c.today)
	return view
}

// MemberSavings is a page of a group's members in the order they came, with what each saved where the caller may see it.
func (a *App) MemberSavings(ctx context.Context, user, groupID string, q, status, before *string, limit int) (contract.MemberPage, error) {
	out := contract.MemberPage{Members: []contract.Member{}}
	c, g, s, err := a.groupFor(ctx, user, groupID, user)
	if err != nil {
		return out, err
	}
	if !s.active() {
		return out, errNotYet(s)
	}
	members, err := groups.Members("", g.ID).Read(ctx, a.Pool)
	if err != nil {
		return out, err
	}
	members = slices.DeleteFunc(members, func(m groups.Member) bool {
		// Who waits or rests is the officials' to know.
		return !s.official && m.Status != string(savings.Active) || status != nil && m.Status != *status
	})
	if members, err = a.named(ctx, members, q); err != nil {
		return out, err
	}
	out.Count = len(members)
	page, next, err := usecase.PageOf(members, before, limit)
	if err != nil {
		return out, err
	}
	out.Next = next
	out.Members, err = a.memberViews(ctx, c, g, s, page)
	return out, err
}

// named are the members whose names contain a text, whatever the case; all of them without one.
func (a *App) named(ctx context.Context, members []groups.Member, q *string) ([]groups.Member, error) {
	if q == nil || strings.TrimSpace(*q) == "" {
		return members, nil
	}
	text := strings.ToLower(strings.TrimSpace(*q))
	cards, err := a.People.Cards(ctx, usersOf(members))
	return slices.DeleteFunc(members, func(m groups.Member) bool {
		return !strings.Contains(strings.ToLower(usecase.FullName(cards, m.User)), text)
	}), err
}

// errNotYet says why somebody who is in a group's books sees nothing of it.
func errNotYet(s seat) error {
	if s.member.Status == string(savings.Inactive) {
		return fault.New(fault.Forbidden, "You are inactive in this group, so you see your own money in it alone. Ask an approver to let you back in.")
	}
	return fault.New(fault.Forbidden, "You are not a member of this group yet. You see it once an approver lets you in.")
}
