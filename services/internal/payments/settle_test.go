package payments_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/balances"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

func TestMoneyForAPaymentThatHasEndedIsKeptInSuspenseOnce(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	payment := w.Started()
	_, err := w.App.Ledger.Append(ctx, store.Command{ID: uuid.New(), Actor: "system", Command: wallet.EndPayment{
		PaymentID: payment.TransactionRef, To: wallet.Failed, Reason: "Declined",
	}})
	require.NoError(t, err)
	require.Equal(t, "FAILED", string(w.Verified(payment.TransactionRef).Status))

	w.Arrives(payment, 5_000*money.Naira)
	for range 2 { // A gateway sends a webhook twice.
		require.NoError(t, w.App.Payments.Webhook(ctx, event.Vfd, rails.Notice{Reference: payment.TransactionRef, Amount: 5_000 * money.Naira, Currency: rails.Naira}))
	}
	kobo, times := w.Suspense()
	require.Equal(t, int64(500_000), kobo)
	require.Equal(t, 1, times)
	require.Equal(t, "FAILED", string(w.Verified(payment.TransactionRef).Status))
}

func TestMoneyThatComesAgainForAPaymentThatIsPaidIsKeptInSuspense(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	payment := w.Started()
	for range 2 {
		w.Arrives(payment, 5_000*money.Naira)
	}
	rows, err := w.Pool.Query(ctx, "SELECT session_id FROM sandbox_transfers ORDER BY id DESC")
	require.NoError(t, err)
	var sessions []string
	for rows.Next() {
		var session string
		require.NoError(t, rows.Scan(&session))
		sessions = append(sessions, session)
	}
	require.Len(t, sessions, 2)
	for _, session := range append(sessions, sessions...) { // The second's webhook comes first, and then both again.
		require.NoError(t, w.App.Payments.Webhook(ctx, event.Vfd, rails.Notice{Reference: payment.TransactionRef, ProviderRef: session, Amount: 5_000 * money.Naira, Currency: rails.Naira}))
	}
	kobo, times := w.Suspense()
	require.Equal(t, int64(500_000), kobo)
	require.Equal(t, 1, times)
	require.Equal(t, "CONFIRMED", string(w.Verified(payment.TransactionRef).Status))
}

func TestAWebhookThatNamesTheSessionOfAnotherPaymentCreditsNobody(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	mine, other := w.Started(), w.Started()
	w.Arrives(other, 5_000*money.Naira)
	var session string
	require.NoError(t, w.Pool.QueryRow(ctx, "SELECT session_id FROM sandbox_transfers").Scan(&session))
	err := w.App.Payments.Webhook(ctx, event.Vfd, rails.Notice{Reference: mine.TransactionRef, ProviderRef: session, Amount: 5_000 * money.Naira, Currency: rails.Naira})
	require.NoError(t, err, "the bank knows of no money for that payment: nothing happens")
	require.Equal(t, "INITIATED", string(w.Verified(mine.TransactionRef).Status))
	kobo, _ := w.Suspense()
	require.Zero(t, kobo)
	require.Equal(t, "CONFIRMED", string(w.Verified(other.TransactionRef).Status))
}

func TestAnotherAmountThanWasDueEndsThePayment(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	payment := w.Started()
	w.Arrives(payment, 4_000*money.Naira)
	for range 2 {
		ended := w.Verified(payment.TransactionRef)
		require.Equal(t, "FAILED", string(ended.Status))
		require.Equal(t, "The bank has ₦4,000.00 for this payment, and ₦5,000.00 was due.", *ended.Reason)
	}
	kobo, times := w.Suspense()
	require.Equal(t, int64(400_000), kobo)
	require.Equal(t, 1, times)
	require.NoError(t, w.Engine.CatchUp(context.Background()))
	b, err := balances.Of(context.Background(), w.Pool, w.Outsider.User)
	require.NoError(t, err)
	require.Zero(t, b.Wallet)
}

func TestAPendingPaymentThatTheBankKnowsNothingOfEnds(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	payment := w.Started()
	id := payment.TransactionRef
	require.NoError(t, w.Bank.Transfer(context.Background(), sandbox.Transfer{Account: *payment.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", Delay: time.Hour}))
	require.Equal(t, "PENDING", string(w.Verified(id).Status))
	w.BankSays("DELETE FROM sandbox_transfers")
	require.Equal(t, "PENDING", string(w.Verified(id).Status), "it may still come")
	_, err := w.App.At(time.Now().Add(26*time.Hour)).Payments.Settle(context.Background(), id)
	require.NoError(t, err)
	require.Equal(t, "FAILED", string(w.Verified(id).Status))
}

func TestABankThatCannotBeAskedDoesNotSayThatNothingWasTaken(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	id := w.Started().TransactionRef
	w.CutOff()
	_, _, err := w.App.Payments.VerifyPayment(context.Background(), w.Outsider.User, id)
	refusal := fault.As(err)
	require.Equal(t, fault.Unavailable, refusal.Code)
	require.NotContains(t, refusal.Message, "Nothing was taken")
}

func TestAPaymentThatEndedIsNotSentToTheBankByALateRetry(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	who := usecase.Who{User: w.Outsider.User, Email: w.Outsider.Email, Key: "the very same key"}
	restore := w.CutOff()
	_, _, err := w.App.Payments.FundWallet(context.Background(), who, apptest.Naira(5000), nil, payments.CardUse{})
	require.True(t, fault.Is(err, fault.Unavailable))
	require.NoError(t, w.Engine.CatchUp(context.Background()))
	restore()
	require.NoError(t, w.App.At(time.Now().Add(25*time.Hour)).Payments.SettleOpen(context.Background()))
	again, _, err := w.App.Payments.FundWallet(context.Background(), who, apptest.Naira(5000), nil, payments.CardUse{})
	require.NoError(t, err)
	require.Equal(t, "EXPIRED", string(again.Status))
	require.Nil(t, again.AccountNumber)
	var opened int
	require.NoError(t, w.Pool.QueryRow(context.Background(), "SELECT count(*) FROM sandbox_accounts WHERE reference = $1", again.TransactionRef).Scan(&opened))
	require.Zero(t, opened, "the bank never heard of it")
}

func TestTheBanksWordsAreHeldToWhatTablesKeep(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	channel := contract.RailChannelCARD
	payment, _, err := w.App.Payments.FundWallet(context.Background(), w.Outsider, apptest.Naira(5000), &channel, payments.CardUse{})
	require.NoError(t, err)
	w.BankSays("UPDATE sandbox_charges SET status = 'failed', reason = $1", "No\x01 "+strings.Repeat("₦", 100_000))
	reason := *w.Verified(payment.TransactionRef).Reason
	require.Equal(t, "No "+strings.Repeat("₦", 197), reason)
	require.NoError(t, w.Engine.CatchUp(context.Background()), "no read model pauses at it")
}
