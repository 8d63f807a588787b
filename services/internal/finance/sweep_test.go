package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
)

// Half of the money that enters the wallet pays debts, in every way: a confirmed payment, money that the desk assigns,
// and money whose sweep failed and is tried again. No money is swept twice.
func TestMoneyThatTheDeskAssignsPaysDebtsAsMoneyThatComesDoes(t *testing.T) {
	t.Parallel()
	w, id := apptest.Setup(t, true, false), uuid.NewString()
	w.Follows()
	ctx, card := context.Background(), contract.RailChannelCARD
	terms := rules.Usual()
	terms.AmountKobo, terms.Seats = int64(10_000*money.Naira), 3
	w.Gives(ledgertest.Raw{
		event.On(rules.Stream(id), &nairav1.AjoCreated{AjoId: id, OwnerId: w.Owner.User, Name: "Balogun", Terms: terms}),
		event.On(rules.BookStream(id, w.Member.User), &nairav1.AjoConsentSet{AjoId: id, UserId: w.Member.User, Sweep: true}),
		event.On(rules.DebtStream(id), &nairav1.AjoDebtOpened{
			AjoId: id, DebtId: "1", Kind: nairav1.AjoDebtKind_AJO_DEBT_KIND_SHORTFALL, Cycle: 1, Seat: 2, DebtorId: w.Member.User, CreditorId: w.Owner.User, AmountKobo: int64(30_000 * money.Naira),
		}),
	})
	pays := func(ended bool) string {
		started, _, err := w.App.Payments.FundWallet(ctx, w.Member, apptest.Naira(5000), &card, payments.CardUse{})
		require.NoError(t, err)
		if ended {
			w.Gives(wallet.EndPayment{PaymentID: started.TransactionRef, To: wallet.Failed, Reason: "Declined"})
		}
		require.NoError(t, w.Bank.PayCard(ctx, started.TransactionRef, time.Time{}))
		_, err = w.App.Payments.Settle(ctx, started.TransactionRef)
		require.NoError(t, err)
		require.NoError(t, w.Engine.CatchUp(ctx))
		return started.TransactionRef
	}
	owner := w.BalanceOf(posting.Wallet(w.Owner.User))
	pays(false)
	require.Equal(t, owner+2_500*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User)), "half of what comes pays the debt")

	pays(true)
	page, err := w.App.Finance.Unmatched(ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	_, _, err = w.App.Finance.ProposeUnmatched(ctx, w.Validator, page.Arrivals[0].Id, contract.ProposeUnmatchedRequest{Email: w.Member.Email, Reason: "They showed the slip"})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	page, err = w.App.Finance.Unmatched(ctx, w.Approver.User, nil, nil, 10)
	require.NoError(t, err)
	_, _, err = w.App.Finance.DecideUnmatched(ctx, w.Approver, page.Arrivals[0].Id, contract.DecideUnmatchedRequest{Approve: true, Seen: &page.Arrivals[0].Proposal.Version})
	require.NoError(t, err)
	require.Equal(t, owner+5_000*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User)), "it came into the wallet as well")

	parked, again := uuid.NewString(), func() {
		require.NoError(t, w.Engine.CatchUp(ctx))
		require.NoError(t, w.App.Ajo.SweepAgain(ctx))
	}
	w.Gives( // As if the process ended before the sweep.
		wallet.ReceiveUnmatched{ProviderRef: parked, Provider: event.Vfd, Channel: apptest.Transfer, Amount: 5_000 * money.Naira, Reason: "No reference", PaidAt: time.Now()},
		wallet.ProposeUnmatched{ProviderRef: parked, Provider: event.Vfd, User: w.Member.User, By: w.Validator.User, Reason: "They showed the slip"},
		wallet.DecideUnmatched{ProviderRef: parked, Provider: event.Vfd, User: w.Member.User, By: w.Approver.User, Approve: true},
	)
	for range 2 {
		again()
		require.Equal(t, owner+7_500*money.Naira, w.BalanceOf(posting.Wallet(w.Owner.User)), "what failed is tried again, and all of it once")
	}
}
