package apptest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
)

// Runs runs the standing orders as the job does.
func (w *Town) Runs() {
	w.Helper()
	require.NoError(w, w.Engine.CatchUp(context.Background()))
	require.NoError(w, w.App.StandingOrders.RunStandingOrders(context.Background()))
	require.NoError(w, w.Engine.CatchUp(context.Background()))
}

// Order is a standing order that the member has just set.
func (w *Town) Order(amount int64, frequency contract.StandingFrequency, first string) contract.StandingOrder {
	w.Helper()
	o, pos, err := w.App.StandingOrders.SetStandingOrder(context.Background(), w.Member, contract.CreateStandingOrderRequest{
		SubAccountId: w.Open, Amount: Naira(amount), Frequency: frequency, FirstDay: first, Consent: true,
	})
	require.NoError(w, err)
	require.Positive(w, pos)
	require.NoError(w, w.Engine.CatchUp(context.Background()))
	return o
}

// TheOrder is the only order that the member has.
func (w *Town) TheOrder() contract.StandingOrder {
	w.Helper()
	list, err := w.App.StandingOrders.StandingOrders(context.Background(), w.Member.User)
	require.NoError(w, err)
	require.Len(w, list, 1)
	return list[0]
}

// Came is what an order's days came to, the newest first.
func (w *Town) Came() (days []string) {
	w.Helper()
	for _, run := range w.TheOrder().Runs {
		days = append(days, run.Day+" "+string(run.Outcome))
	}
	return days
}

// StartOn makes a Town on a day, whose member has ₦8,223 in the wallet.
func StartOn(t *testing.T, day string) *Town {
	t.Helper()
	w := Setup(t, true, false).On(day)
	require.Equal(t, "8223", w.Wallet())
	return w
}
