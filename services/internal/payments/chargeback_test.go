package payments_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/finance"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

// charged pays ₦5,000 by card into the outsider's wallet, and returns the payment.
func charged(t *testing.T, w *apptest.Town) string {
	t.Helper()
	c := w.Comes(t, apptest.Card, sandbox.Telling{})
	_, err := w.App.Payments.Settle(context.Background(), c.Payment)
	require.NoError(t, err)
	return c.Payment
}

// takesBack makes the card's bank win a dispute about a payment.
func takesBack(t *testing.T, w *apptest.Town, payment string, dispute bool) {
	t.Helper()
	ctx := context.Background()
	require.NoError(t, w.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment, Dispute: dispute}))
	_, err := w.App.Payments.TakenBack(ctx, event.Paystack, payment)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
}

func TestAChargebackIsOwedByItsMemberUntilMoneyComesIn(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx, owes := context.Background(), posting.Owed(w.Outsider.User)
	payment := charged(t, w)
	spend(t, w, 4_000_00)
	takesBack(t, w, payment, true)
	require.Equal(t, -4_000*money.Naira, w.BalanceOf(owes))
	require.Zero(t, w.BalanceOf(posting.Wallet(w.Outsider.User)))

	page, err := w.App.Activity.Movements(ctx, w.Outsider.User, activity.Wanted{}, nil, 10)
	require.NoError(t, err)
	shown := ""
	for _, m := range page.Transactions {
		shown += fmt.Sprintln(m.Kind, m.Amount)
	}
	require.Contains(t, shown, "PAYMENT_REVERSED 5000", "with its true amount")
	require.Contains(t, shown, "DEBT_OPENED 4000")
	balances, err := w.App.Activity.Balances(ctx, w.Outsider.User)
	require.NoError(t, err)
	require.Equal(t, "4000", balances.Owed.String())

	next := w.Comes(t, apptest.Transfer, sandbox.Telling{})
	_, err = w.App.Payments.Settle(ctx, next.Payment)
	require.NoError(t, err)
	require.Zero(t, w.BalanceOf(owes))
	require.Equal(t, 1_000*money.Naira, w.BalanceOf(posting.Wallet(w.Outsider.User)))
}

// spend takes an amount from the outsider's wallet, as a correction does.
func spend(t *testing.T, w *apptest.Town, kobo int64) {
	t.Helper()
	w.Gives(spent(w.Outsider.User, kobo))
}

func TestTwoChargebacksLockCardPaymentsAndTheDeskSeesBoth(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	one, two, three := charged(t, w), charged(t, w), charged(t, w)
	takesBack(t, w, one, false)
	takesBack(t, w, two, true)
	_, _, err := w.App.Payments.FundWallet(ctx, w.Outsider, apptest.Naira(900), &card, cardUse)
	require.NoError(t, err, "the first was a refund that they had asked for")
	spend(t, w, 5_000_00)
	takesBack(t, w, three, true)
	_, _, err = w.App.Payments.FundWallet(ctx, w.Outsider, apptest.Naira(900), &card, cardUse)
	require.ErrorContains(t, err, "finance desk")

	page, err := w.App.Finance.Debts(ctx, w.Owner.User, nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Debts, 1)
	require.Len(t, page.Locked, 1)
	require.Equal(t, "5000", page.Amount.String())
	_, _, err = w.App.Finance.UnlockCards(ctx, w.Owner, w.Outsider.User, "Their bank was wrong")
	require.NoError(t, err)
	_, _, err = w.App.Payments.FundWallet(ctx, w.Outsider, apptest.Naira(900), &card, cardUse)
	require.NoError(t, err)

	debt, _, err := w.App.Finance.ProposeWriteOff(ctx, w.Owner, w.Outsider.User, "They have gone abroad")
	require.NoError(t, err)
	agree := finance.DecideWriteOffRequest{Approve: true, Seen: debt.Proposal.Version}
	for _, who := range []usecase.Who{w.Owner, w.Outsider} {
		_, _, err = w.App.Finance.DecideWriteOff(ctx, who, w.Outsider.User, agree)
		require.Error(t, err)
	}
	_, _, err = w.App.Finance.DecideWriteOff(ctx, w.Validator, w.Outsider.User, agree)
	require.NoError(t, err)
	require.Zero(t, w.BalanceOf(posting.Owed(w.Outsider.User)))
	require.Equal(t, -5_000*money.Naira, w.BalanceOf(posting.Losses))
}

func TestAnUnsentWithdrawalIsCalledOffBeforeAnythingIsOwed(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	w.PaysOut()
	who, member := w.Outsider, w.Member
	w.Outsider = member // Payouts go to their bank account.
	payment := charged(t, w)
	w.Outsider = who
	own := posting.Wallet(member.User)
	has := w.BalanceOf(own)
	w.App.Payouts.CardHold = 1
	amount := has - 1_000*money.Naira
	made, _, err := w.App.Payouts.Withdraw(ctx, member, wire.FromKobo(int64(amount)), wire.FromKobo(int64(amount-payout.ChargesOn(amount).Total())), "")
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(ctx))
	takesBack(t, w, payment, true)
	require.Equal(t, has-5_000*money.Naira, w.BalanceOf(own))
	state, err := w.App.WithdrawalState(ctx, made.Id)
	require.NoError(t, err)
	require.Equal(t, payout.Failed, state.Status)
}

var (
	card    = contract.RailChannelCARD
	cardUse = payments.CardUse{}
)

// spent is the event that takes an amount from a member's wallet.
func spent(user string, kobo int64) ledgertest.Raw {
	return ledgertest.Raw{event.On("correction:x", &nairav1.AdjustmentPosted{UserId: user, AmountKobo: kobo, TakesBack: true})}
}
