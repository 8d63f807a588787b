package paystack_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
)

const reference = "01a1fc4b-2eab-7691-8c82-525480905e41"

func fixture(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return string(raw)
}

func TestEveryStatusAsTheGatewayWritesIt(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]rails.State{
		"success": rails.Paid, "failed": rails.Failed, "reversed": rails.Failed, "abandoned": rails.Pending, "ongoing": rails.Pending,
		"pending": rails.Pending, "processing": rails.Pending, "queued": rails.Pending, "unknown": rails.Unknown,
	} {
		got, err := gateway(t, 200, fixture(t, "verify-"+name+".json")).Status(t.Context(), reference)
		require.NoError(t, err, name)
		require.Equal(t, want, got.State, name)
		require.Equal(t, name == "success", got.Card != nil, name)
	}
	got, err := gateway(t, 200, fixture(t, "verify-success.json")).Status(t.Context(), reference)
	require.NoError(t, err)
	require.Equal(t, &rails.Card{Token: "AUTH_8dfhjjdt", Email: "ada@example.com", Last4: "4081", Brand: "visa", Bank: "TEST BANK", ExpMonth: 12, ExpYear: 2030}, got.Card)
	once := strings.ReplaceAll(fixture(t, "verify-success.json"), `"reusable": true`, `"reusable": false`)
	got, err = gateway(t, 200, once).Status(t.Context(), reference)
	require.NoError(t, err)
	require.Nil(t, got.Card, "it cannot be charged again")
}

// lists answers by the path, with fixtures; anything else is not there.
func lists(t *testing.T, without string) *paystack.Client {
	t.Helper()
	mux := http.NewServeMux()
	for path, name := range map[string]string{
		"/balance": "balance.json", "/transaction": "transactions.json", "/refund": "refunds.json", "/transfer": "transfers.json",
		"/transaction/verify/" + reference: "verify-success.json",
	} {
		if path != without {
			mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(fixture(t, name))) })
		}
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"})
}

func TestTheStatementIsPutTogetherFromTheGatewaysLists(t *testing.T) {
	t.Parallel()
	client := lists(t, "")
	balance, err := client.Balance(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 1_700_000, balance)
	paid, refunded := time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC), time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC)
	lines, err := client.Statement(t.Context(), paid)
	require.NoError(t, err)
	require.Equal(t, []rails.Line{
		{ProviderRef: "4099260516", Reference: reference, Amount: 517_767, Fee: 17_767, At: paid},
		{ProviderRef: "refund-1", Of: "4099260516", Out: true, Amount: 100_000, At: refunded},
		{ProviderRef: "refund-3", Of: "77", Out: true, Amount: 9, At: refunded.Add(-time.Hour)},
		{ProviderRef: "TRF_a", Reference: "adashi-w1", Out: true, Amount: 100_000, Fee: 1_000, At: paid},
		{ProviderRef: "TRF_b", Reference: "adashi-w2", Out: true, Amount: 200_000, Fee: 1_000, At: paid},
		{ProviderRef: "TRF_b", Reference: "adashi-w2", Amount: 200_000, At: refunded},
	}, lines)
	require.EqualValues(t, 500_000, lines[0].Moved())
	for _, missing := range []string{"/transaction", "/refund", "/transfer"} {
		_, err := lists(t, missing).Statement(t.Context(), paid)
		require.True(t, fault.Is(err, fault.Unavailable), "a statement is whole or it is none: %s", missing)
	}
}

// The gateway lists a transfer by when it was made, and its money comes back days later.
func TestATransferThatWasMadeBeforeIsOnTheStatementWhenItComesBack(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)
	made := time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)
	mux := http.NewServeMux()
	for path, name := range map[string]string{"/transaction": "", "/refund": "", "/transfer": "transfers.json"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from"))
			if name == "" || err != nil || from.After(made) {
				_, _ = w.Write([]byte(`{"status": true, "data": [], "meta": {"pageCount": 1}}`))
				return
			}
			_, _ = w.Write([]byte(fixture(t, name)))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	lines, err := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}).Statement(t.Context(), since)
	require.NoError(t, err)
	require.Equal(t, []rails.Line{{ProviderRef: "TRF_b", Reference: "adashi-w2", Amount: 200_000, At: since.Add(time.Hour)}}, lines)
}

func TestOnlyRefundsThatAreDoneAndThePaymentsOwnTakeMoneyBack(t *testing.T) {
	t.Parallel()
	back, err := lists(t, "").Reversals(t.Context(), reference)
	require.NoError(t, err)
	require.Equal(t, []rails.Reversal{{ProviderRef: "refund-1", Gross: 100_000, At: time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC), Reason: "Refund for transaction"}}, back)
}

func TestWebhooksAboutMoneyTakenBackNameTheirPayment(t *testing.T) {
	t.Parallel()
	client := paystack.New(paystack.Options{SecretKey: "sk"})
	for body, want := range map[string]string{
		`{"event":"refund.processed","data":{"status":"processed","transaction_reference":"r","refund_reference":"1","amount":5,"currency":"NGN"}}`:              "r",
		`{"event":"refund.failed","data":{"transaction_reference":"r"}}`:                                                                                         "r",
		`{"event":"charge.dispute.create","data":{"id":1,"status":"awaiting-merchant-feedback","transaction":{"id":7,"reference":"r"}}}`:                         "r",
		`{"event":"charge.dispute.resolve","data":{"id":1,"status":"resolved","resolution":"merchant-accepted","transaction":{"id":7,"reference":"other-one"}}}`: "other-one",
	} {
		got, err := client.ParseReversal(signedHeader(body), []byte(body))
		require.NoError(t, err, body)
		require.Equal(t, want, got)
		_, err = client.ParseReversal(signedHeader(body+" "), []byte(body))
		require.True(t, fault.Is(err, fault.Forbidden))
	}
	other := `{"event":"charge.success","data":{}}`
	_, err := client.ParseReversal(signedHeader(other), []byte(other))
	require.ErrorIs(t, err, rails.ErrNoPayment)
	empty := `{"event":"refund.processed","data":{}}`
	_, err = client.ParseReversal(signedHeader(empty), []byte(empty))
	require.True(t, fault.Is(err, fault.Invalid))
}
