package app_test

import (
	"context"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/store"
	"adashi.ng/ledger/wallet"
	"adashi.ng/projections/balances"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/rails"
)

// fakeRail says of every payment what it was told to say.
type fakeRail struct {
	says    rails.Status
	down    error
	started atomic.Int32
}

func (r *fakeRail) Start(context.Context, rails.StartRequest) (rails.Instructions, error) {
	r.started.Add(1)
	return rails.Instructions{AccountNumber: "4600000001"}, r.down
}

func (r *fakeRail) Status(context.Context, string) (rails.Status, error) { return r.says, r.down }

func (r *fakeRail) ParseWebhook(http.Header, []byte) (rails.Notice, error) {
	return rails.Notice{}, rails.ErrNoPayment
}

// arrives has the bank say that an amount came.
func (w *town) arrives(amount money.Kobo) {
	w.rail.says = rails.Status{State: rails.Paid, ProviderRef: uuid.NewString(), Amount: amount, Currency: rails.Naira, PaidAt: time.Now().UTC()}
}

func (w *town) started() contract.PaymentStart {
	w.Helper()
	payment, _, err := w.app.FundWallet(context.Background(), w.outsider, naira(5000), nil)
	require.NoError(w, err)
	return payment
}

func (w *town) verified(id string) contract.PaymentStart {
	w.Helper()
	payment, _, err := w.app.VerifyPayment(context.Background(), w.outsider.User, id)
	require.NoError(w, err)
	return payment
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
	w.rail.says = rails.Status{State: rails.Failed}
	require.Equal(t, "FAILED", string(w.verified(payment.TransactionRef).Status))

	w.arrives(5_000 * money.Naira)
	for range 2 { // A gateway tells twice.
		require.NoError(t, w.app.Webhook(ctx, rails.Notice{Reference: payment.TransactionRef, Amount: 5_000 * money.Naira, Currency: rails.Naira}))
	}
	kobo, times := w.suspense()
	require.Equal(t, int64(500_000), kobo)
	require.Equal(t, 1, times)
	require.Equal(t, "FAILED", string(w.verified(payment.TransactionRef).Status))
}

func TestAnotherAmountThanWasDueEndsThePayment(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	payment := w.started()
	w.arrives(4_000 * money.Naira)
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
	id := w.started().TransactionRef
	w.rail.says = rails.Status{State: rails.Pending} // As after an answer that came too late.
	require.Equal(t, "PENDING", string(w.verified(id).Status))
	w.rail.says = rails.Status{State: rails.Unknown}
	require.Equal(t, "PENDING", string(w.verified(id).Status), "it may still come")
	_, err := w.app.At(time.Now().Add(26*time.Hour)).Settle(context.Background(), id)
	require.NoError(t, err)
	require.Equal(t, "FAILED", string(w.verified(id).Status))
}

func TestABankThatCannotBeAskedDoesNotSayThatNothingWasTaken(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	id := w.started().TransactionRef
	w.rail.down = fault.New(fault.Unavailable, "The bank cannot be reached just now. Nothing was taken. Please try again shortly.")
	_, _, err := w.app.VerifyPayment(context.Background(), w.outsider.User, id)
	refusal := fault.As(err)
	require.Equal(t, fault.Unavailable, refusal.Code)
	require.NotContains(t, refusal.Message, "Nothing was taken")
}

func TestAPaymentThatEndedIsNotSentToTheBankByALateRetry(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	who := app.Who{User: w.outsider.User, Email: w.outsider.Email, Key: "the very same key"}
	w.rail.down = fault.New(fault.Unavailable, "The bank cannot be reached just now.")
	_, _, err := w.app.FundWallet(context.Background(), who, naira(5000), nil)
	require.True(t, fault.Is(err, fault.Unavailable))
	require.NoError(t, w.engine.CatchUp(context.Background()))
	w.rail.down, w.rail.says = nil, rails.Status{State: rails.Unknown}
	require.NoError(t, w.app.At(time.Now().Add(25*time.Hour)).SettleOpen(context.Background()))
	asked := w.rail.started.Load()
	again, _, err := w.app.FundWallet(context.Background(), who, naira(5000), nil)
	require.NoError(t, err)
	require.Equal(t, "EXPIRED", string(again.Status))
	require.Nil(t, again.AccountNumber)
	require.Equal(t, asked, w.rail.started.Load())
}

func TestTheBanksWordsAreHeldToWhatTablesKeep(t *testing.T) {
	t.Parallel()
	w := setup(t, true, false)
	id := w.started().TransactionRef
	w.rail.says = rails.Status{State: rails.Failed, Reason: "No\x00 " + strings.Repeat("₦", 100_000)}
	reason := *w.verified(id).Reason
	require.Equal(t, "No "+strings.Repeat("₦", 197), reason)
	require.NoError(t, w.engine.CatchUp(context.Background()), "no read model pauses at it")
}
