package app_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/usecase"
)

// another is the same app as another process would have it: with an appender of its own, over the same database.
func (w *town) another() *app.App {
	w.Helper()
	book := store.Open(store.Postgres(w.pool, 0), ledger.Aggregates(), store.Options{})
	w.Cleanup(book.Close)
	o, base := w.app.Options, *w.app.Base
	base.Ledger = book
	o.Base = usecase.NewBase(base)
	return app.New(o)
}

// on has it be noon in Lagos of a day.
func (w *town) on(day string) *town {
	at := savings.ParseDay(day).Add(11 * time.Hour)
	w.app.Now = func() time.Time { return at }
	return w
}

// runs runs the standing orders as the job does.
func (w *town) runs() {
	w.Helper()
	require.NoError(w, w.engine.CatchUp(context.Background()))
	require.NoError(w, w.app.StandingOrders.RunStandingOrders(context.Background()))
	require.NoError(w, w.engine.CatchUp(context.Background()))
}

func (w *town) order(amount int64, frequency contract.StandingFrequency, first string) contract.StandingOrder {
	w.Helper()
	o, pos, err := w.app.StandingOrders.SetStandingOrder(context.Background(), w.member, contract.CreateStandingOrderRequest{
		SubAccountId: w.open, Amount: naira(amount), Frequency: frequency, FirstDay: first, Consent: true,
	})
	require.NoError(w, err)
	require.Positive(w, pos)
	require.NoError(w, w.engine.CatchUp(context.Background()))
	return o
}

// the only order that the member has.
func (w *town) theOrder() contract.StandingOrder {
	w.Helper()
	list, err := w.app.StandingOrders.StandingOrders(context.Background(), w.member.User)
	require.NoError(w, err)
	require.Len(w, list, 1)
	return list[0]
}

// came is what an order's days came to, the newest first.
func (w *town) came() (days []string) {
	w.Helper()
	for _, run := range w.theOrder().Runs {
		days = append(days, run.Day+" "+string(run.Outcome))
	}
	return days
}

func (w *town) wallet() string {
	w.Helper()
	b, err := w.app.Activity.Balances(context.Background(), w.member.User)
	require.NoError(w, err)
	return b.Balance.String()
}

// start is a town on a day, whose member has ₦8,223 in the wallet.
func startOn(t *testing.T, day string) *town {
	t.Helper()
	w := setup(t, true, false).on(day)
	require.Equal(t, "8223", w.wallet())
	return w
}

func TestAnOrderIsRunOnceHoweverManyProcessesComeToItAtOnce(t *testing.T) {
	t.Parallel()
	w := startOn(t, "2027-01-31")
	o := w.order(1_000, "MONTHLY", "2027-01-31")
	require.Equal(t, "Balogun Traders · Welfare", o.Purpose)
	var all sync.WaitGroup
	failed := make(chan error, 64)
	for _, process := range []*app.App{w.app, w.another(), w.another()} {
		for range 8 {
			all.Go(func() { failed <- process.StandingOrders.RunStandingOrders(context.Background()) })
		}
	}
	all.Wait()
	close(failed)
	for err := range failed {
		require.NoError(t, err)
	}
	w.runs()
	require.Equal(t, "7223", w.wallet())
	require.Equal(t, []string{"2027-01-31 PAID"}, w.came())
	require.Equal(t, "2027-02-28", *w.theOrder().NextDay)
	detail, err := w.app.Activity.Movement(context.Background(), w.member.User, *w.theOrder().Runs[0].ActivityId)
	require.NoError(t, err)
	require.Equal(t, "1000", detail.Movement.Amount.String())
	require.Equal(t, contract.MovementKind("CONTRIBUTION"), detail.Movement.Kind)
}

func TestAnOrderKeepsToTheMonthsEnds(t *testing.T) {
	t.Parallel()
	w := startOn(t, "2026-12-30")
	w.order(1_000, "MONTHLY", "2026-12-31")
	for _, day := range []string{"2026-12-30", "2026-12-31", "2027-01-30", "2027-01-31", "2027-02-27", "2027-02-28", "2027-03-01", "2027-03-30", "2027-03-31", "2027-03-31"} {
		w.on(day).runs()
		w.runs()
	}
	require.Equal(t, []string{"2027-03-31 PAID", "2027-02-28 PAID", "2027-01-31 PAID", "2026-12-31 PAID"}, w.came())
	require.Equal(t, "4223", w.wallet())
}

// A process that ends between the try and what it notes of it has taken nothing, and one that ends after the money was
// recorded finds it done.
func TestACrashBetweenTriesPaysNeitherTwiceNorNever(t *testing.T) {
	t.Parallel()
	w := startOn(t, "2027-01-15")
	o := w.order(9_000, "MONTHLY", "2027-01-15")
	w.runs()
	_, err := w.pool.Exec(context.Background(), "DELETE FROM standing_tries") // It ended before it noted the try.
	require.NoError(t, err)
	w.runs()
	require.Equal(t, "8223", w.wallet())
	w.fund(w.member.User)
	w.on("2027-01-16").runs()
	require.Equal(t, "8223", w.wallet(), "9,000 more came in, and 9,000 were paid")
	late := w.another() // It ended before it heard of its own success; the read model has not heard of it either.
	_, err = w.pool.Exec(context.Background(), "UPDATE rm_standing SET next_day = '2027-01-15' WHERE order_id = $1", o.Id)
	require.NoError(t, err)
	require.NoError(t, late.StandingOrders.RunStandingOrders(context.Background()))
	require.NoError(t, w.engine.CatchUp(context.Background()))
	require.Equal(t, "8223", w.wallet())
	require.Equal(t, []string{"2027-01-15 PAID"}, w.came())
}

func TestTooLittleMoneyIsTriedByTheHourForThreeDaysThenMissedAndTold(t *testing.T) {
	t.Parallel()
	w := startOn(t, "2027-01-15")
	w.order(9_000, "WEEKLY", "2027-01-15")
	tried := func() (at time.Time) {
		require.NoError(t, w.pool.QueryRow(context.Background(), "SELECT tried_at FROM standing_tries").Scan(&at))
		return at
	}
	w.runs()
	first, noon := tried(), w.app.Now()
	w.app.Now = func() time.Time { return noon.Add(59 * time.Minute) }
	w.runs()
	require.Equal(t, first, tried(), "not again within the hour")
	w.app.Now = func() time.Time { return noon.Add(61 * time.Minute) }
	w.runs()
	require.NotEqual(t, first, tried())
	for _, day := range []string{"2027-01-16", "2027-01-17"} {
		w.on(day).runs()
		require.Empty(t, w.came())
	}
	w.on("2027-01-18").runs()
	require.Equal(t, []string{"2027-01-15 MISSED"}, w.came())
	require.Equal(t, "There was too little money in your wallet.", *w.theOrder().Runs[0].Reason)
	require.Equal(t, "2027-01-22", *w.theOrder().NextDay)
	require.Equal(t, "8223", w.wallet())
	told, err := w.app.Notices.Notifications(context.Background(), w.member.User, nil, 1)
	require.NoError(t, err)
	require.Equal(t, "Standing order not paid", told.Notifications[0].Data.Title)
	require.Equal(t, "₦9,000.00 was not paid to Balogun Traders · Welfare, and your wallet is as it was. There was too little money in your wallet.", told.Notifications[0].Data.Body)
	w.fund(w.member.User)
	w.runs()
	require.Equal(t, []string{"2027-01-15 MISSED"}, w.came(), "what was missed is not paid later")
	w.on("2027-01-22").runs()
	require.Equal(t, []string{"2027-01-22 PAID", "2027-01-15 MISSED"}, w.came())
}

func TestWhatNobodyCameToTryIsNotBlamedOnTheMember(t *testing.T) {
	t.Parallel()
	w := startOn(t, "2027-01-15")
	w.order(1_000, "WEEKLY", "2027-01-15")
	w.on("2027-02-03").runs()
	require.Equal(t, "We could not make the payment in time.", *w.theOrder().Runs[0].Reason)
	require.Equal(t, "2027-02-05", *w.theOrder().NextDay, "one day is missed, and none is paid at once with another")
	require.Equal(t, "8223", w.wallet())
}

func TestAnOrderRestsGoesOnAndEnds(t *testing.T) {
	t.Parallel()
	w, ctx := startOn(t, "2027-01-15"), context.Background()
	o := w.order(1_000, "WEEKLY", "2027-01-15")
	for name, change := range map[string]func(context.Context, usecase.Who, string) (contract.StandingOrder, int64, error){
		"pause": w.app.StandingOrders.PauseStandingOrder, "resume": w.app.StandingOrders.ResumeStandingOrder, "end": w.app.StandingOrders.EndStandingOrder,
	} {
		_, _, err := change(ctx, w.owner, o.Id)
		require.True(t, fault.Is(err, fault.NotFound), "%s of another's", name)
	}
	paused, _, err := w.app.StandingOrders.PauseStandingOrder(ctx, w.member, o.Id)
	require.NoError(t, err)
	require.Equal(t, contract.StandingOrderStatus("PAUSED"), paused.Status)
	require.Nil(t, paused.NextDay)
	w.runs()
	w.on("2027-01-29").runs()
	require.Empty(t, w.came())
	resumed, _, err := w.app.StandingOrders.ResumeStandingOrder(ctx, w.member, o.Id)
	require.NoError(t, err)
	require.Equal(t, "2027-01-29", *resumed.NextDay, "what went by is not made up for")
	w.runs()
	require.Equal(t, []string{"2027-01-29 PAID"}, w.came())
	ended, _, err := w.app.StandingOrders.EndStandingOrder(ctx, w.member, o.Id)
	require.NoError(t, err)
	require.Equal(t, contract.StandingOrderStatus("ENDED"), ended.Status)
	require.Len(t, ended.Runs, 1)
	w.on("2027-02-05").runs()
	require.Equal(t, "7223", w.wallet())
	_, _, err = w.app.StandingOrders.ResumeStandingOrder(ctx, w.member, o.Id)
	require.True(t, fault.Is(err, fault.Conflict))
}

func TestAnOrderEndsItselfWithTheMembershipAndWithTheAccount(t *testing.T) {
	t.Parallel()
	t.Run("the account", func(t *testing.T) {
		t.Parallel()
		w := startOn(t, "2027-01-15")
		w.order(1_000, "MONTHLY", "2027-01-20")
		_, err := w.app.Dues.PayFromWallet(context.Background(), w.member, w.open, naira(8_223), dues.Due{})
		require.NoError(t, err)
		w.gives(account.Close{User: w.member.User})
		w.on("2027-01-20").runs()
		require.Equal(t, contract.StandingOrderStatus("ENDED"), w.theOrder().Status)
		require.Equal(t, standing.AccountClosed, *w.theOrder().Reason)
	})
	t.Run("the membership", func(t *testing.T) {
		t.Parallel()
		w := startOn(t, "2027-01-15")
		// Nobody can leave a group yet, so that the order is one of a person who is not in it.
		w.gives(ledgertest.Raw{event.Draft{Stream: standing.Stream("0190a000-0000-7000-8000-000000000001"), Message: &nairav1.StandingOrderSet{
			OrderId: "0190a000-0000-7000-8000-000000000001", UserId: w.outsider.User, GroupId: w.group, SubAccountId: w.open, AmountKobo: 1_000_00,
			Frequency: nairav1.StandingFrequency_STANDING_FREQUENCY_MONTHLY, FirstDay: "2027-01-15",
		}}})
		w.fund(w.outsider.User)
		w.runs()
		list, err := w.app.StandingOrders.StandingOrders(context.Background(), w.outsider.User)
		require.NoError(t, err)
		require.Equal(t, standing.NotAMember, *list[0].Reason)
		told, err := w.app.Notices.Notifications(context.Background(), w.outsider.User, nil, 1)
		require.NoError(t, err)
		require.Equal(t, "Standing order ended", told.Notifications[0].Data.Title)
	})
}

func TestAnOrderIsAskedForOnceAndOnlyWithConsent(t *testing.T) {
	t.Parallel()
	w, ctx := startOn(t, "2027-01-15"), context.Background()
	form := contract.CreateStandingOrderRequest{SubAccountId: w.open, Amount: naira(100), Frequency: "MONTHLY", FirstDay: "2027-01-31", Consent: true}
	for field, change := range map[string]func(*contract.CreateStandingOrderRequest){
		"consent": func(f *contract.CreateStandingOrderRequest) { f.Consent = false }, "firstDay": func(f *contract.CreateStandingOrderRequest) { f.FirstDay = "31.1.2027" },
		"amount": func(f *contract.CreateStandingOrderRequest) { f.Amount = naira(0) },
	} {
		wrong := form
		change(&wrong)
		_, _, err := w.app.StandingOrders.SetStandingOrder(ctx, w.member, wrong)
		require.Equal(t, field, fault.As(err).Field)
	}
	_, _, err := w.app.StandingOrders.SetStandingOrder(ctx, w.outsider, form)
	require.True(t, fault.Is(err, fault.NotFound))
	keyed := w.member
	keyed.Key = "one and the same"
	first, _, err := w.app.StandingOrders.SetStandingOrder(ctx, keyed, form)
	require.NoError(t, err)
	again, _, err := w.app.StandingOrders.SetStandingOrder(ctx, keyed, form)
	require.NoError(t, err)
	require.Equal(t, first, again)
	form.Amount = naira(200)
	_, _, err = w.app.StandingOrders.SetStandingOrder(ctx, keyed, form)
	require.True(t, fault.Is(err, fault.Conflict), "the key was for another wish")
	w.app.Dues.MayContribute = func(context.Context, string) error {
		return fault.New(fault.Forbidden, "Your guardian has not agreed yet.")
	}
	w.on("2027-01-31").runs()
	require.Equal(t, "Your guardian has not agreed yet.", *w.theOrder().Runs[0].Reason)
	require.Equal(t, "8223", w.wallet())
}
