package standingorders_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/usecase"
)

func TestAnOrderThatCannotBeRunStopsNoOther(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.StartOn(t, "2027-01-31"), context.Background()
	w.Order(1_000, "MONTHLY", "2027-01-31")
	for _, who := range []usecase.Who{w.Owner} {
		w.Fund(who.User)
		_, _, err := w.App.StandingOrders.SetStandingOrder(ctx, who, contract.CreateStandingOrderRequest{
			SubAccountId: w.Open, Amount: apptest.Naira(500), Frequency: "MONTHLY", FirstDay: "2027-01-31", Consent: true,
		})
		require.NoError(t, err)
	}
	bad := w.Member.User
	w.App.Dues.MayContribute = func(_ context.Context, user string) error {
		if user == bad {
			panic("a record that nobody can read")
		}
		return nil
	}
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.ErrorContains(t, w.App.StandingOrders.RunStandingOrders(ctx), "nobody can read")
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.Equal(t, "8223", w.Wallet())
	var paid int
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT count(*) FROM events WHERE type = 'naira.v1.StandingOrderRan'").Scan(&paid))
	require.Equal(t, 1, paid)
	require.Len(t, w.Failing("standing orders"), 1)
	bad = ""
	at := w.App.Now().Add(31 * time.Second)
	w.App.Now = func() time.Time { return at }
	w.Runs()
	require.Equal(t, "7223", w.Wallet())
	require.Empty(t, w.Failing("standing orders"))
}
