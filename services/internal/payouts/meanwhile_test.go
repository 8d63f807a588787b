package payouts_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/apptest"
)

// A retry that is decided just after the first try was recorded finds the wallet already debited by the first try.
func TestWhatTheFirstTryTookDoesNotRefuseItsRetry(t *testing.T) {
	t.Parallel()
	w, ctx := apptest.Setup(t, true, false), context.Background()
	w.PaysOut()
	who := w.Member
	who.Key = "the key of one withdrawal"
	command, _ := who.ID("withdraw")
	short := fault.New(fault.Insufficient, "You have ₦0.00.")
	require.ErrorIs(t, w.App.Payouts.UnlessRecorded(ctx, command, func() error { return short }), short)
	require.NoError(t, w.App.Payouts.UnlessRecorded(ctx, command, func() error {
		_, _, err := w.App.Payouts.Withdraw(ctx, who, apptest.Naira(1_000), wire.FromKobo(989_25), "")
		require.NoError(t, err)
		return short
	}))
	first, _, err := w.App.Payouts.Withdraw(ctx, who, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(t, err)
	require.NotEmpty(t, first.Id)
}
