package liquidations_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
)

// Approvers approve a payee by the name that its bank gave when the payment was asked for.
func TestAPaymentDoesNotGoToAnotherNameThanWasApproved(t *testing.T) {
	t.Parallel()
	w, ctx := town(t), context.Background()
	made, err := asks(w, w.Owner, contract.GROUPDISBURSEMENT, 1_000)
	require.NoError(t, err)
	require.NoError(t, saysYes(w, w.Validator, made.Id))
	require.NoError(t, saysYes(w, w.Approver, made.Id))
	w.BankSays("UPDATE sandbox_people SET first_name = 'Garba', last_name = 'Sule'") // The number is another's by now.
	require.NoError(t, w.App.At(time.Now().Add(25*time.Hour)).Payouts.SendPayouts(ctx))
	state, err := w.App.LiquidationState(ctx, made.Id)
	require.NoError(t, err)
	require.Equal(t, liquidation.PayoutFailed, state.Status, "an approver releases it, or has it sent once the name is right again")
	require.Contains(t, state.EndReason, "another name")
	var ordered int
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT count(*) FROM sandbox_payouts").Scan(&ordered))
	require.Zero(t, ordered)
}

// The job that ends requests may not have run, as while a server was down.
func TestARequestWhoseFourteenDaysAreOverIsNotApprovedAnyMore(t *testing.T) {
	t.Parallel()
	w := town(t)
	made, err := asks(w, w.Member, contract.MEMBERWITHDRAWAL, 1_000)
	require.NoError(t, err)
	require.NoError(t, saysYes(w, w.Validator, made.Id))
	require.NoError(t, saysYes(w, w.Approver, made.Id))
	late := made.Expires
	w.App.Now = func() time.Time { return late }
	err = saysYes(w, w.Owner, made.Id)
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	require.ErrorContains(t, err, "its time is over")
	late = made.Expires.Add(-time.Second)
	require.NoError(t, saysYes(w, w.Owner, made.Id))
}
