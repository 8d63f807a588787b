package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails/sandbox"
)

// parked puts ₦5,000 by card into suspense: the payment had ended before it was paid.
func parked(t *testing.T, w *apptest.Town) (payment, arrival string) {
	t.Helper()
	ctx, card := context.Background(), contract.RailChannelCARD
	started, _, err := w.App.Payments.FundWallet(ctx, w.Outsider, apptest.Naira(5000), &card, payments.CardUse{})
	require.NoError(t, err)
	w.Gives(wallet.EndPayment{PaymentID: started.TransactionRef, To: wallet.Failed, Reason: "Declined"})
	require.NoError(t, w.Bank.PayCard(ctx, started.TransactionRef, time.Time{}))
	_, err = w.App.Payments.Settle(ctx, started.TransactionRef)
	require.NoError(t, err)
	suspense, _ := w.Suspense()
	require.Equal(t, int64(5_000_00), suspense)
	require.NoError(t, w.Engine.CatchUp(ctx))
	page, err := w.App.Finance.Unmatched(ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Arrivals, 1)
	return started.TransactionRef, page.Arrivals[0].Id
}

func TestParkedMoneyThatTheGatewayGaveBackIsNobodysToAssign(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	payment, arrival := parked(t, w)
	require.Equal(t, before, w.Beyond(t)[event.Paystack])

	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment}))
	_, err := w.App.Payments.TakenBack(ctx, event.Paystack, payment) // The webhook refund.processed,
	require.NoError(t, err)
	w.Reconciled(t) // and the statement say so.

	suspense, _ := w.Suspense()
	require.Zero(t, suspense, "the payer has the money back, so none of it lies in suspense")
	_, _, err = w.App.Finance.ProposeUnmatched(ctx, w.Validator, arrival, contract.ProposeUnmatchedRequest{Email: w.Outsider.Email, Reason: "She showed the slip"})
	require.Error(t, err, "money that went back is nobody's")
	require.Equal(t, before, w.Beyond(t)[event.Paystack], "Adashi bears the fee that the gateway kept")
	page, err := w.App.Finance.Unmatched(ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	require.Empty(t, page.Arrivals)
	require.True(t, w.Reconciled(t).Balanced)
}

func TestAssignedMoneyThatTheBankOfTheCardTakesBackIsRecorded(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	payment, arrival := parked(t, w)
	proposed, _, err := w.App.Finance.ProposeUnmatched(ctx, w.Validator, arrival, contract.ProposeUnmatchedRequest{Email: w.Outsider.Email, Reason: "She showed the slip"})
	require.NoError(t, err)
	_, _, err = w.App.Finance.DecideUnmatched(ctx, w.Approver, arrival, contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version})
	require.NoError(t, err)
	got := w.BalanceOf(posting.Wallet(w.Outsider.User))
	require.Equal(t, 5_000*money.Naira, got)

	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment, Dispute: true}))
	_, err = w.App.Payments.TakenBack(ctx, event.Paystack, payment)
	require.NoError(t, err)
	w.Reconciled(t)
	require.Zero(t, w.BalanceOf(posting.Wallet(w.Outsider.User)), "what the gateway takes back leaves the wallet as far as it is there")
	require.Equal(t, before, w.Beyond(t)[event.Paystack], "the ledger says what left the gateway")
}

func TestWhatTheGatewayTakesBackBeyondThePaymentIsBorneAndRecorded(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	c := w.Comes(t, apptest.Card, sandbox.Telling{})
	require.NoError(t, w.Webhook(t, c))
	dispute, err := w.Bank.Disputes(ctx, sandbox.CardDispute{Reference: c.Payment, Category: "chargeback"})
	require.NoError(t, err)
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: c.Payment}))
	_, err = w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
	require.NoError(t, err)
	require.Equal(t, before, w.Beyond(t)[event.Paystack], "so far it is recorded")

	require.NoError(t, w.Bank.EndDispute(ctx, dispute, true))
	_, err = w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
	require.NoError(t, err)
	w.Reconciled(t)
	require.Equal(t, before, w.Beyond(t)[event.Paystack], "what left the gateway the second time is recorded as well")
	require.Equal(t, -money.Kobo(5_177_67), w.BalanceOf(posting.Losses), "Adashi bears it")
	require.True(t, w.Reconciled(t).Balanced)
}

func TestALineOfTheBankHasAllThatWentBackAtOnceAndSoHasTheLedger(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	c := w.Comes(t, apptest.Card, sandbox.Telling{})
	require.NoError(t, w.Webhook(t, c))
	for _, naira := range []money.Kobo{3_000, 4_000} {
		require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: c.Payment, Amount: naira * money.Naira, Loose: true}))
		_, err := w.App.Payments.TakenBack(ctx, event.Paystack, c.Payment)
		require.NoError(t, err)
	}
	require.Equal(t, before, w.Beyond(t)[event.Paystack])
	require.Equal(t, -money.Kobo(1_822_33), w.BalanceOf(posting.Losses))
	require.True(t, w.Reconciled(t).Balanced)
}

func TestAPartThatGoesBackOfParkedMoneyEndsAProposalAboutAllOfIt(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)[event.Paystack]
	payment, arrival := parked(t, w)
	propose := contract.ProposeUnmatchedRequest{Email: w.Outsider.Email, Reason: "She showed the slip"}
	proposed, _, err := w.App.Finance.ProposeUnmatched(ctx, w.Validator, arrival, propose)
	require.NoError(t, err)
	agree := contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version}
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment, Amount: 2_000 * money.Naira, Silent: true}))
	w.Reconciled(t) // No webhook reports it: only the statement does.
	suspense, _ := w.Suspense()
	require.Equal(t, int64(3_000_00), suspense)
	require.NoError(t, w.Engine.CatchUp(ctx))
	_, _, err = w.App.Finance.DecideUnmatched(ctx, w.Approver, arrival, agree)
	require.ErrorContains(t, err, "has changed since you looked")
	proposed, _, err = w.App.Finance.ProposeUnmatched(ctx, w.Validator, arrival, propose)
	require.NoError(t, err)
	_, _, err = w.App.Finance.DecideUnmatched(ctx, w.Approver, arrival, agree)
	require.ErrorContains(t, err, "has changed since you looked", "it was about ₦5,000")
	agree.Seen = &proposed.Proposal.Version
	_, _, err = w.App.Finance.DecideUnmatched(ctx, w.Approver, arrival, agree)
	require.NoError(t, err)
	require.Equal(t, 3_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
	require.Equal(t, before, w.Beyond(t)[event.Paystack])
}

func TestAMemberOwesWhatGoesBackOfMoneyThatTheyWereGivenAndSpent(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	payment, arrival := parked(t, w)
	proposed, _, err := w.App.Finance.ProposeUnmatched(ctx, w.Validator, arrival, contract.ProposeUnmatchedRequest{Email: w.Outsider.Email, Reason: "She showed the slip"})
	require.NoError(t, err)
	_, _, err = w.App.Finance.DecideUnmatched(ctx, w.Approver, arrival, contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version})
	require.NoError(t, err)
	w.Gives(ledgertest.Raw{event.On("correction:x", &nairav1.AdjustmentPosted{UserId: w.Outsider.User, AmountKobo: 4_000_00, TakesBack: true})})
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment}))
	for range 2 {
		_, err = w.App.Payments.TakenBack(ctx, event.Paystack, payment)
		require.NoError(t, err)
		require.Equal(t, -4_000*money.Naira, w.BalanceOf(posting.Owed(w.Outsider.User)))
		require.Equal(t, -money.Kobo(177_67), w.BalanceOf(posting.Losses), "the gateway keeps its fee")
	}
}

func TestATransferThatItsBankTakesBackLeavesWhoeverHasItsMoney(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	w.Follows()
	ctx := context.Background()
	before := w.Beyond(t)[event.Vfd]
	recalled := func(payment string) {
		require.NoError(t, w.Bank.Recall(ctx, payment))
		w.Reconciled(t) // Only the statement reports it.
		require.Equal(t, before, w.Beyond(t)[event.Vfd])
		require.True(t, w.Reconciled(t).Balanced)
	}
	credited := w.Comes(t, apptest.Transfer, sandbox.Telling{})
	require.NoError(t, w.Webhook(t, credited))
	require.Equal(t, 5_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
	recalled(credited.Payment)
	require.Zero(t, w.BalanceOf(posting.Wallet(w.Outsider.User)))

	lies := w.Comes(t, apptest.Transfer, sandbox.Telling{})
	w.Gives(wallet.EndPayment{PaymentID: lies.Payment, To: wallet.Failed, Reason: "Declined"})
	require.NoError(t, w.Webhook(t, lies))
	suspense, _ := w.Suspense()
	require.Equal(t, int64(5_000_00), suspense)
	recalled(lies.Payment)
	suspense, _ = w.Suspense()
	require.Zero(t, suspense)
	require.Zero(t, w.BalanceOf(posting.Wallet(w.Outsider.User)))
}
