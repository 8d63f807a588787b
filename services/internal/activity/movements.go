package activity

import (
	"context"
	"encoding/hex"
	"strconv"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/usecase"
)

// Movements returns a page of a member's matching movements, newest first.
func (s *Service) Movements(ctx context.Context, user string, wanted Wanted, before *string, limit int) (MovementPage, error) {
	pos, err := usecase.Cursor(before)
	if err != nil {
		return MovementPage{}, err
	}
	filter, err := s.filter(ctx, user, wanted)
	if err != nil {
		return MovementPage{}, err
	}
	rows, err := activity.Page(ctx, s.Pool, user, filter, pos, limit+1)
	if err != nil {
		return MovementPage{}, err
	}
	page := MovementPage{Transactions: []Movement{}}
	if len(rows) > limit {
		rows = rows[:limit]
		page.Next = usecase.OrNil(strconv.FormatInt(rows[limit-1].Pos, 10))
	}
	n, err := s.namesOf(ctx, rows)
	for _, m := range rows {
		page.Transactions = append(page.Transactions, movementView(m, n))
	}
	return page, err
}

// namesOf returns the names that movements need.
func (s *Service) namesOf(ctx context.Context, movements []activity.Movement) (usecase.Names, error) {
	var groupIDs, subIDs []string
	for _, m := range movements {
		groupIDs, subIDs = append(groupIDs, m.GroupID), append(subIDs, m.SubAccountID)
	}
	return s.Names(ctx, groupIDs, subIDs)
}

func movementView(m activity.Movement, n usecase.Names) Movement {
	channel := MovementChannel(usecase.ChannelName(m.Channel))
	view := Movement{
		Id: m.ID.String(), Kind: MovementKind(m.Kind), Direction: MovementDirectionOUT, Title: Title(m, n), Amount: usecase.Naira(m.Amount), BalanceAfter: usecase.NairaPtr(m.Balance),
		Date: m.EffectiveAt.UTC(), RecordedAt: m.RecordedAt.UTC(), Position: m.Pos, Reference: m.Reference, Channel: &channel,
		GroupId: usecase.OrNil(m.GroupID), SubAccountId: usecase.OrNil(m.SubAccountID),
	}
	if activity.Incoming(m.Kind) {
		view.Direction = MovementDirectionIN
	}
	if activity.BesideWallet(m.Kind) {
		view.BalanceAfter = nil // The wallet did not change.
	}
	if m.Charge > 0 && (m.Kind == activity.WalletFunded || m.Kind == activity.Withdrawal || m.Kind == activity.SavingsPaidOut) {
		view.Charge = usecase.NairaPtr(m.Charge)
	}
	if m.GroupID != "" {
		view.GroupName, view.SubAccountName = usecase.OrNil(n.Groups[m.GroupID].Name), usecase.OrNil(n.Subs[m.SubAccountID].Name)
	}
	return view
}

// Movement returns one movement with its story and its double entry in words.
func (s *Service) Movement(ctx context.Context, user, id string) (MovementDetail, error) {
	id, err := usecase.ParseID(id, "movement")
	if err != nil {
		return MovementDetail{}, err
	}
	m, err := activity.One(ctx, s.Pool, user, uuid.MustParse(id))
	if err != nil {
		return MovementDetail{}, usecase.NotThere(err, activity.ErrNone, "movement")
	}
	n, err := s.Names(ctx, []string{m.GroupID}, []string{m.SubAccountID})
	if err != nil {
		return MovementDetail{}, err
	}
	story, err := kinds[m.Kind].story(s, ctx, m)
	if err != nil {
		return MovementDetail{}, err
	}
	detail := MovementDetail{Movement: movementView(m, n), Story: story, Entries: []Entry{}}
	shown, err := s.showable(ctx, user, m)
	if err != nil {
		return MovementDetail{}, err
	}
	review, err := s.Ledger.Load(ctx, reviews.Stream(id))
	if err != nil {
		return MovementDetail{}, err
	}
	if mark := review.(reviews.Review).Mark; mark == nairav1.Mark_MARK_QUERIED || mark == nairav1.Mark_MARK_RESOLVED {
		detail.Queried = new(true)
	}
	if shown {
		detail.LeafHash = usecase.OrNil(hex.EncodeToString(m.Leaf))
	}
	for _, line := range m.Lines {
		detail.Entries = append(detail.Entries, s.entryView(line, m, n))
	}
	if len(m.Settled) > 0 {
		sub := n.Subs[m.SubAccountID]
		settled := []Settlement{}
		for _, part := range m.Settled {
			settled = append(settled, usecase.SettlementOf(usecase.ScheduleOf(sub), part.Period, part.Kobo))
		}
		detail.Settled = &settled
	}
	return detail, nil
}

// monthsShown is how many months the dashboard shows.
const monthsShown = 6

// flowsMax limits how many months of money in and out are returned at once.
const flowsMax = 36

// MonthFlows returns the money that came into and left a member's wallet in each of so many Lagos months up to this
// one, oldest first.
func (s *Service) MonthFlows(ctx context.Context, user string, months int) ([]MonthFlow, error) {
	if months < 1 || months > flowsMax {
		return nil, fault.Field("months", "Choose from 1 to %d months.", flowsMax)
	}
	today := savings.Day(s.Now())
	first := time.Date(today.Year(), today.Month()-time.Month(months)+1, 1, 0, 0, 0, 0, lagos.Zone)
	flows, err := activity.Flows(ctx, s.Pool, user, first)
	if err != nil {
		return nil, err
	}
	out := make([]MonthFlow, months)
	for i := range out {
		m := first.AddDate(0, i, 0)
		flow := flows[m.Format("2006-01")]
		out[i] = MonthFlow{Month: m.Format("2006-01"), Label: m.Format("Jan 2006"), MoneyIn: usecase.Naira(flow.In), MoneyOut: usecase.Naira(flow.Out)}
	}
	return out, nil
}

// Dashboard shows the next dues and the latest contributions.
func (s *Service) Dashboard(ctx context.Context, user string) (Dashboard, error) {
	dues, err := s.Dues.Upcoming(ctx, user)
	if err != nil {
		return Dashboard{}, err
	}
	out, today := Dashboard{Dues: dues, Months: []MonthTotal{}}, savings.Day(s.Now())
	first := time.Date(today.Year(), today.Month()-monthsShown+1, 1, 0, 0, 0, 0, lagos.Zone)
	months, err := activity.Months(ctx, s.Pool, user, first)
	if err != nil {
		return out, err
	}
	for i := range monthsShown {
		m := first.AddDate(0, i, 0)
		out.Months = append(out.Months, MonthTotal{Month: m.Format("2006-01"), Label: m.Format("Jan"), Contributed: usecase.Naira(months[m.Format("2006-01")])})
	}
	return out, nil
}
