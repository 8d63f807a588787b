package payments_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails/sandbox"
)

func TestAPaymentSaysWhereItsMoneyWentAndWhatItWasFor(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	sub, _, err := w.App.Groups.OpenSubAccount(ctx, w.Owner, groups.NewSubAccount{GroupID: w.Group, Name: "Dues", Type: "FIXED", Frequency: "MONTHLY", Amount: apptest.Naira(5000), ShowTotal: true})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	view, err := w.App.Dues.SubAccount(ctx, w.Member.User, sub, w.Member.User)
	require.NoError(t, err)
	due := dues.Due{Period: view.Dues[0].Period}
	start := func(key string) payments.PaymentStart {
		who := w.Member
		who.Key = key
		started, _, err := w.App.Payments.PayIntoSubAccount(ctx, who, sub, apptest.Naira(5000), due, nil, payments.CardUse{})
		require.NoError(t, err)
		return started
	}
	first, second := start("the first"), start("the second")
	require.Nil(t, first.ArrivedIn, "nothing has arrived")
	pays := func(p payments.PaymentStart) payments.PaymentStart {
		require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *p.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", At: time.Now()}))
		now, _, err := w.App.Payments.VerifyPayment(ctx, w.Member.User, p.TransactionRef)
		require.NoError(t, err)
		require.Equal(t, payments.PaymentStartStatus("CONFIRMED"), now.Status)
		require.Equal(t, sub, *now.SubAccountId)
		require.Equal(t, w.Group, *now.GroupId)
		require.Contains(t, *now.Purpose, "Dues")
		return now
	}

	taken := pays(first)
	require.Equal(t, payments.InSubAccount, *taken.ArrivedIn)
	require.Nil(t, taken.Reason)

	was := w.BalanceOf(posting.Wallet(w.Member.User))
	refused := pays(second)
	require.Equal(t, was+5_000*money.Naira, w.BalanceOf(posting.Wallet(w.Member.User)))
	require.Equal(t, payments.InWallet, *refused.ArrivedIn, "its due was paid by then")
	require.Contains(t, *refused.Reason, "already paid")

	funded := w.Started()
	w.Arrives(funded, 5_000*money.Naira)
	require.Equal(t, payments.InWallet, *w.Verified(funded.TransactionRef).ArrivedIn)
}
