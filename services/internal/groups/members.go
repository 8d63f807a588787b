package groups

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// membersShown limits how many members a group's page lists; the others come by MemberSavings.
const membersShown = 50

// memberViews returns members as a viewer in their group sees them. It reads their payments.
func (s *Service) memberViews(ctx context.Context, c membership.Snapshot, g groups.Group, viewer membership.Seat, members []groups.Member) ([]Member, error) {
	of, batch := c.Others(), &pgx.Batch{}
	of.QueueDues(batch, g.ID, membership.Users(members))
	if err := query.Send(ctx, s.Pool, batch); err != nil {
		return []Member{}, err
	}
	return s.shownMembers(ctx, of, g, viewer, members)
}

// shownMembers is memberViews that also returns the snapshot with their payments.
func (s *Service) shownMembers(ctx context.Context, of membership.Snapshot, g groups.Group, viewer membership.Seat, members []groups.Member) ([]Member, error) {
	members = slices.DeleteFunc(slices.Clone(members), func(m groups.Member) bool {
		return m.Status == string(savings.Invited) && m.User != viewer.Member.User
	})
	ids, out := membership.Users(members), []Member{}
	cards, err := s.People.Cards(ctx, ids)
	if err != nil {
		return out, err
	}
	open := of.SeesTotal(g, viewer.Official)
	for _, m := range members {
		out = append(out, memberView(of, g, m, cards, open || m.User == viewer.Member.User))
	}
	return out, s.Membership.ShowAvatars(ctx, ids, out)
}

func memberView(c membership.Snapshot, g groups.Group, m groups.Member, cards map[string]people.Card, open bool) Member {
	since := m.Since.UTC()
	view := Member{
		UserId: m.User, FirstName: cards[m.User].FirstName, LastName: cards[m.User].LastName, Role: MemberRole(membership.RoleOf(g, m.User)),
		Status: MemberStatus(m.Status), DateJoined: &since,
	}
	if !open {
		return view
	}
	total := money.Kobo(0)
	dues := make([]dues.Dues, 0, len(c.Subs[g.ID]))
	for _, s := range c.Subs[g.ID] {
		total += c.Paid[membership.Payer{g.ID, m.User, s.ID}].Savings()
		dues = append(dues, c.DuesOf(s, m))
	}
	view.TotalSavings = usecase.NairaPtr(total)
	_, view.PaidThisMonth = membership.Monthly(dues, c.Today)
	return view
}

// MemberSavings returns a page of a group's members in the order in which they came, with the savings of each if the
// caller may see them.
func (s *Service) MemberSavings(ctx context.Context, user, groupID string, q, status, before *string, limit int) (MemberPage, error) {
	out := MemberPage{Members: []Member{}}
	c, g, seat, err := s.Membership.GroupFor(ctx, user, groupID, user)
	if err != nil {
		return out, err
	}
	if !seat.Active() {
		return out, membership.NotYet(seat)
	}
	if seat.Official && status != nil && *status == string(savings.Invited) {
		return s.invitedPage(ctx, g.ID, q)
	}
	members, err := groups.Members("", g.ID).Read(ctx, s.Pool)
	if err != nil {
		return out, err
	}
	members = slices.DeleteFunc(members, func(m groups.Member) bool {
		// Only officials see who waits or rests, and nobody sees an invited person here before they accept.
		return m.Status == string(savings.Invited) || !seat.Official && m.Status != string(savings.Active) || status != nil && m.Status != *status
	})
	if members, err = s.Membership.Named(ctx, members, q); err != nil {
		return out, err
	}
	out.Count = len(members)
	page, next, err := usecase.PageOf(members, before, limit)
	if err != nil {
		return out, err
	}
	out.Next = next
	out.Members, err = s.memberViews(ctx, c, g, seat, page)
	return out, err
}
