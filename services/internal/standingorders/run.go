package standingorders

import (
	"context"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	orders "adashi.ng/projections/standing"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

const (
	standingAtOnce = 500
	standingAgain  = time.Hour // Between two tries of one day.
)

// tooLittle is why a day was missed that was tried in vain.
const tooLittle = "There was too little money in your wallet."

// RunStandingOrders pays what standing orders have due, for as long as the context lets it. It is a job that any number
// of processes may run at once: the ledger takes each day of an order once. Too little money is tried again an hour
// later, until the days for it are over.
func (s *Service) RunStandingOrders(ctx context.Context) error {
	tried, err := s.tries().since(ctx, s.Now().Add(-standingAgain)) // Those that had too little money a short while ago.
	if err != nil {
		return err
	}
	due, err := orders.Due(ctx, s.Pool, savings.Day(s.Now()).Format(time.DateOnly), tried, standingAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("standing orders"), due, func(o orders.Order) string { return o.ID }, s.runOrder)
}

func (s *Service) runOrder(ctx context.Context, o orders.Order) error {
	if standingorder.Over(o.Next, savings.Day(s.Now())) {
		return s.missDay(ctx, o)
	}
	run := standingorder.Run{OrderID: o.ID, Day: o.Next, Contribute: dues.Contribute{
		GroupID: o.GroupID, SubAccountID: o.SubAccount, User: o.User, Amount: o.Amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: s.Now(),
	}}
	if s.Dues.MayContribute != nil {
		switch err := s.Dues.MayContribute(ctx, o.User); {
		case fault.Is(err, fault.Unavailable):
			return err
		case fault.As(err) != nil:
			run.Refused = fault.As(err).Message
		case err != nil:
			return err
		}
	}
	err := s.orderDay(ctx, "run standing order", o, run)
	if fault.Is(err, fault.Insufficient) {
		err = s.tries().note(ctx, o, s.Now())
	}
	return err
}

// missDay gives up a day whose time is over, and those after it that are over too.
func (s *Service) missDay(ctx context.Context, o orders.Order) error {
	reason := standingorder.NotTried
	tried, err := s.tries().was(ctx, o)
	if err != nil {
		return err
	}
	if tried {
		reason = tooLittle
	}
	return s.orderDay(ctx, "miss standing order", o, standingorder.Miss(o.ID, o.User, o.Next, reason, s.Now()))
}

// orderDay records what an order's next day came to. The order and its day are the command's identity, so that two
// processes that come to it at once record one thing. One who comes late is told that it is done, and that is well.
func (s *Service) orderDay(ctx context.Context, operation string, o orders.Order, c event.Command) error {
	_, err := s.Record(ctx, usecase.System, store.CommandID("system", operation, o.ID+" "+o.Next), "", store.Fingerprint(o.ID, o.Next), c)
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
