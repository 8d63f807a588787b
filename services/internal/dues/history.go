package dues

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/usecase"
)

// HistoryWanted filters the payments of a group. Days are YYYY-MM-DD in Lagos, both included.
type HistoryWanted struct {
	SubAccountID, From, To, Before *string
	Limit                          int
}

// MyHistory returns the caller's payments in a group, or everybody's if the caller may see the totals and sets all.
func (s *Service) MyHistory(ctx context.Context, user, groupID string, all bool, w HistoryWanted) (PaymentHistoryPage, error) {
	none := PaymentHistoryPage{Payments: []GroupPayment{}}
	c, g, seat, m, err := s.Membership.About(ctx, user, groupID, user)
	if err != nil {
		return none, err
	}
	subs, err := c.Chosen(g, w.SubAccountID)
	if err != nil {
		return none, err
	}
	if !all {
		return s.history(ctx, m.User, subs, w)
	}
	for _, sub := range subs {
		if !seat.Active() || membership.HidesTotal(g, sub, seat) {
			return none, fault.New(fault.Forbidden, "The group's owner hides from members what the others pay. Your own payments are shown to you.")
		}
	}
	return s.history(ctx, "", subs, w)
}

// AllHistory returns every payment of a group, or one member's, for its officials.
func (s *Service) AllHistory(ctx context.Context, user, groupID string, memberID *string, w HistoryWanted) (PaymentHistoryPage, error) {
	none := PaymentHistoryPage{Payments: []GroupPayment{}}
	c, g, _, err := s.Membership.Official(ctx, user, groupID)
	if err != nil {
		return none, err
	}
	subs, err := c.Chosen(g, w.SubAccountID)
	if err != nil {
		return none, err
	}
	only := ""
	if memberID != nil {
		only = *memberID
	}
	return s.history(ctx, only, subs, w)
}

func (s *Service) history(ctx context.Context, user string, subs []groups.SubAccount, w HistoryWanted) (PaymentHistoryPage, error) {
	page := PaymentHistoryPage{Payments: []GroupPayment{}}
	before, err := usecase.Cursor(w.Before)
	if err != nil {
		return page, err
	}
	looked := groups.Looked{User: user, Subs: membership.SubAccountIDs(subs)}
	if looked.From, looked.To, err = usecase.Span(w.From, w.To); err != nil {
		return page, err
	}
	rows, err := groups.History(ctx, s.Pool, looked, before, w.Limit+1)
	if err != nil {
		return page, err
	}
	if len(rows) > w.Limit {
		rows = rows[:w.Limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[w.Limit-1].Pos, 10))
	}
	var total money.Kobo
	if page.Count, total, err = groups.HistorySums(ctx, s.Pool, looked); err != nil {
		return page, err
	}
	page.Total = usecase.Naira(total)
	page.Payments, err = s.paymentViews(ctx, rows, subs)
	return page, err
}

func (s *Service) paymentViews(ctx context.Context, rows []groups.Contribution, subs []groups.SubAccount) ([]GroupPayment, error) {
	out, byID := []GroupPayment{}, map[string]groups.SubAccount{}
	for _, sub := range subs {
		byID[sub.ID] = sub
	}
	var users []string
	for _, r := range rows {
		if users = append(users, r.User); r.PaidBy != "" {
			users = append(users, r.PaidBy)
		}
	}
	cards, err := s.People.Cards(ctx, users)
	if err != nil {
		return out, err
	}
	ids := make([]uuid.UUID, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	marks, err := groups.Marks(ctx, s.Pool, ids)
	if err != nil {
		return out, err
	}
	for _, r := range rows {
		channel := GroupPaymentChannel(usecase.ChannelName(r.Channel))
		view := GroupPayment{
			Id: r.ID.String(), UserId: r.User, Name: usecase.FullName(cards, r.User), SubAccountId: r.SubAccountID, SubAccountName: byID[r.SubAccountID].Name,
			Amount: usecase.Naira(r.Amount), Channel: &channel, Date: r.At.UTC(), Reversed: r.Reversed, Mark: usecase.MarkOf(marks[r.ID]),
			Settled: partViews(byID[r.SubAccountID], r),
		}
		if r.PaidBy != "" {
			view.PaidBy, view.PaidByName = usecase.OrNil(r.PaidBy), usecase.OrNil(usecase.FullName(cards, r.PaidBy))
		}
		out = append(out, view)
	}
	return out, nil
}

func partViews(s groups.SubAccount, r groups.Contribution) []Settlement {
	out := []Settlement{}
	for _, p := range r.Parts() {
		out = append(out, usecase.SettlementOf(usecase.ScheduleOf(s), p.Period, money.Kobo(p.Kobo)))
	}
	return out
}

// The limits of a grid.
const (
	gridBack    = 6 // Periods before today's, unless asked otherwise.
	GridPeriods = 12
)

// GridWanted selects a part of a grid.
type GridWanted struct {
	SubAccountID, From, Query, Before *string
	Periods, Limit                    int
}

// Grid returns each member's payments and dues by period of one sub-account, for the group's officials.
func (s *Service) Grid(ctx context.Context, user, groupID string, w GridWanted) (PaymentGrid, error) {
	var out PaymentGrid
	c, g, _, err := s.Membership.Official(ctx, user, groupID)
	if err != nil {
		return out, err
	}
	subs, err := c.Chosen(g, w.SubAccountID)
	if err != nil {
		return out, err
	}
	if len(subs) == 0 {
		return out, fault.New(fault.Conflict, "The group collects for nothing yet. Create a sub-account first.")
	}
	sub := subs[0]
	for i := len(subs) - 1; i >= 0; i-- { // The first that has dues, unless the request names another.
		if subs[i].Type != nairav1.PaymentType_PAYMENT_TYPE_FLEXIBLE {
			sub = subs[i]
		}
	}
	r, err := s.Membership.Roll(ctx, g.ID, []groups.SubAccount{sub})
	if err != nil {
		return out, err
	}
	if r.Members, err = s.Membership.Named(ctx, r.Members, w.Query); err != nil {
		return out, err
	}
	first, err := gridFirst(usecase.ScheduleOf(sub), w.From, c.Today)
	if err != nil {
		return out, err
	}
	out.SubAccountId, out.SubAccountName, out.Count = sub.ID, sub.Name, len(r.Members)
	schedule := usecase.ScheduleOf(sub)
	last := first + w.Periods - 1
	if sub.Frequency == nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME {
		last = first
	}
	out.Periods = []GridPeriod{}
	for k := first; k <= last; k++ {
		out.Periods = append(out.Periods, GridPeriod{
			DueDate: schedule.Due(k).Format(time.DateOnly), Label: schedule.Label(k), Period: schedule.Start(k).Format(time.DateOnly),
		})
	}
	page, next, err := usecase.PageOf(r.Members, w.Before, w.Limit)
	if err != nil {
		return out, err
	}
	out.Next, r.Members = next, page
	return s.gridRows(ctx, out, r, first, last, c.Today)
}

func gridFirst(s savings.Schedule, from *string, today time.Time) (int, error) {
	if from == nil || *from == "" {
		return max(0, s.At(today)-gridBack), nil
	}
	day, err := time.Parse(time.DateOnly, *from)
	if err != nil || day.Year() < 2000 || day.Year() > 2200 {
		return 0, fault.Field("from", "Enter a day as YYYY-MM-DD.")
	}
	return s.At(day), nil
}

func (s *Service) gridRows(ctx context.Context, out PaymentGrid, r membership.Roll, first, last int, today time.Time) (PaymentGrid, error) {
	out.Rows = []GridRow{}
	ids := make([]string, len(r.Members))
	for i, m := range r.Members {
		ids[i] = m.User
	}
	cards, err := s.People.Cards(ctx, ids)
	if err != nil {
		return out, err
	}
	avatars := map[string]string{}
	if s.Membership.Avatars != nil {
		if avatars, err = s.Membership.Avatars(ctx, ids); err != nil {
			return out, err
		}
	}
	for _, m := range r.Members {
		d := r.Dues(0, m)
		row := GridRow{Cells: []GridCell{}, Name: usecase.FullName(cards, m.User), Total: usecase.Naira(d.Total), UserId: m.User}
		if id := avatars[m.User]; id != "" {
			row.Avatar = usecase.OrNil("/api/v1/files/" + id)
		}
		for k := first; k <= last; k++ {
			row.Cells = append(row.Cells, gridCell(d, k, today))
		}
		out.Rows = append(out.Rows, row)
	}
	return out, nil
}

func gridCell(d dues.Dues, k int, today time.Time) GridCell {
	if d.Flexible() || k < d.From || !membership.IsOwed(d, k) {
		return GridCell{Status: GridCellStatus("NONE"), Paid: usecase.Naira(0), Amount: usecase.Naira(0)}
	}
	return GridCell{Status: GridCellStatus(membership.StatusOf(d, k, today)), Paid: usecase.Naira(d.Paid(k)), Amount: usecase.Naira(d.Owed(k))}
}

// savers limits how many members a chart names.
const savers = 10

// Charts returns a group's income by month, and the members who saved most; only the caller's own when the totals are
// hidden from them.
func (s *Service) Charts(ctx context.Context, user, groupID string, months int) (GroupCharts, error) {
	var out GroupCharts
	c, g, seat, err := s.Membership.GroupFor(ctx, user, groupID, user)
	if err != nil {
		return out, err
	}
	if !seat.Active() {
		return out, membership.NotYet(seat)
	}
	only := user
	if c.SeesTotal(g, seat.Official) {
		only = ""
	}
	flows, err := groups.Flows(ctx, s.Pool, g.ID, only, membership.Month(c.Today, 1-months))
	if err != nil {
		return out, err
	}
	out.Months = []GroupMonth{}
	for i := 1 - months; i <= 0; i++ {
		key := membership.Month(c.Today, i)
		first := time.Date(c.Today.Year(), c.Today.Month()+time.Month(i), 1, 0, 0, 0, 0, time.UTC)
		out.Months = append(out.Months, GroupMonth{Month: key, Label: first.Format("Jan 2006"), Contributed: usecase.Naira(flows[key].In), PaidOut: usecase.Naira(flows[key].Out)})
	}
	return s.mostSaved(ctx, out, g.ID, only)
}

func (s *Service) mostSaved(ctx context.Context, out GroupCharts, groupID, only string) (GroupCharts, error) {
	out.Members = []Saver{}
	most, err := groups.MostSaved(ctx, s.Pool, groupID, only, savers)
	if err != nil {
		return out, err
	}
	ids := make([]string, len(most))
	for i, m := range most {
		ids[i] = m.User
	}
	cards, err := s.People.Cards(ctx, ids)
	for _, m := range most {
		out.Members = append(out.Members, Saver{Name: usecase.FullName(cards, m.User), Total: usecase.Naira(m.Total), UserId: m.User})
	}
	return out, err
}
