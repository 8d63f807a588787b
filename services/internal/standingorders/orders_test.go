package standingorders_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standingorder"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/usecase"
)

func TestAnOrderIsRunOnceHoweverManyProcessesComeToItAtOnce(t *testing.T) {
	t.Parallel()
	w := apptest.StartOn(t, "2027-01-31")
	o := w.Order(1_000, "MONTHLY", "2027-01-31")
	require.Equal(t, "Balogun Traders · Welfare", o.Purpose)
	var all sync.WaitGroup
	failed := make(chan error, 64)
	for _, process := range []*app.App{w.App, w.Another(), w.Another()} {
		for range 8 {
			all.Go(func() { failed <- process.StandingOrders.RunStandingOrders(context.Background()) })
		}
	}
	all.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
	w.Runs()
	require.Equal(t, "7223", w.Wallet())
	require.Equal(t, []string{"2027-01-31 PAID"}, w.Came())
	require.Equal(t, "2027-02-28", *w.TheOrder().NextDay)
	detail, err := w.App.Activity.Movement(context.Background(), w.Member.User, *w.TheOrder().Runs[0].ActivityId)
	require.NoError(t, err)
	require.Equal(t, "1000", detail.Movement.Amount.String())
	require.Equal(t, contract.MovementKind("CONTRIBUTION"), detail.Movement.Kind)
}

func TestAnOrderKeepsToTheMonthsEnds(t *testing.T) {
	t.Parallel()
	w := apptest.StartOn(t, "2026-12-30")
	w.Order(1_000, "MONTHLY", "2026-12-31")
	for _, day := range []string{"2026-12-30", "2026-12-31", "2027-01-30", "2027-01-31", "2027-02-27", "2027-02-28", "2027-03-01", "2027-03-30", "2027-03-31", "2027-03-31"} {
		w.On(day).Runs()
		w.Runs()
	}
	require.Equal(t, []string{"2027-03-31 PAID", "2027-02-28 PAID", "2027-01-31 PAID", "2026-12-31 PAID"}, w.Came())
	require.Equal(t, "4223", w.Wallet())
}

// A process that ends between the try and what it notes of it has taken nothing, and one that ends after the money was
// recorded finds it done.
func TestACrashBetweenTriesPaysNeitherTwiceNorNever(t *testing.T) {
	t.Parallel()
	w := apptest.StartOn(t, "2027-01-15")
	o := w.Order(9_000, "MONTHLY", "2027-01-15")
	w.Runs()
	_, err := w.Pool.Exec(context.Background(), "DELETE FROM standing_tries") // It ended before it noted the try.
	require.NoError(t, err)
	w.Runs()
	require.Equal(t, "8223", w.Wallet())
	w.Fund(w.Member.User)
	w.On("2027-01-16").Runs()
	require.Equal(t, "8223", w.Wallet(), "9,000 more came in, and 9,000 were paid")
	late := w.Another() // It ended before it heard of its own success; the read model has not heard of it either.
	_, err = w.Pool.Exec(context.Background(), "UPDATE rm_standing SET next_day = '2027-01-15' WHERE order_id = $1", o.Id)
	require.NoError(t, err)
	require.NoError(t, late.StandingOrders.RunStandingOrders(context.Background()))
	require.NoError(t, w.Engine.CatchUp(context.Background()))
	require.Equal(t, "8223", w.Wallet())
	require.Equal(t, []string{"2027-01-15 PAID"}, w.Came())
}

func TestTooLittleMoneyIsTriedByTheHourForThreeDaysThenMissedAndTold(t *testing.T) {
	t.Parallel()
	w := apptest.StartOn(t, "2027-01-15")
	w.Order(9_000, "WEEKLY", "2027-01-15")
	tried := func() (at time.Time) {
		require.NoError(t, w.Pool.QueryRow(context.Background(), "SELECT tried_at FROM standing_tries").Scan(&at))
		return at
	}
	w.Runs()
	first, noon := tried(), w.App.Now()
	w.App.Now = func() time.Time { return noon.Add(59 * time.Minute) }
	w.Runs()
	require.Equal(t, first, tried(), "not again within the hour")
	w.App.Now = func() time.Time { return noon.Add(61 * time.Minute) }
	w.Runs()
	require.NotEqual(t, first, tried())
	for _, day := range []string{"2027-01-16", "2027-01-17"} {
		w.On(day).Runs()
		require.Empty(t, w.Came())
	}
	w.On("2027-01-18").Runs()
	require.Equal(t, []string{"2027-01-15 MISSED"}, w.Came())
	require.Equal(t, "There was too little money in your wallet.", *w.TheOrder().Runs[0].Reason)
	require.Equal(t, "2027-01-22", *w.TheOrder().NextDay)
	require.Equal(t, "8223", w.Wallet())
	told, err := w.App.Notices.Notifications(context.Background(), w.Member.User, nil, 1)
	require.NoError(t, err)
	require.Equal(t, "Standing order not paid", told.Notifications[0].Data.Title)
	require.Equal(t, "₦9,000.00 was not paid to Balogun Traders · Welfare, and your wallet is as it was. There was too little money in your wallet.", told.Notifications[0].Data.Body)
	w.Fund(w.Member.User)
	w.Runs()
	require.Equal(t, []string{"2027-01-15 MISSED"}, w.Came(), "what was missed is not paid later")
	w.On("2027-01-22").Runs()
	require.Equal(t, []string{"2027-01-22 PAID", "2027-01-15 MISSED"}, w.Came())
}

func TestWhatNobodyCameToTryIsNotBlamedOnTheMember(t *testing.T) {
	t.Parallel()
	w := apptest.StartOn(t, "2027-01-15")
	w.Order(1_000, "WEEKLY", "2027-01-15")
	w.On("2027-02-03").Runs()
	require.Equal(t, "We could not make the payment in time.", *w.TheOrder().Runs[0].Reason)
	require.Equal(t, []string{"2027-01-29 MISSED", "2027-01-22 MISSED", "2027-01-15 MISSED"}, w.Came(), "each is recorded")
	require.Equal(t, "2027-02-05", *w.TheOrder().NextDay, "none is paid at once with another")
	told, err := w.App.Notices.Notifications(context.Background(), w.Member.User, nil, 10)
	require.NoError(t, err)
	missed := 0
	for _, one := range told.Notifications {
		if one.Data.Title == "Standing order not paid" {
			missed++
		}
	}
	require.Equal(t, 3, missed, "and told")
	require.Equal(t, "8223", w.Wallet())
}

func TestAnOrderRestsGoesOnAndEnds(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.StartOn(t, "2027-01-15"), context.Background()
	o := w.Order(1_000, "WEEKLY", "2027-01-15")
	for name, change := range map[string]func(context.Context, usecase.Who, string) (contract.StandingOrder, int64, error){
		"pause": w.App.StandingOrders.PauseStandingOrder, "resume": w.App.StandingOrders.ResumeStandingOrder, "end": w.App.StandingOrders.EndStandingOrder,
	} {
		_, _, err := change(ctx, w.Owner, o.Id)
		require.True(t, fault.Is(err, fault.NotFound), "%s of another's", name)
	}
	paused, _, err := w.App.StandingOrders.PauseStandingOrder(ctx, w.Member, o.Id)
	require.NoError(t, err)
	require.Equal(t, contract.StandingOrderStatus("PAUSED"), paused.Status)
	require.Nil(t, paused.NextDay)
	w.Runs()
	w.On("2027-01-29").Runs()
	require.Empty(t, w.Came())
	resumed, _, err := w.App.StandingOrders.ResumeStandingOrder(ctx, w.Member, o.Id)
	require.NoError(t, err)
	require.Equal(t, "2027-01-29", *resumed.NextDay, "what went by is not made up for")
	w.Runs()
	require.Equal(t, []string{"2027-01-29 PAID"}, w.Came())
	ended, _, err := w.App.StandingOrders.EndStandingOrder(ctx, w.Member, o.Id)
	require.NoError(t, err)
	require.Equal(t, contract.StandingOrderStatus("ENDED"), ended.Status)
	require.Len(t, ended.Runs, 1)
	w.On("2027-02-05").Runs()
	require.Equal(t, "7223", w.Wallet())
	_, _, err = w.App.StandingOrders.ResumeStandingOrder(ctx, w.Member, o.Id)
	require.True(t, fault.Is(err, fault.Conflict))
}

func TestAnOrderEndsItselfWithTheMembershipAndWithTheAccount(t *testing.T) {
	t.Parallel()
	t.Run("the account", func(t *testing.T) {
		t.Parallel()
		w := apptest.StartOn(t, "2027-01-15")
		w.Order(1_000, "MONTHLY", "2027-01-20")
		_, err := w.App.Dues.PayFromWallet(context.Background(), w.Member, w.Open, apptest.Naira(8_223), dues.Due{})
		require.NoError(t, err)
		w.Gives(account.Close{User: w.Member.User})
		w.On("2027-01-20").Runs()
		require.Equal(t, contract.StandingOrderStatus("ENDED"), w.TheOrder().Status)
		require.Equal(t, standingorder.AccountClosed, *w.TheOrder().Reason)
	})
	t.Run("the membership", func(t *testing.T) {
		t.Parallel()
		w := apptest.StartOn(t, "2027-01-15")
		// Nobody can leave a group yet, so that the order is one of a person who is not in it.
		w.Gives(ledgertest.Raw{event.Draft{Stream: standingorder.Stream("0190a000-0000-7000-8000-000000000001"), Message: &nairav1.StandingOrderSet{
			OrderId: "0190a000-0000-7000-8000-000000000001", UserId: w.Outsider.User, GroupId: w.Group, SubAccountId: w.Open, AmountKobo: 1_000_00,
			Frequency: nairav1.StandingFrequency_STANDING_FREQUENCY_MONTHLY, FirstDay: "2027-01-15",
		}}})
		w.Fund(w.Outsider.User)
		w.Runs()
		list, err := w.App.StandingOrders.StandingOrders(context.Background(), w.Outsider.User)
		require.NoError(t, err)
		require.Equal(t, standingorder.NotAMember, *list[0].Reason)
		told, err := w.App.Notices.Notifications(context.Background(), w.Outsider.User, nil, 1)
		require.NoError(t, err)
		require.Equal(t, "Standing order ended", told.Notifications[0].Data.Title)
	})
}

func TestAnOrderIsAskedForOnceAndOnlyWithConsent(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.StartOn(t, "2027-01-15"), context.Background()
	form := contract.CreateStandingOrderRequest{SubAccountId: w.Open, Amount: apptest.Naira(100), Frequency: "MONTHLY", FirstDay: "2027-01-31", Consent: true}
	for field, change := range map[string]func(*contract.CreateStandingOrderRequest){
		"consent": func(f *contract.CreateStandingOrderRequest) { f.Consent = false }, "firstDay": func(f *contract.CreateStandingOrderRequest) { f.FirstDay = "31.1.2027" },
		"amount": func(f *contract.CreateStandingOrderRequest) { f.Amount = apptest.Naira(0) },
	} {
		wrong := form
		change(&wrong)
		_, _, err := w.App.StandingOrders.SetStandingOrder(ctx, w.Member, wrong)
		require.Equal(t, field, fault.As(err).Field)
	}
	_, _, err := w.App.StandingOrders.SetStandingOrder(ctx, w.Outsider, form)
	require.True(t, fault.Is(err, fault.NotFound))
	keyed := w.Member
	keyed.Key = "one and the same"
	first, _, err := w.App.StandingOrders.SetStandingOrder(ctx, keyed, form)
	require.NoError(t, err)
	again, _, err := w.App.StandingOrders.SetStandingOrder(ctx, keyed, form)
	require.NoError(t, err)
	require.Equal(t, first, again)
	form.Amount = apptest.Naira(200)
	_, _, err = w.App.StandingOrders.SetStandingOrder(ctx, keyed, form)
	require.True(t, fault.Is(err, fault.Conflict), "the key was for another wish")
	w.App.Dues.MayContribute = func(context.Context, string) error {
		return fault.New(fault.Forbidden, "Your guardian has not agreed yet.")
	}
	w.On("2027-01-31").Runs()
	require.Equal(t, "Your guardian has not agreed yet.", *w.TheOrder().Runs[0].Reason)
	require.Equal(t, "8223", w.Wallet())
}
