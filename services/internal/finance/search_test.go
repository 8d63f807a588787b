package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/usecase"
)

// The ledger knows whose payment the money came under. The search offers it to no other member who tries a round
// amount.
func TestMoneyThatCameForAMembersPaymentIsOfferedToNobodyElse(t *testing.T) {
	t.Parallel()
	w, ctx, card := apptest.Setup(t, true, false), context.Background(), contract.RailChannelCARD
	started, _, err := w.App.Payments.FundWallet(ctx, w.Outsider, apptest.Naira(5000), &card, payments.CardUse{})
	require.NoError(t, err)
	w.Gives(wallet.EndPayment{PaymentID: started.TransactionRef, To: wallet.Failed, Reason: "Declined"})
	require.NoError(t, w.Bank.PayCard(ctx, started.TransactionRef, time.Time{}))
	_, err = w.App.Payments.Settle(ctx, started.TransactionRef)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	page, err := w.App.Finance.Unmatched(ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	arrival, day := page.Arrivals[0].Id, lagos.Day(time.Now())
	offered := func(who usecase.Who) (all []string) {
		found, err := w.App.Disputes.Search(ctx, who.User, contract.SearchMoneyRequest{Amount: apptest.Naira(5000), Day: day})
		require.NoError(t, err)
		for _, f := range found.Found {
			if f.ArrivalId != nil {
				all = append(all, *f.ArrivalId)
			}
		}
		return all
	}
	require.Empty(t, offered(w.Member))
	require.Equal(t, []string{arrival}, offered(w.Outsider), "to whose payment it came")

	amount := apptest.Naira(5000)
	claim := contract.OpenDisputeRequest{Kind: contract.DisputeKindNOTCREDITED, Amount: &amount, PaidOn: &day, ArrivalId: &arrival, Words: "I paid this, and it is not in my wallet."}
	_, _, err = w.App.Disputes.Open(ctx, w.Member, claim)
	refusal := fault.As(err)
	require.NotNil(t, refusal, "%v", err)
	require.Equal(t, "arrivalId", refusal.Field)
}
