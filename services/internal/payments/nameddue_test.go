package payments_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails/sandbox"
)

// Money for a due that somebody else has paid meanwhile waits in the wallet, as money for a named month does.
func TestATransferThatNamesADueThatIsPaidByThenPaysNoOther(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	sub, _, err := w.App.Groups.OpenSubAccount(ctx, w.Owner, groups.NewSubAccount{GroupID: w.Group, Name: "Dues", Type: "FIXED", Frequency: "MONTHLY", Amount: apptest.Naira(5000), ShowTotal: true})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	view, err := w.App.Dues.SubAccount(ctx, w.Member.User, sub, w.Member.User)
	require.NoError(t, err)
	due := dues.Due{Period: view.Dues[0].Period}
	require.NotEmpty(t, due.Period)

	started, _, err := w.App.Payments.PayIntoSubAccount(ctx, w.Member, sub, apptest.Naira(5000), due, nil, payments.CardUse{})
	require.NoError(t, err)
	_, err = w.App.Dues.PayFromWallet(ctx, w.Member, sub, apptest.Naira(5000), due)
	require.NoError(t, err)
	_, err = w.App.Dues.PayFromWallet(ctx, w.Member, sub, apptest.Naira(5000), due)
	require.Error(t, err, "that due is paid")
	was := w.BalanceOf(posting.Wallet(w.Member.User))

	require.NoError(t, w.Bank.Transfer(ctx, sandbox.Transfer{Account: *started.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", At: time.Now()}))
	_, err = w.App.Payments.Settle(ctx, started.TransactionRef)
	require.NoError(t, err)
	require.Equal(t, 5_000*money.Naira, w.BalanceOf(posting.Pool(sub)), "the due that was named is paid once, and no other")
	require.Equal(t, was+5_000*money.Naira, w.BalanceOf(posting.Wallet(w.Member.User)), "what it no longer needs is in the wallet")
}

func TestTheSameKeyForAnotherDueIsRefused(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	sub, _, err := w.App.Groups.OpenSubAccount(ctx, w.Owner, groups.NewSubAccount{GroupID: w.Group, Name: "Dues", Type: "FIXED", Frequency: "MONTHLY", Amount: apptest.Naira(5000), ShowTotal: true})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	view, err := w.App.Dues.SubAccount(ctx, w.Member.User, sub, w.Member.User)
	require.NoError(t, err)
	who, first := w.Member, view.Dues[0].Period
	who.Key = "one and the same key"
	_, _, err = w.App.Payments.PayIntoSubAccount(ctx, who, sub, apptest.Naira(5000), dues.Due{Period: first}, nil, payments.CardUse{})
	require.NoError(t, err)
	next, err := time.Parse(time.DateOnly, first)
	require.NoError(t, err)
	for _, other := range []string{next.AddDate(0, 1, 0).Format(time.DateOnly), ""} {
		_, _, err = w.App.Payments.PayIntoSubAccount(ctx, who, sub, apptest.Naira(5000), dues.Due{Period: other}, nil, payments.CardUse{})
		require.True(t, fault.Is(err, fault.Conflict), "%q is another wish: %v", other, err)
	}
	_, _, err = w.App.Payments.PayIntoSubAccount(ctx, who, sub, apptest.Naira(5000), dues.Due{Period: first}, nil, payments.CardUse{})
	require.NoError(t, err)
}
