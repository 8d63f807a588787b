package paystack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
)

// The gateway lists by creation time, and a refund takes up to ten working days.
func TestAStatementHasARefundThatTookItsTime(t *testing.T) {
	t.Parallel()
	made := time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	done := made.AddDate(0, 0, 12) // Ten working days.
	none := `{"status":true,"message":"x","data":[],"meta":{"page":1,"perPage":100,"pageCount":1}}`
	mux := http.NewServeMux()
	for _, path := range []string{"GET /transaction", "GET /transfer"} {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, none) })
	}
	mux.HandleFunc("GET /refund", func(w http.ResponseWriter, r *http.Request) {
		if from, err := time.Parse(time.RFC3339, r.URL.Query().Get("from")); err == nil && made.Before(from) {
			_, _ = fmt.Fprint(w, none)
			return
		}
		_, _ = fmt.Fprintf(w, `{"status":true,"message":"x","data":[{"id":1,"transaction":4099260516,"amount":517767,"currency":"NGN","status":"processed","refunded_at":%q,"createdAt":%q}],
			"meta":{"page":1,"perPage":100,"pageCount":1}}`, done.Format(time.RFC3339), made.Format(time.RFC3339))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	client := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"})
	// Reconciliations look back seven days, and two before that (finance.lookBack, overlap).
	lines, err := client.Statement(t.Context(), done.Add(time.Hour).AddDate(0, 0, -9))
	require.NoError(t, err)
	require.Len(t, lines, 1, "₦5,177.67 left the gateway an hour ago")
}

// The status of such a transfer is dated by its last update, and so is its line: it holds back no reconciliation.
func TestATransferWithoutItsTimeIsOnTheStatement(t *testing.T) {
	t.Parallel()
	status, err := gateway(t, 200, strings.ReplaceAll(fixture(t, "transfer.json"), "STATUS", "success")).PayoutStatus(t.Context(), reference)
	require.NoError(t, err)
	require.Equal(t, rails.Paid, status.State)

	mux := http.NewServeMux()
	for path, name := range map[string]string{"/transaction": "", "/refund": "", "/transfer": "transfers.json"} {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) {
			if name == "" {
				_, _ = w.Write([]byte(`{"status": true, "data": [], "meta": {"pageCount": 1}}`))
				return
			}
			_, _ = w.Write([]byte(strings.ReplaceAll(fixture(t, name), `"transferred_at": "2026-11-15T10:00:00.000Z"`, `"transferred_at": null`)))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	lines, err := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}).Statement(t.Context(), time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC))
	require.NoError(t, err)
	require.Len(t, lines, 3, "one went out, and another went out and came back")
}

func TestAStatementHasAPaymentOfWhichAPartWentBack(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 15, 10, 0, 0, 0, time.UTC)
	charge := func(id int, status string) string {
		return fmt.Sprintf(`{"id":%d,"status":%q,"reference":"r%d","amount":517767,"fees":17767,"currency":"NGN","paid_at":%q}`, id, status, id, at.Format(time.RFC3339))
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data := ""
		if r.URL.Path == "/transaction" {
			data = map[string]string{"success": charge(1, "success"), "reversed": charge(2, "reversed")}[r.URL.Query().Get("status")]
		}
		_, _ = fmt.Fprintf(w, `{"status":true,"data":[%s],"meta":{"pageCount":1}}`, data)
	}))
	t.Cleanup(server.Close)
	lines, err := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}).Statement(t.Context(), at.Add(-time.Hour))
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2"}, []string{lines[0].ProviderRef, lines[1].ProviderRef})
	require.EqualValues(t, 500_000, lines[1].Moved())
}

func TestOfATransactionThatTheGatewayDoesNotKnowNobodyCanSayWhatWentBack(t *testing.T) {
	t.Parallel()
	unknown := gateway(t, http.StatusNotFound, `{"status":false,"message":"Transaction reference not found."}`)
	_, err := unknown.Reversals(t.Context(), reference)
	require.ErrorIs(t, err, rails.ErrNoTransaction)
	busy := gateway(t, http.StatusTooManyRequests, `{"status":false,"message":"Transaction reference not found."}`)
	_, err = busy.Reversals(t.Context(), reference)
	require.Error(t, err)
	require.NotErrorIs(t, err, rails.ErrNoTransaction)
}
