package dues

import (
	"context"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// unsettledMax limits how many open dues of one member are returned.
const unsettledMax = 500

// openDues returns a member's dues up to today's that are not fully paid, oldest first, and their sum.
func openDues(g groups.Group, s groups.SubAccount, d dues.Dues, today time.Time) ([]DueView, money.Kobo) {
	out, total := []DueView{}, d.Open(today)
	for k := d.Next(); total > 0 && k <= d.Schedule.At(today) && len(out) < unsettledMax; k++ {
		if d.Owed(k) > d.Paid(k) {
			out = append(out, membership.DueView(g, s, d, k, today))
		}
	}
	return out, total
}

// UserUnsettled returns the open dues of one member of a group today.
func (s *Service) UserUnsettled(ctx context.Context, viewer, groupID, memberID string) (UnsettledPayments, error) {
	c, g, _, m, err := s.Membership.About(ctx, viewer, groupID, memberID)
	if err != nil {
		return UnsettledPayments{}, err
	}
	return s.unsettled(ctx, c, g, m, c.Subs[g.ID])
}

func (s *Service) unsettled(ctx context.Context, c membership.Snapshot, g groups.Group, m groups.Member, subs []groups.SubAccount) (UnsettledPayments, error) {
	out, total := UnsettledPayments{Dues: []DueView{}, UserId: usecase.OrNil(m.User)}, money.Kobo(0)
	for _, sub := range subs {
		dues, sum := openDues(g, sub, c.DuesOf(sub, m), c.Today)
		out.Dues, total = append(out.Dues, dues...), total+sum
	}
	membership.Soonest(out.Dues)
	out.Dues, out.Total = out.Dues[:min(len(out.Dues), unsettledMax)], usecase.Naira(total)
	cards, err := s.People.Cards(ctx, []string{m.User})
	out.Name = usecase.OrNil(usecase.FullName(cards, m.User))
	return out, err
}

// debt is the sum of one member's open dues today.
type debt struct {
	member     groups.Member
	left, fine money.Kobo
	dues       int
	oldest     time.Time
	periods    map[string]string // The oldest open period, by sub-account.
}

// debts returns the open dues of members to the sub-accounts of a roll today, highest first.
func debts(r membership.Roll, today time.Time) []debt {
	var out []debt
	for _, m := range r.Members {
		one := debt{member: m, periods: map[string]string{}}
		for n, s := range r.Subs {
			one.add(s.ID, r.Dues(n, m), today)
		}
		if one.left > 0 {
			out = append(out, one)
		}
	}
	slices.SortStableFunc(out, func(a, b debt) int { return int(b.left - a.left) })
	return out
}

func (o *debt) add(subID string, d dues.Dues, today time.Time) {
	left := d.Open(today)
	if left == 0 {
		return
	}
	o.left += left
	for k := d.Next(); k <= d.Schedule.At(today); k++ {
		missing := d.Owed(k) - d.Paid(k)
		if missing == 0 {
			continue
		}
		o.dues++
		o.fine += min(missing, d.Change(k).Penalty)
		if due := d.Schedule.Due(k); o.oldest.IsZero() || due.Before(o.oldest) {
			o.oldest = due
		}
		if o.periods[subID] == "" {
			o.periods[subID] = d.Schedule.Start(k).Format(time.DateOnly)
		}
	}
}

// Unsettled returns the debtors of a group, highest first, for its officials.
func (s *Service) Unsettled(ctx context.Context, user, groupID string, subID, q, before *string, limit int) (UnsettledPage, error) {
	var out UnsettledPage
	c, g, _, err := s.Membership.Official(ctx, user, groupID)
	if err != nil {
		return out, err
	}
	subs, err := c.Chosen(g, subID)
	if err != nil {
		return out, err
	}
	r, err := s.Membership.Roll(ctx, g.ID, subs)
	if err != nil {
		return out, err
	}
	if r.Members, err = s.Membership.Named(ctx, r.Members, q); err != nil {
		return out, err
	}
	debts, total := debts(r, c.Today), money.Kobo(0)
	for _, d := range debts {
		total += d.left
	}
	out.Count, out.Total = len(debts), usecase.Naira(total)
	page, next, err := usecase.PageOf(debts, before, limit)
	if err != nil {
		return out, err
	}
	out.Next = next
	return s.debtViews(ctx, out, page)
}

func (s *Service) debtViews(ctx context.Context, out UnsettledPage, page []debt) (UnsettledPage, error) {
	out.Members = []OwingMember{}
	ids := make([]string, len(page))
	for i, d := range page {
		ids[i] = d.member.User
	}
	cards, err := s.People.Cards(ctx, ids)
	if err != nil {
		return out, err
	}
	asked := askedToday{Service: s, known: map[[2]string]dues.Reminded{}}
	for _, d := range page {
		reminded, err := asked.was(ctx, d)
		if err != nil {
			return out, err
		}
		out.Members = append(out.Members, OwingMember{
			UserId: d.member.User, Name: usecase.FullName(cards, d.member.User), Outstanding: usecase.Naira(d.left), Penalties: usecase.Naira(d.fine),
			Dues: d.dues, Oldest: d.oldest.Format(time.DateOnly), RemindedToday: &reminded,
		})
	}
	return out, nil
}

// askedToday knows which members an official has reminded today.
type askedToday struct {
	*Service
	known map[[2]string]dues.Reminded // By sub-account and period.
}

func (t askedToday) of(ctx context.Context, sub, period string) (dues.Reminded, error) {
	key := [2]string{sub, period}
	if r, ok := t.known[key]; ok {
		return r, nil
	}
	state, err := t.Ledger.Load(ctx, dues.ReminderStream(sub, period))
	if err != nil {
		return dues.Reminded{}, err
	}
	t.known[key] = state.(dues.Reminded)
	return t.known[key], nil
}

// was reports whether a member was reminded of any of their open dues.
func (t askedToday) was(ctx context.Context, d debt) (bool, error) {
	for sub, period := range d.periods {
		r, err := t.of(ctx, sub, period)
		if err != nil {
			return false, err
		}
		if len(r.Left(nairav1.ReminderKind_REMINDER_KIND_ASKED, t.Now(), []string{d.member.User})) == 0 {
			return true, nil
		}
	}
	return false, nil
}
