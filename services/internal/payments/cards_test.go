package payments_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/usecase"
)

// oneCard is the only saved card.
type oneCard struct{ owner usecase.Who }

func (c oneCard) Card(_ context.Context, user, id string) (rails.Card, error) {
	if user != c.owner.User || id != "card" {
		return rails.Card{}, fault.New(fault.NotFound, "There is no such card.")
	}
	return rails.Card{Provider: event.Paystack, Token: "AUTH_x", Email: c.owner.Email, Last4: "4081"}, nil
}

func (oneCard) KeepCard(context.Context, string, rails.Card) error { return nil }

func TestASavedCardIsSentToTheGatewayOnceWhateverItAnswers(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	var charges atomic.Int32
	silent := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/charge_authorization") {
			charges.Add(1)
			panic(http.ErrAbortHandler) // The connection ends: we do not know whether it charged.
		}
		w.Bank.Handler().ServeHTTP(rw, r)
	}))
	t.Cleanup(silent.Close)
	gone := httptest.NewServer(nil)
	gone.Close()
	w.App.Payments.Saved = oneCard{w.Outsider}
	channel, who := contract.RailChannelCARD, w.Outsider
	who.Key = "the very same key"
	fund := func() (contract.PaymentStart, error) {
		payment, _, err := w.App.Payments.FundWallet(ctx, who, apptest.Naira(5000), &channel, payments.CardUse{Saved: "card"})
		return payment, err
	}
	w.App.Payments.Rails = w.RailsAt(w.BankURL, gone.URL)
	_, err := fund()
	require.True(t, fault.Is(err, fault.Unavailable), "it was never reached, and may be tried again")
	require.Contains(t, fault.As(err).Message, "Nothing was taken")
	w.App.Payments.Rails = w.RailsAt(w.BankURL, silent.URL)
	for range 3 {
		payment, err := fund()
		require.NoError(t, err)
		require.Equal(t, "INITIATED", string(payment.Status))
		require.Nil(t, payment.CheckoutUrl, "nobody is sent to pay what may be charged")
	}
	require.EqualValues(t, 1, charges.Load())
}

// cheapCards charges less than the gateway that has saved cards.
type cheapCards struct{ rails.Collector }

// Provider implements rails.Adapter.
func (cheapCards) Provider() rails.Provider {
	return rails.Provider{ID: "cheap", Collects: map[nairav1.Channel]wallet.Tariff{apptest.Card: {PerMille: 1}}}
}

func TestASavedCardIsChargedWhereItIsKeptAndNoMoreThanWasSaid(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	gateway, err := rails.As[*paystack.Client](w.App.Payments.Rails, event.Paystack)
	require.NoError(t, err)
	w.App.Payments.Rails, err = rails.NewRegistry(cheapCards{}, gateway)
	require.NoError(t, err)
	w.App.Payments.Saved = oneCard{w.Outsider}
	channel := contract.RailChannelCARD
	_, _, err = w.App.Payments.FundWallet(context.Background(), w.Outsider, apptest.Naira(5000), &channel, payments.CardUse{Saved: "card"})
	require.True(t, fault.Is(err, fault.Conflict), "%v", err)
	require.Contains(t, fault.As(err).Message, "charges ₦177.67 and not ₦5.01")
	started, _, err := w.App.Payments.GenerateReference(context.Background(), w.Outsider, contract.GenerateReferenceRequest{Amount: apptest.Naira(5000), Channel: &channel})
	require.NoError(t, err)
	saved := "card"
	_, _, err = w.App.Payments.MakePayment(context.Background(), w.Outsider, contract.MakePaymentRequest{TransactionRef: started.TransactionRef, Amount: started.Total, CardId: &saved})
	require.Contains(t, fault.As(err).Message, "which another card company takes")
}

func TestASessionThatHasEndedChargesNoSavedCard(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	var charges atomic.Int32
	counted := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/charge_authorization") {
			charges.Add(1)
		}
		w.Bank.Handler().ServeHTTP(rw, r)
	}))
	t.Cleanup(counted.Close)
	w.App.Payments.Rails = w.RailsAt(w.BankURL, counted.URL)
	w.App.Payments.Saved = oneCard{w.Outsider}
	channel, saved := contract.RailChannelCARD, "card"
	started, _, err := w.App.Payments.GenerateReference(t.Context(), w.Outsider, contract.GenerateReferenceRequest{Amount: apptest.Naira(5000), Channel: &channel})
	require.NoError(t, err)
	ended := session.With(t.Context(), uuid.NewString())
	_, _, err = w.App.Payments.MakePayment(ended, w.Outsider, contract.MakePaymentRequest{TransactionRef: started.TransactionRef, Amount: started.Total, CardId: &saved})
	require.True(t, fault.Is(err, fault.Unauthenticated), "%v", err)
	require.Zero(t, charges.Load())
}
