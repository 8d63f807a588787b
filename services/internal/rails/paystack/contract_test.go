package paystack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
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
		"success": rails.Paid, "failed": rails.Failed, "reversed": rails.Paid, "abandoned": rails.Pending, "ongoing": rails.Pending,
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

// lists answers by path, with fixtures; any other path is not found.
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

// The gateway lists a transfer by its creation time, and its money comes back days later.
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
	require.Equal(t, []rails.Reversal{{ProviderRef: "refund-1", Of: "4099260516", Gross: 100_000, At: time.Date(2026, 11, 16, 10, 0, 0, 0, time.UTC), Reason: "Refund for transaction"}}, back)
}

func TestDisputesOfCardsAreReadAsTheyStand(t *testing.T) {
	t.Parallel()
	answer := func(data string) ([]rails.CardDispute, error) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.Equal(t, "/dispute", r.URL.Path)
			assert.Equal(t, "2026-10-01T00:00:00Z", r.URL.Query().Get("from"))
			_, _ = w.Write([]byte(`{"status": true, "message": "Disputes retrieved", "data": [` + data + `], "meta": {"pageCount": 1}}`))
		}))
		defer server.Close()
		return paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}).CardDisputes(t.Context(), time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC))
	}
	const (
		open = `{"id": 1, "refund_amount": null, "currency": null, "status": "awaiting-merchant-feedback", "resolution": null, "category": "fraud",
			"dueAt": "2026-11-16T18:00:00.000Z", "createdAt": "2026-11-15T10:00:00.000Z", "transaction": {"id": 7, "reference": "r1", "amount": 500000, "currency": "NGN"}}`
		won = `{"id": 2, "refund_amount": 100, "currency": "NGN", "status": "resolved", "resolution": "declined", "category": "chargeback",
			"dueAt": null, "createdAt": "2026-11-15T10:00:00.000Z", "transaction": {"id": 8, "reference": "r2", "amount": 500, "currency": "NGN"}}`
		lost = `{"id": 3, "refund_amount": 100, "currency": "NGN", "status": "resolved", "resolution": "auto-accepted", "createdAt": "2026-11-15T10:00:00.000Z",
			"transaction": {"id": 9, "reference": "r3", "amount": 500, "currency": "NGN"}}`
		dollars = `{"id": 4, "refund_amount": 5, "currency": "USD", "status": "pending", "createdAt": "2026-11-15T10:00:00.000Z", "transaction": {"reference": "r4"}}`
		nobodys = `{"id": 5, "refund_amount": 5, "currency": "NGN", "status": "pending", "createdAt": "2026-11-15T10:00:00.000Z", "transaction": {}}`
	)
	found, err := answer(open + "," + won + "," + lost + "," + dollars + "," + nobodys)
	require.NoError(t, err)
	at := time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)
	require.Equal(t, []rails.CardDispute{
		{ProviderRef: "dispute-1", Reference: "r1", Amount: 500_000, Reason: "fraud", At: at, AnswerBy: time.Date(2026, 11, 16, 18, 0, 0, 0, time.UTC)},
		{ProviderRef: "dispute-2", Reference: "r2", Amount: 100, Reason: "chargeback", At: at, Ended: true},
		{ProviderRef: "dispute-3", Reference: "r3", Amount: 100, At: at, Ended: true, Upheld: true},
	}, found)
	for _, bad := range []string{strings.Replace(open, "2026-11-15T10:00:00.000Z", "yesterday", 1), strings.Replace(won, `"refund_amount": 100`, `"refund_amount": -100`, 1)} {
		found, err := answer(bad + "," + lost)
		require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		require.Len(t, found, 1, "what cannot be read keeps nothing else back")
	}
}

func TestDisputesOfOnePaymentAreAskedForByItsTransactionAndOthersAreNotBelieved(t *testing.T) {
	t.Parallel()
	asked := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		const dispute = `{"id": %d, "refund_amount": 100, "currency": "NGN", "status": "pending", "createdAt": "2026-11-15T10:00:00.000Z",
			"transaction": {"id": 7, "reference": "%s", "amount": 500, "currency": "NGN"}}`
		switch r.URL.Path {
		case "/transaction/verify/mine":
			_, _ = w.Write([]byte(`{"status": true, "data": {"id": 7, "reference": "mine", "status": "success", "amount": 500, "currency": "NGN"}}`))
		case "/transaction/verify/none":
			_, _ = w.Write([]byte(`{"status": false, "message": "Transaction reference not found"}`))
		default:
			asked = r.URL.Path + "?transaction=" + r.URL.Query().Get("transaction")
			_, _ = fmt.Fprintf(w, `{"status": true, "data": [`+dispute+`,`+dispute+`], "meta": {"pageCount": 1}}`, 1, "mine", 2, "another")
		}
	}))
	defer server.Close()
	client := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"})
	found, err := client.CardDisputesOf(t.Context(), "mine")
	require.NoError(t, err)
	require.Equal(t, "/dispute?transaction=7", asked)
	require.Len(t, found, 1)
	require.Equal(t, "dispute-1", found[0].ProviderRef)
	found, err = client.CardDisputesOf(t.Context(), "none")
	require.NoError(t, err)
	require.Empty(t, found)
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

func TestFilesAreUploadedWhereTheGatewaySaysAndNowhereElse(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "file:///etc/passwd", "ftp://files.example/x", "//127.0.0.1/x", "own", "http://127.0.0.1:1/x?signature=word"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			assert.NotEqual(t, http.MethodPut, r.Method, address)
			if address == "own" {
				address = "http://user:word@" + r.Host + "/x" // The address would receive our credentials.
			}
			if r.Method == http.MethodPost {
				_, _ = w.Write([]byte(`{"status": true, "message": "Evidence created", "data": {"id": 7}}`))
				return
			}
			_, _ = fmt.Fprintf(w, `{"status": true, "message": "Upload url generated", "data": {"signedUrl": %q, "fileName": "x"}}`, address)
		}))
		_, err := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}).PrepareAnswer(t.Context(), rails.CardAnswer{ProviderRef: "dispute-1"})
		require.True(t, fault.Is(err, fault.Unavailable), "%s: %v", address, err)
		require.NotContains(t, err.Error(), "word", "the address is a secret for a while")
		server.Close()
	}
}
