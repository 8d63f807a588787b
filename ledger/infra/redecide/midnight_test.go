package redecide_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
)

// lateWithdrawal asks for ₦1,000 of femi's wallet at a time.
func lateWithdrawal(id string, at time.Time) payout.Request {
	amount := 1000 * money.Naira
	return payout.Request{WithdrawalID: id, User: "femi", Amount: amount, Net: amount - payout.ChargesOn(amount).Total(), Provider: event.Vfd, Tiers: account.DefaultTiers, At: at}
}

// A withdrawal that is asked for just before midnight in Lagos, and that the ledger takes down after it.
func TestAWithdrawalOfYesterdayThatFailsLeavesTodaysLimitAsItIs(t *testing.T) {
	t.Parallel()
	b := setup(t)
	midnight := time.Date(2026, 11, 14, 23, 0, 0, 0, time.UTC)
	b.do(account.EndCheck("femi", "c", 0), lateWithdrawal("yesterday", midnight.Add(-time.Millisecond)), lateWithdrawal("today", midnight.Add(time.Hour)))
	used := func() money.Kobo {
		state, err := b.store.Load(context.Background(), payout.OutflowStream("femi"))
		require.NoError(t, err)
		return state.(payout.Outflow).On("2026-11-15")
	}
	require.Equal(t, 1000*money.Naira, used())
	b.do(payout.Fail("yesterday", "femi", "", "Declined"))
	require.Equal(t, 1000*money.Naira, used(), "it used yesterday's limit")
	_, differs := b.again()
	require.Empty(t, differs)
}

func TestAWithdrawalOfAnEarlierBuildAroundMidnightIsDecidedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	midnight := time.Date(2026, 11, 14, 23, 0, 0, 0, time.UTC)
	b.do(account.EndCheck("femi", "c", 0))
	_, err := b.store.Append(context.Background(), store.Command{
		ID: uuid.New(), Actor: "t", EffectiveAt: midnight.Add(time.Millisecond), Command: lateWithdrawal("late", midnight.Add(-time.Millisecond)),
	})
	require.NoError(t, err)
	_, differs := b.again()
	require.Empty(t, differs)
}

// A contribution that is paid just before midnight in Lagos, and that the ledger takes down after it, is of the day on
// which it was in time.
func TestAContributionCountsOnTheDayByWhichItWasDecided(t *testing.T) {
	t.Parallel()
	b := setup(t)
	midnight := time.Date(2026, 11, 14, 23, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{midnight.Add(-time.Millisecond), midnight} {
		c := contribute("femi", 50*money.Naira)
		c.At = at
		result, err := b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", Command: c})
		require.NoError(t, err)
		for _, r := range result.Records {
			require.Equal(t, at, r.EffectiveAt)
			require.Equal(t, noon, r.RecordedAt)
		}
		c.Amount = 60 * money.Naira
		result, err = b.store.Append(context.Background(), store.Command{ID: uuid.New(), Actor: "t", Command: store.Bulk{c}})
		require.NoError(t, err)
		require.Equal(t, at, result.Records[0].EffectiveAt, "the same in a bulk")
	}
	_, differs := b.again()
	require.Empty(t, differs)
}

// What is only in time just before the month ends in Lagos, and what the ledger takes down after it.
func TestWhatWasDecidedJustInTimeIsDecidedAgainAlike(t *testing.T) {
	t.Parallel()
	ends := time.Date(2026, 11, 30, 23, 0, 0, 0, time.UTC)
	now := ends.Add(-time.Millisecond)
	for name, c := range map[string]event.Command{
		"a group that starts this month": savings.CreateGroup{GroupID: "h", Owner: "ada", Name: "Tailors", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: 11, Now: now},
		"dues that begin today": savings.OpenSubAccount{
			GroupID: "g", SubAccountID: "new", By: "ada", Name: "More", Type: nairav1.PaymentType_PAYMENT_TYPE_FIXED, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY,
			Amount: 100 * money.Naira, FirstDay: savings.Day(now), Now: now,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			b.store = store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{Clock: func() time.Time { return ends }})
			t.Cleanup(b.store.Close)
			b.do(c)
			_, differs := b.again()
			require.Empty(t, differs)
		})
	}
}
