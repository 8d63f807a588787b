package activity_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/projections/balances"
	"adashi.ng/services/internal/apptest"
)

// Money of a wallet that is set aside still belongs to its member.
func TestAMemberWhoFreezesTheirMoneyStillHasItInTotal(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	w.Fund(w.Outsider.User)
	require.NoError(t, w.Engine.CatchUp(ctx))
	if w.App.Activity.Totals == nil {
		w.App.Activity.Totals = balances.NewTogether(w.Pool)
	}
	before, err := w.App.Activity.Balances(ctx, w.Outsider.User)
	require.NoError(t, err)
	w.Gives(ledgertest.Happens("frozen", &nairav1.HoldPlaced{
		HoldId: "f", Account: "wallet:" + w.Outsider.User, AmountKobo: 9_000_00, Purpose: "freeze", ExpiresAt: timestamppb.New(time.Now().AddDate(1, 0, 0)),
	}, &nairav1.OutgoingFrozen{UserId: w.Outsider.User}))
	after, err := w.App.Activity.Balances(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Equal(t, before.TotalBalance.String(), after.TotalBalance.String(), "nothing left, and the total is less")
}
