package activity_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/apptest"
)

func TestASearchForAGroupFindsAPaymentForAnotherMember(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Fund(w.Outsider.User) // They have paid for themselves in no group.
	w.Gives(ledgertest.Happens("covers", &nairav1.ContributionCovered{
		GroupId: w.Group, SubAccountId: w.Open, UserId: w.Member.User, PaidBy: w.Outsider.User, AmountKobo: 500_00, MemberTotalKobo: 500_00,
	}))
	for _, name := range []string{"balogun", "welf"} {
		page, err := w.App.Activity.Movements(context.Background(), w.Outsider.User, activity.Wanted{Search: &name}, nil, 10)
		require.NoError(t, err)
		require.Len(t, page.Transactions, 1, name)
		require.Equal(t, "COVER", string(page.Transactions[0].Kind))
	}
}

// The record of a payment contains the sub-account's balance, which a group may show to members or hide.
func TestAMemberWhoLeftKeepsTheProofOfTheirPaymentWhereTheTotalIsShown(t *testing.T) {
	t.Parallel()
	for _, shown := range []bool{true, false} {
		w := apptest.Setup(t, shown, false)
		paid := w.Contributed()
		w.Sealed()
		proof := func() activity.Receipt {
			receipt, err := w.App.Activity.MovementProof(context.Background(), w.Member.User, paid.Id)
			require.NoError(t, err)
			return receipt
		}
		require.Equal(t, shown, proof().Record != nil, "while they are in the group")
		w.Gives(ledgertest.Happens("left", &nairav1.MemberExited{GroupId: w.Group, UserId: w.Member.User}))
		require.Equal(t, shown, proof().Record != nil, "once they have left")
		require.Equal(t, shown, proof().Withheld == nil)
	}
}
