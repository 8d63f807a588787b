package activity_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/apptest"
)

// A member's payment of a debt to Adashi reduces Adashi's loss.
func TestADebtPaidToAdashiIsNotCalledOurLoss(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Gives(ledgertest.Happens("debt", &nairav1.AjoDebtPaid{
		AjoId: "01900000-0000-7000-8000-000000000001", DebtId: "1.1.1", DebtorId: w.Member.User, PaidBy: w.Member.User, AmountKobo: 500_00,
		From: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET,
	}))
	detail, err := w.App.Activity.Movement(context.Background(), w.Member.User, lastOf(w, w.Member.User, "AJO_DEBT_PAID").Id)
	require.NoError(t, err)
	for _, e := range detail.Entries {
		require.NotContains(t, e.Words, "your wallet no longer had", "%s: the wallet had it, and paid it", e.Account)
		require.NotContains(t, e.Words, "we bear")
	}
}

func TestWhatAJobTakesByConsentIsNotCalledAskedForAndIsTold(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	w.Gives(ledgertest.Happens("debt", &nairav1.AjoDebtPaid{
		AjoId: "01900000-0000-7000-8000-000000000001", DebtId: "1.1.1", DebtorId: w.Member.User, CreditorId: w.Owner.User, PaidBy: w.Member.User, AmountKobo: 500_00,
		From: nairav1.AjoDebtFrom_AJO_DEBT_FROM_WALLET, Taken: "retry",
	}))
	moved := lastOf(w, w.Member.User, "AJO_DEBT_PAID")
	detail, err := w.App.Activity.Movement(ctx, w.Member.User, moved.Id)
	require.NoError(t, err)
	require.Equal(t, "We took ₦500.00 from your wallet by ourselves, as you let us.", detail.Story[0].Detail)
	page, err := w.App.Notices.Notifications(ctx, w.Member.User, nil, 50)
	require.NoError(t, err)
	require.True(t, slices.ContainsFunc(page.Notifications, func(n contract.Notification) bool { return n.Data.EventId == moved.Id }), "₦500.00 left the wallet by a job")
}
