package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestMoneyThatABankBooksAWeekLateIsTakenDown(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.Follows()
	started, _, err := w.App.Payments.FundWallet(ctx, w.Outsider, apptest.Naira(5000), nil, payments.CardUse{})
	require.NoError(t, err)
	require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{
		Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", At: time.Now().AddDate(0, 0, -10), Telling: sandbox.Telling{Silent: true},
	}))
	w.Reconciled(t)
	require.Equal(t, 5_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
}

func TestMoneyThatIsInTransitForWeeksIsStillFound(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.Follows()
	w.PaysOut()
	at, err := w.App.Options.Payees.Payee(ctx, "")
	require.NoError(t, err)
	require.NoError(t, w.Bank.Behave(ctx, sandbox.Manner{Account: at.Number, Answer: sandbox.AnswersSilent, AskedLate: 1000 * time.Hour, Silent: true}))
	_, _, err = w.App.Payouts.Withdraw(ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	require.NoError(t, w.App.Payouts.SendPayouts(ctx))
	require.NoError(t, w.Engine.CatchUp(ctx))
	after := func(wait time.Duration) []string {
		done, err := w.App.At(time.Now().Add(wait)).Finance.Reconcile(ctx, contract.ReconciliationTriggerONDEMAND)
		require.NoError(t, err)
		require.Nil(t, done.Problem)
		return []string{done.Reserves.InTransit.String(), done.Reserves.Difference}
	}
	first := after(2 * time.Hour)
	require.Equal(t, "989.25", first[0])
	require.Equal(t, first, after(20*24*time.Hour))
}
