package app_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/balances"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

// arrives has the bank receive an amount on a payment's account, whatever its own checks say.
func (w *town) arrives(payment contract.PaymentStart, amount money.Kobo) {
	w.Helper()
	require.NoError(w, w.bank.Transfer(context.Background(), sandbox.Transfer{Account: *payment.AccountNumber, Amount: amount, Sender: "Ada Obi", Loose: true}))
}

// bankSays changes what the bank knows.
func (w *town) bankSays(sql string, args ...any) {
	w.Helper()
	_, err := w.pool.Exec(context.Background(), sql, args...)
	require.NoError(w, err)
}

func (w *town) started() contract.PaymentStart {
	w.Helper()
	payment, _, err := w.app.Payments.FundWallet(context.Background(), w.outsider, naira(5000), nil, payments.CardUse{})
	require.NoError(w, err)
	return payment
}

func (w *town) verified(id string) contract.PaymentStart {
	w.Helper()
	payment, _, err := w.app.Payments.VerifyPayment(context.Background(), w.outsider.User, id)
	require.NoError(w, err)
	return payment
}

// cutOff has nobody answer where the bank was.
func (w *town) cutOff() (restore func()) {
	was := w.app.Payments.Rails[transfer]
	gone := httptest.NewServer(nil)
	gone.Close()
	w.app.Payments.Rails[transfer] = w.bankAt(gone.URL)
	return func() { w.app.Payments.Rails[transfer] = was }
}

// suspense is what lies there, and how often money was put there.
func (w *town) suspense() (kobo int64, times int) {
	w.Helper()
	_, err := w.pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(w, err)
	require.NoError(w, w.pool.QueryRow(context.Background(),
		"SELECT coalesce((SELECT balance FROM ledger_accounts WHERE account = 'suspense:unmatched'), 0), (SELECT count(*) FROM events WHERE type = 'naira.v1.UnmatchedMoneyReceived')").Scan(&kobo, &times))
	return kobo, times
}

func TestMoneyForAPaymentThatHasEndedIsKeptInSuspenseOnce(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx := context.Background()
	payment := w.started()
	_, err := w.app.Ledger.Append(ctx, store.Command{ID: uuid.New(), Actor: "system", Command: wallet.EndPayment{
		PaymentID: payment.TransactionRef, To: wallet.Failed, Reason: "Declined",
	}})
	require.NoError(t, err)
	require.Equal(t, "FAILED", string(w.verified(payment.TransactionRef).Status))

	w.arrives(payment, 5_000*money.Naira)
	for range 2 { // A gateway tells twice.
		require.NoError(t, w.app.Payments.Webhook(ctx, transfer, rails.Notice{Reference: payment.TransactionRef, Amount: 5_000 * money.Naira, Currency: rails.Naira}))
	}
	kobo, times := w.suspense()
	require.Equal(t, int64(500_000), kobo)
	require.Equal(t, 1, times)
	require.Equal(t, "FAILED", string(w.verified(payment.TransactionRef).Status))
}

func TestMoneyThatComesAgainForAPaymentThatIsPaidIsKeptInSuspense(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx := context.Background()
	payment := w.started()
	for range 2 {
		w.arrives(payment, 5_000*money.Naira)
	}
	rows, err := w.pool.Query(ctx, "SELECT session_id FROM sandbox_transfers ORDER BY id DESC")
	require.NoError(t, err)
	var sessions []string
	for rows.Next() {
		var session string
		require.NoError(t, rows.Scan(&session))
		sessions = append(sessions, session)
	}
	require.Len(t, sessions, 2)
	for _, session := range append(sessions, sessions...) { // The second is told of first, and both again.
		require.NoError(t, w.app.Payments.Webhook(ctx, transfer, rails.Notice{Reference: payment.TransactionRef, ProviderRef: session, Amount: 5_000 * money.Naira, Currency: rails.Naira}))
	}
	kobo, times := w.suspense()
	require.Equal(t, int64(500_000), kobo)
	require.Equal(t, 1, times)
	require.Equal(t, "CONFIRMED", string(w.verified(payment.TransactionRef).Status))
}

func TestAWebhookThatNamesTheSessionOfAnotherPaymentCreditsNobody(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	ctx := context.Background()
	mine, other := w.started(), w.started()
	w.arrives(other, 5_000*money.Naira)
	var session string
	require.NoError(t, w.pool.QueryRow(ctx, "SELECT session_id FROM sandbox_transfers").Scan(&session))
	err := w.app.Payments.Webhook(ctx, transfer, rails.Notice{Reference: mine.TransactionRef, ProviderRef: session, Amount: 5_000 * money.Naira, Currency: rails.Naira})
	require.NoError(t, err, "the bank knows of no money for that payment: nothing happens")
	require.Equal(t, "INITIATED", string(w.verified(mine.TransactionRef).Status))
	kobo, _ := w.suspense()
	require.Zero(t, kobo)
	require.Equal(t, "CONFIRMED", string(w.verified(other.TransactionRef).Status))
}

func TestAnotherAmountThanWasDueEndsThePayment(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	payment := w.started()
	w.arrives(payment, 4_000*money.Naira)
	for range 2 {
		ended := w.verified(payment.TransactionRef)
		require.Equal(t, "FAILED", string(ended.Status))
		require.Equal(t, "The bank has ₦4,000.00 for this payment, and ₦5,000.00 was due.", *ended.Reason)
	}
	kobo, times := w.suspense()
	require.Equal(t, int64(400_000), kobo)
	require.Equal(t, 1, times)
	require.NoError(t, w.engine.CatchUp(context.Background()))
	b, err := balances.Of(context.Background(), w.pool, w.outsider.User)
	require.NoError(t, err)
	require.Zero(t, b.Wallet)
}

func TestAPendingPaymentThatTheBankKnowsNothingOfEnds(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	payment := w.started()
	id := payment.TransactionRef
	require.NoError(t, w.bank.Transfer(context.Background(), sandbox.Transfer{Account: *payment.AccountNumber, Amount: 5_000 * money.Naira, Sender: "Ada Obi", Delay: time.Hour}))
	require.Equal(t, "PENDING", string(w.verified(id).Status))
	w.bankSays("DELETE FROM sandbox_transfers")
	require.Equal(t, "PENDING", string(w.verified(id).Status), "it may still come")
	_, err := w.app.At(time.Now().Add(26*time.Hour)).Payments.Settle(context.Background(), id)
	require.NoError(t, err)
	require.Equal(t, "FAILED", string(w.verified(id).Status))
}

func TestABankThatCannotBeAskedDoesNotSayThatNothingWasTaken(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	id := w.started().TransactionRef
	w.cutOff()
	_, _, err := w.app.Payments.VerifyPayment(context.Background(), w.outsider.User, id)
	refusal := fault.As(err)
	require.Equal(t, fault.Unavailable, refusal.Code)
	require.NotContains(t, refusal.Message, "Nothing was taken")
}

func TestAPaymentThatEndedIsNotSentToTheBankByALateRetry(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	who := usecase.Who{User: w.outsider.User, Email: w.outsider.Email, Key: "the very same key"}
	restore := w.cutOff()
	_, _, err := w.app.Payments.FundWallet(context.Background(), who, naira(5000), nil, payments.CardUse{})
	require.True(t, fault.Is(err, fault.Unavailable))
	require.NoError(t, w.engine.CatchUp(context.Background()))
	restore()
	require.NoError(t, w.app.At(time.Now().Add(25*time.Hour)).Payments.SettleOpen(context.Background()))
	again, _, err := w.app.Payments.FundWallet(context.Background(), who, naira(5000), nil, payments.CardUse{})
	require.NoError(t, err)
	require.Equal(t, "EXPIRED", string(again.Status))
	require.Nil(t, again.AccountNumber)
	var opened int
	require.NoError(t, w.pool.QueryRow(context.Background(), "SELECT count(*) FROM sandbox_accounts WHERE reference = $1", again.TransactionRef).Scan(&opened))
	require.Zero(t, opened, "the bank never heard of it")
}

func TestTheBanksWordsAreHeldToWhatTablesKeep(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	channel := contract.RailChannelCARD
	payment, _, err := w.app.Payments.FundWallet(context.Background(), w.outsider, naira(5000), &channel, payments.CardUse{})
	require.NoError(t, err)
	w.bankSays("UPDATE sandbox_charges SET status = 'failed', reason = $1", "No\x01 "+strings.Repeat("₦", 100_000))
	reason := *w.verified(payment.TransactionRef).Reason
	require.Equal(t, "No "+strings.Repeat("₦", 197), reason)
	require.NoError(t, w.engine.CatchUp(context.Background()), "no read model pauses at it")
}
