package standingorders

import (
	"context"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	orders "adashi.ng/projections/standing"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/usecase"
)

const (
	standingMax  = 50 // Orders of one member that have not ended.
	standingRuns = 10 // Days of an order that are shown.
)

// SetStandingOrder has an amount paid from the member's wallet into a sub-account every week or month.
func (s *Service) SetStandingOrder(ctx context.Context, who usecase.Who, form CreateStandingOrderRequest) (StandingOrder, int64, error) {
	var none StandingOrder
	if !form.Consent {
		return none, 0, fault.Field("consent", "Please agree that we pay this from your wallet without asking again.")
	}
	first, err := time.Parse(time.DateOnly, form.FirstDay)
	if err != nil {
		return none, 0, fault.Field("firstDay", "Enter the first day as YYYY-MM-DD.")
	}
	c, err := s.Dues.Contribution(ctx, who, form.SubAccountId, form.Amount, dues.Due{})
	if err != nil {
		return none, 0, err
	}
	if err := s.fewOrders(ctx, who.User); err != nil {
		return none, 0, err
	}
	command, _ := who.ID("set standing order")
	id := event.DeriveID(command, "standing order").String()
	result, err := s.Record(ctx, who, command, id, store.Fingerprint(c.SubAccountID, c.Amount, form.Frequency, form.FirstDay), standingorder.Set{
		OrderID: id, User: who.User, GroupID: c.GroupID, SubAccountID: c.SubAccountID, Amount: c.Amount,
		Frequency: nairav1.StandingFrequency(nairav1.StandingFrequency_value["STANDING_FREQUENCY_"+string(form.Frequency)]), FirstDay: first, Now: s.Now(),
	})
	if err != nil {
		return none, 0, err
	}
	return s.standingOrder(ctx, id, result.Position())
}

// fewOrders refuses one order more than a member may have. It is a bound on our work and not on money, so that the read
// model is good enough for it.
func (s *Service) fewOrders(ctx context.Context, user string) error {
	list, err := orders.OfUser(ctx, s.Pool, user)
	open := 0
	for _, o := range list {
		if o.Status != orders.Ended {
			open++
		}
	}
	if err == nil && open >= standingMax {
		return fault.New(fault.Conflict, "You have %d standing orders already. End one that you do not need first.", open)
	}
	return err
}

// PauseStandingOrder stops a member's order until they resume it.
func (s *Service) PauseStandingOrder(ctx context.Context, who usecase.Who, id string) (StandingOrder, int64, error) {
	return s.changeOrder(ctx, who, id, standingorder.Pause)
}

// ResumeStandingOrder has it go on from today. Days that it missed are not made up for.
func (s *Service) ResumeStandingOrder(ctx context.Context, who usecase.Who, id string) (StandingOrder, int64, error) {
	return s.changeOrder(ctx, who, id, func(id, user string) event.Command { return standingorder.Resume(id, user, s.Now()) })
}

// EndStandingOrder ends it for good.
func (s *Service) EndStandingOrder(ctx context.Context, who usecase.Who, id string) (StandingOrder, int64, error) {
	return s.changeOrder(ctx, who, id, func(id, user string) event.Command { return standingorder.End(id, user, "") })
}

func (s *Service) changeOrder(ctx context.Context, who usecase.Who, id string, change func(id, user string) event.Command) (StandingOrder, int64, error) {
	id, err := usecase.ParseID(id, "standing order")
	if err != nil {
		return StandingOrder{}, 0, err
	}
	result, err := s.Record(ctx, who, store.NewCommandID(), id, store.Fingerprint(id), change(id, who.User))
	if err != nil {
		return StandingOrder{}, 0, err
	}
	return s.standingOrder(ctx, id, result.Position())
}

// standingOrder is an order as the ledger has it.
func (s *Service) standingOrder(ctx context.Context, id string, pos int64) (StandingOrder, int64, error) {
	state, err := s.Ledger.Load(ctx, standingorder.Stream(id))
	if err != nil {
		return StandingOrder{}, 0, err
	}
	o := state.(standingorder.Order)
	views, err := s.orderViews(ctx, []orders.Order{{
		ID: id, User: o.User, GroupID: o.Group, SubAccount: o.SubAccount, Amount: o.Amount, Frequency: o.Frequency, Status: string(o.Status),
		Next: o.Next, SetAt: o.SetAt, Reason: o.Reason,
	}})
	if err != nil {
		return StandingOrder{}, 0, err
	}
	return views[0], pos, nil
}

// StandingOrders are a member's orders: running ones first, then paused, then ended ones.
func (s *Service) StandingOrders(ctx context.Context, user string) ([]StandingOrder, error) {
	list, err := orders.OfUser(ctx, s.Pool, user)
	if err != nil {
		return nil, err
	}
	return s.orderViews(ctx, list)
}

func (s *Service) orderViews(ctx context.Context, list []orders.Order) ([]StandingOrder, error) {
	var ids, groupIDs, subIDs []string
	for _, o := range list {
		ids, groupIDs, subIDs = append(ids, o.ID), append(groupIDs, o.GroupID), append(subIDs, o.SubAccount)
	}
	days, err := orders.Days(ctx, s.Pool, ids, standingRuns)
	if err != nil {
		return nil, err
	}
	n, err := s.Names(ctx, groupIDs, subIDs)
	out := make([]StandingOrder, len(list))
	for i, o := range list {
		out[i] = StandingOrder{
			Id: o.ID, Status: StandingOrderStatus(o.Status), SubAccountId: o.SubAccount, GroupId: o.GroupID, Purpose: n.Sub(o.GroupID, o.SubAccount),
			Amount: usecase.Naira(o.Amount), Frequency: StandingFrequency(o.Frequency.String()[len("STANDING_FREQUENCY_"):]), NextDay: usecase.OrNil(o.Next),
			DateCreated: o.SetAt.UTC(), Reason: usecase.OrNil(o.Reason), Runs: runViews(days[o.ID]),
		}
	}
	return out, err
}

func runViews(days []orders.Day) []StandingRun {
	runs := []StandingRun{}
	for _, d := range days {
		run := StandingRun{Day: d.Day, Outcome: StandingRunOutcomeMISSED, Reason: usecase.OrNil(d.Reason)}
		if d.Movement != nil {
			run.Outcome, run.ActivityId = StandingRunOutcomePAID, usecase.OrNil(d.Movement.String())
		}
		runs = append(runs, run)
	}
	return runs
}
