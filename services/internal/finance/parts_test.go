package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// Banks move money in parts.

// inParts makes a payout come back in two parts, of which the receiving bank first keeps ₦489.25.
func (w withdrawing) inParts(id string, isPaid func() bool) {
	w.Helper()
	w.send()
	w.asked(id)
	require.True(w, isPaid())
	w.BankSays("UPDATE sandbox_payouts SET reversed_at = now() - interval '1 hour'")
	w.explained()
	w.agrees()
	require.Equal(w, 500*money.Naira, w.suspense())
	w.BankSays("UPDATE sandbox_payouts SET rest_after_ms = 1000")
	for range 2 {
		w.explained()
		w.agrees()
		require.Equal(w, money.Kobo(989_25), w.suspense(), "each part waits at the desk, once")
		require.True(w, isPaid(), "nothing is put back by itself")
	}
}

func TestEachPartOfAPayoutThatComesBackIsTakenIn(t *testing.T) {
	t.Parallel()
	t.Run("of a withdrawal", func(t *testing.T) {
		t.Parallel()
		w := withdraws(t, event.Vfd)
		id := w.sends(sandbox.Manner{Keeps: 489_25})
		w.inParts(id, func() bool { return w.stands(id) == payout.Paid })
	})
	t.Run("of a group's payout", func(t *testing.T) {
		t.Parallel()
		w := withdraws(t, event.Vfd)
		id := w.pays(ofGroup, sandbox.Manner{Keeps: 489_25})
		w.inParts(id, func() bool { return w.groupPayout(id) == liquidation.Paid })
	})
}

// The lines may come under one name of the bank or under several, and sum to more than we sent.
func TestWhatComesBackAfterAPartIsTheDesksWhateverItIs(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{})
	require.Equal(t, payout.Paid, w.asked(id))
	lies := money.Kobo(0)
	for _, line := range []rails.Line{
		{ProviderRef: "one", Amount: 494_62},
		{ProviderRef: "one", Amount: 494_63},
		{ProviderRef: "two", Also: []string{"own"}, Amount: 494_63},
		{ProviderRef: "two", Also: []string{"another"}, Amount: 494_63},
		{ProviderRef: "three", Amount: 989_25},
		{ProviderRef: "four", Amount: 1_000_00},
	} {
		line.At, lies = time.Now(), lies+line.Amount
		for range 2 {
			_, err := w.App.Payouts.CameBack(w.ctx, id, line)
			require.NoError(t, err)
			require.Equal(t, lies, w.suspense(), line.ProviderRef)
		}
	}
	require.Equal(t, payout.Paid, w.stands(id))
	require.Equal(t, w.wallet-1_000*money.Naira, w.BalanceOf(posting.Wallet(w.Member.User)))
}

func TestEachPartOfATransferThatItsBankTakesBackCounts(t *testing.T) {
	t.Parallel()
	for name, parks := range map[string]bool{"of a payment": false, "of money in suspense": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.Setup(t, true, false)
			w.Follows()
			ctx := context.Background()
			before := w.Beyond(t)[event.Vfd]
			c := w.Comes(t, apptest.Transfer, sandbox.Telling{})
			if parks {
				w.Gives(wallet.EndPayment{PaymentID: c.Payment, To: wallet.Failed, Reason: "Declined"})
			}
			require.NoError(t, w.Webhook(t, c))
			left := 5_000 * money.Naira
			for _, part := range []money.Kobo{2_000 * money.Naira, 2_000 * money.Naira, 1_000 * money.Naira} {
				require.NoError(t, w.Bank.RecallPart(ctx, c.Payment, part))
				left -= part
				require.True(t, w.Reconciled(t).Balanced)
				suspense, _ := w.Suspense()
				has := money.Kobo(suspense)
				if !parks {
					has = w.BalanceOf(posting.Wallet(w.Outsider.User))
				}
				require.Equal(t, left, has)
				require.Equal(t, before, w.Beyond(t)[event.Vfd])
			}
			for _, item := range w.Reconciled(t).Items {
				require.Equal(t, "9000.00", item.Amount.StringFixed(2), "what the town began with: %s", item.Words)
			}
		})
	}
}

// Only the time and the amount may distinguish a bank's lines.
func TestPartsOfATransferUnderOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	c := w.Comes(t, apptest.Transfer, sandbox.Telling{})
	require.NoError(t, w.Webhook(t, c))
	var session string
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT session_id FROM sandbox_transfers").Scan(&session))
	at := time.Now().Add(-time.Hour).UTC()
	for n, line := range []rails.Line{{Amount: 1_000_00, At: at}, {Amount: 2_000_00, At: at}, {Amount: 1_000_00, At: at.Add(time.Second)}} {
		line.ProviderRef, line.Out = session, true
		for range 2 {
			_, err := w.App.Payments.Recalled(ctx, payments.BankLine{Provider: event.Vfd, Line: line})
			require.NoError(t, err)
		}
		require.Equal(t, []money.Kobo{4_000_00, 2_000_00, 1_000_00}[n], w.BalanceOf(posting.Wallet(w.Outsider.User)))
	}
}
