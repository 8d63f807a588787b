package payments_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestAPaymentThatItsBankCallsPendingForEverEnds(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	payment := w.Started()
	require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *payment.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", Delay: 10_000 * time.Hour}))
	require.Equal(t, "PENDING", string(w.Verified(payment.TransactionRef).Status))
	require.NoError(t, w.Engine.CatchUp(ctx))
	ties, err := w.App.Payments.Ties(ctx, w.Outsider.User)
	require.NoError(t, err)
	by := payment.ExpiresAt.Add(72 * time.Hour)
	require.Equal(t, []string{"A payment of ₦5000.00 is still under way; it ends by itself by " + lagos.Clock(by) + " Lagos time."}, ties)
	require.NoError(t, w.App.At(by).Payments.SettleOpen(ctx))
	require.Equal(t, "PENDING", string(w.Verified(payment.TransactionRef).Status), "it may still come")
	restore := w.CutOff()
	require.NoError(t, w.Engine.CatchUp(ctx))
	away := w.App.At(by.Add(time.Hour)).Payments
	away.Rails = w.App.Payments.Rails
	_, err = away.Settle(ctx, payment.TransactionRef)
	require.Error(t, err, "the bank is asked")
	ties, err = away.Ties(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Equal(t, []string{"A payment of ₦5000.00 is still under way, and its bank does not answer. It ends once we have asked the bank."}, ties)
	restore()
	later := w.App.At(time.Now().AddDate(0, 0, 10))
	require.NoError(t, later.Payments.SettleOpen(ctx))
	require.NoError(t, w.Engine.CatchUp(ctx))
	ties, err = later.Payments.Ties(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Empty(t, ties)
	require.Equal(t, "FAILED", string(w.Verified(payment.TransactionRef).Status))
	w.BankSays("UPDATE sandbox_transfers SET settles_at = now()") // The money arrived after all, dated when it was sent.
	_, err = later.Payments.Settle(ctx, payment.TransactionRef)
	require.NoError(t, err)
	require.Equal(t, "CONFIRMED", string(w.Verified(payment.TransactionRef).Status), "the bank had it in time")
}

func TestARefundThatIsToldOfBeforeItsPaymentIsToldAgain(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	c := w.Comes(t, apptest.Card, sandbox.Telling{AskedLate: time.Hour})
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: c.Payment}))
	_, err := w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
	require.True(t, fault.Is(err, fault.NotFound), "it is sent again: %v", err)
	w.BankSays("UPDATE sandbox_charges SET asked_at = NULL")
	for range 2 {
		_, err = w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
		require.NoError(t, err)
	}
	state, err := w.App.Ledger.Load(ctx, wallet.Stream(c.Payment))
	require.NoError(t, err)
	require.Equal(t, wallet.Reversed, state.(wallet.Payment).Status)
	require.Zero(t, w.BalanceOf(posting.Wallet(w.Outsider.User)), "the payer has the money back")
}

func TestMoneyOfWhichAPartWentBackBeforeAnybodyToldIsCreditedWithoutThat(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	c := w.Comes(t, apptest.Card, sandbox.Telling{})
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: c.Payment, Amount: 1_000 * money.Naira, Turns: true, Silent: true}))
	for range 2 {
		_, err := w.App.Payments.Settle(ctx, c.Payment)
		require.NoError(t, err)
		require.Equal(t, 4_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
		require.Equal(t, before, w.Beyond(t)[event.Paystack])
	}
}

func TestMoneyThatABankHadInTimeIsCreditedAlsoWhenItTellsOfItAfterwards(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	var was money.Kobo
	for _, late := range []time.Duration{-time.Second, time.Second} {
		payment := w.Started()
		after := w.App.At(payment.ExpiresAt.Add(time.Minute))
		_, err := after.Payments.Settle(ctx, payment.TransactionRef)
		require.NoError(t, err)
		require.Equal(t, "EXPIRED", string(w.Verified(payment.TransactionRef).Status))
		require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *payment.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", At: payment.ExpiresAt.Add(late), Loose: true, Telling: sandbox.Telling{Silent: true}}))
		_, err = after.Payments.Settle(ctx, payment.TransactionRef)
		require.NoError(t, err)
		suspense, _ := w.Suspense()
		if late < 0 {
			was = 5_000 * money.Naira
			require.Equal(t, was, w.BalanceOf(posting.Wallet(w.Outsider.User)))
			require.Zero(t, suspense)
			continue
		}
		require.Equal(t, was, w.BalanceOf(posting.Wallet(w.Outsider.User)))
		require.Equal(t, int64(500_000), suspense, "what comes too late waits for a person")
	}
}

func TestWhatGoesBackOfMoneyThatTheGatewayDoesNotSayItHasIsToldAgain(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	c := w.Comes(t, apptest.Card, sandbox.Telling{})
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: c.Payment, Amount: 1_000 * money.Naira, Silent: true}))
	require.NoError(t, w.Bank.Says(ctx, c.Payment, "pending"))
	_, err := w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
	require.True(t, fault.Is(err, fault.NotFound), "%v", err)
	require.NoError(t, w.Bank.Says(ctx, c.Payment))
	_, err = w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
	require.NoError(t, err)
	require.Equal(t, 4_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
	require.Equal(t, before, w.Beyond(t)[event.Paystack])
}
