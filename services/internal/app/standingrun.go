package app

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
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

// Why a day was missed that was tried in vain, and one that nobody came to try.
const (
	tooLittle = "There was too little money in your wallet."
	notTried  = "We could not make the payment in time."
)

// RunStandingOrders pays what standing orders have due, for as long as the context lets it. It is a job that any number
// of processes may run at once: the ledger takes each day of an order once. Too little money is tried again an hour
// later, until the days for it are over.
func (a *App) RunStandingOrders(ctx context.Context) error {
	tried, err := a.justTried(ctx)
	if err != nil {
		return err
	}
	due, err := orders.Due(ctx, a.Pool, savings.Day(a.Now()).Format(time.DateOnly), tried, standingAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, a.Job("standing orders"), due, func(o orders.Order) string { return o.ID }, a.runOrder)
}

// justTried are the orders that had too little money a short while ago.
func (a *App) justTried(ctx context.Context) ([]string, error) {
	rows, err := a.Pool.Query(ctx, "SELECT order_id FROM standing_tries WHERE tried_at > $1", a.Now().Add(-standingAgain))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

func (a *App) runOrder(ctx context.Context, o orders.Order) error {
	if standing.Over(o.Next, savings.Day(a.Now())) {
		return a.missDay(ctx, o)
	}
	run := standing.Run{OrderID: o.ID, Day: o.Next, Contribute: savings.Contribute{
		GroupID: o.GroupID, SubAccountID: o.SubAccount, User: o.User, Amount: o.Amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: a.Now(),
	}}
	if a.Members.MayContribute != nil {
		switch err := a.Members.MayContribute(ctx, o.User); {
		case fault.Is(err, fault.Unavailable):
			return err
		case fault.As(err) != nil:
			run.Refused = fault.As(err).Message
		case err != nil:
			return err
		}
	}
	err := a.orderDay(ctx, "run standing order", o, run)
	if fault.Is(err, fault.Insufficient) {
		_, err = a.Pool.Exec(ctx, `INSERT INTO standing_tries VALUES ($1, $2, $3)
			ON CONFLICT (order_id) DO UPDATE SET day = excluded.day, tried_at = excluded.tried_at`, o.ID, o.Next, a.Now())
	}
	return err
}

// missDay gives up a day whose time is over.
func (a *App) missDay(ctx context.Context, o orders.Order) error {
	reason := notTried
	var tried bool
	if err := a.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM standing_tries WHERE order_id = $1 AND day = $2)", o.ID, o.Next).Scan(&tried); err != nil {
		return err
	}
	if tried {
		reason = tooLittle
	}
	return a.orderDay(ctx, "miss standing order", o, standing.Miss(o.ID, o.User, o.Next, reason, a.Now()))
}

// orderDay records what an order's next day came to. The order and its day are the command's identity, so that two
// processes that come to it at once record one thing. One who comes late is told that it is done, and that is well.
func (a *App) orderDay(ctx context.Context, operation string, o orders.Order, c event.Command) error {
	_, err := a.Record(ctx, usecase.System, store.CommandID("system", operation, o.ID+" "+o.Next), "", store.Fingerprint(o.ID, o.Next), c)
	if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}
