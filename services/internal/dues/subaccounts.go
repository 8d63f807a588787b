package dues

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/query"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// SubAccounts returns a group's sub-accounts as a user sees them, oldest first.
func (s *Service) SubAccounts(ctx context.Context, user, groupID string) (GroupSubAccounts, error) {
	c, g, seat, err := s.Membership.GroupFor(ctx, user, groupID, user)
	if err != nil {
		return GroupSubAccounts{}, err
	}
	out := GroupSubAccounts{GroupSavingsId: g.ID, GroupName: g.Name, SubAccounts: []SubAccount{}}
	if !usecase.InGroup(savings.Status(seat.Member.Status)) {
		return out, nil
	}
	out.SubAccounts, err = s.subViews(ctx, c, g, seat, !seat.Active(), c.Subs[g.ID]...)
	return out, err
}

const paymentsShown = 50

// subViews returns sub-accounts of a group as one member sees them; alone limits them to that member's own payments.
func (s *Service) subViews(ctx context.Context, c membership.Snapshot, g groups.Group, viewer membership.Seat, alone bool, subs ...groups.SubAccount) ([]SubAccount, error) {
	views, payments, batch := make([]SubAccount, len(subs)), make([][]groups.Contribution, len(subs)), &pgx.Batch{}
	var users []string
	for i, sub := range subs {
		onlyOf := ""
		if alone || ownAlone(g, sub, viewer) {
			onlyOf = viewer.Member.User
		}
		groups.Contributions(sub.ID, onlyOf, paymentsShown).Queue(batch, func(found []groups.Contribution) {
			payments[i] = found
			for _, p := range found {
				users = append(users, p.User)
			}
		})
	}
	requests.Pools(membership.SubAccountIDs(subs)...).Queue(batch, func(pools map[string]requests.Pool) { c.Money.Pools = pools })
	if err := query.Send(ctx, s.Pool, batch); err != nil {
		return views, err
	}
	cards, err := s.People.Cards(ctx, users)
	if err != nil {
		return views, err
	}
	for i, sub := range subs {
		views[i] = subView(c, g, viewer, sub)
		views[i].MemberPayments = memberPayments(payments[i], usecase.ScheduleOf(sub), cards)
	}
	return views, nil
}

// subView is a sub-account as one member sees it, without payments.
func subView(c membership.Snapshot, g groups.Group, viewer membership.Seat, s groups.SubAccount) SubAccount {
	mine := c.Paid[membership.Payer{g.ID, viewer.Member.User, s.ID}]
	view := SubAccount{
		Id: s.ID, GroupSavingsId: g.ID, Name: s.Name, Description: s.Description,
		PaymentType:      PaymentType(s.Type.String()[len("PAYMENT_TYPE_"):]),
		PaymentFrequency: PaymentFrequency(s.Frequency.String()[len("PAYMENT_FREQUENCY_"):]),
		AmountPayable:    usecase.Naira(s.Amount), ShowTotalToMembers: s.ShowTotal, MyTotal: usecase.Naira(mine.Total), MySavings: usecase.NairaPtr(mine.Savings()), LateTerms: usecase.OrNil(membership.LateTerms(s)), GroupStatus: usecase.OrNil(g.Status),
		Dues: membership.ShownDues(g, s, c.DuesOf(s, viewer.Member), c.Today), TotalHidden: ownAlone(g, s, viewer),
	}
	if !view.TotalHidden {
		pool := c.Money.Pools[s.ID]
		view.TotalAmountContributed, view.NumberOfPayments = usecase.NairaPtr(s.Total), &s.Payments
		view.Balance, view.Held = usecase.NairaPtr(pool.Available), usecase.NairaPtr(pool.Held)
	}
	return view
}

func memberPayments(payments []groups.Contribution, schedule savings.Schedule, cards map[string]people.Card) []MemberPayment {
	views := []MemberPayment{}
	for _, p := range payments {
		label := ""
		if parts := p.Parts(); len(parts) > 0 {
			label = schedule.Label(schedule.At(savings.ParseDay(parts[0].Period)))
		}
		views = append(views, MemberPayment{
			UserId: p.User, Name: usecase.FullName(cards, p.User), Amount: usecase.Naira(p.Amount), Date: p.At.UTC(), Label: usecase.OrNil(label),
		})
	}
	return views
}

// SubAccount returns one sub-account with one member's dues and payments, for that member or an official.
func (s *Service) SubAccount(ctx context.Context, viewer, subID, memberID string) (SubAccount, error) {
	subID, err := usecase.ParseID(subID, "sub-account")
	if err != nil {
		return SubAccount{}, err
	}
	none := fault.New(fault.NotFound, "There is no such sub-account.")
	found, err := groups.SubAccountsByID(subID).Read(ctx, s.Pool)
	if err != nil || len(found) == 0 {
		return SubAccount{}, usecase.OrErr(err, none)
	}
	c, g, seat, m, err := s.Membership.About(ctx, viewer, found[0].GroupID, strings.TrimSpace(memberID))
	if fault.Is(err, fault.NotFound) && m.User == "" && seat.Member.User == "" {
		return SubAccount{}, none // Outsiders see neither the group nor this.
	}
	if err != nil {
		return SubAccount{}, err
	}
	who := seat
	if m.User != viewer {
		who = membership.Seat{Member: m, Role: membership.RoleOf(g, m.User), Official: true}
	}
	views, err := s.subViews(ctx, c, g, who, m.User != viewer || !seat.Active(), found[0])
	return views[0], err
}

// ownAlone reports whether a viewer sees only their own money in a sub-account: when the total is hidden from them, or
// when their membership rests.
func ownAlone(g groups.Group, s groups.SubAccount, viewer membership.Seat) bool {
	return membership.HidesTotal(g, s, viewer) || !viewer.Official && !viewer.Active()
}
