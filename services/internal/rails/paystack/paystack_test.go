package paystack_test

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
)

func gateway(t *testing.T, status int, body string) *paystack.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"})
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]rails.State{
		"success": rails.Paid, "failed": rails.Failed, "reversed": rails.Paid, "abandoned": rails.Pending,
		"ongoing": rails.Pending, "queued": rails.Pending, "something new": rails.Pending,
	} {
		body := fmt.Sprintf(`{"status":true,"data":{"id":7,"status":%q,"reference":"r","amount":517767,"fees":17767,"currency":"NGN","paid_at":"2026-03-10T09:30:00.000Z"}}`, status)
		got, err := gateway(t, 200, body).Status(t.Context(), "r")
		require.NoError(t, err)
		require.Equal(t, want, got.State, status)
	}
}

func TestAPaymentThatIsCalledReversedCameIfItHasAPaidTime(t *testing.T) {
	t.Parallel()
	const body = `{"status":true,"data":{"id":7,"status":"reversed","reference":"r","amount":517767,"fees":17767,"currency":"NGN","paid_at":%s}}`
	got, err := gateway(t, 200, fmt.Sprintf(body, `"2026-03-10T09:30:00.000Z"`)).Status(t.Context(), "r")
	require.NoError(t, err)
	require.Equal(t, rails.Paid, got.State)
	require.True(t, got.WentBack, "the refunds say how much of it")
	require.EqualValues(t, 517_767, got.Amount)
	for _, paidAt := range []string{`null`, `""`} {
		got, err = gateway(t, 200, fmt.Sprintf(body, paidAt)).Status(t.Context(), "r")
		require.NoError(t, err)
		require.Equal(t, rails.Failed, got.State, "it never came")
	}
}

func TestWhatCannotBeReadIsPending(t *testing.T) {
	t.Parallel()
	for _, body := range []string{``, `<html>`, `{"status":false,"message":"Invalid key"}`, `{"status":true,"data":7}`} {
		got, err := gateway(t, 502, body).Status(t.Context(), "r")
		require.NoError(t, err)
		require.Equal(t, rails.Pending, got.State, body)
	}
}

func TestPaidThatMakesNoSenseIsAnError(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{"id":7,"status":"success","reference":"another","amount":5,"paid_at":"2026-03-10T09:30:00Z"}`,
		`{"id":7,"status":"success","reference":"r","amount":0,"paid_at":"2026-03-10T09:30:00Z"}`,
		`{"id":7,"status":"success","reference":"r","amount":5,"paid_at":""}`,
	} {
		_, err := gateway(t, 200, `{"status":true,"data":`+data+`}`).Status(t.Context(), "r")
		require.Error(t, err, data)
	}
}

func TestSignedWebhooksOfOtherKindsAreNoPayment(t *testing.T) {
	t.Parallel()
	client := paystack.New(paystack.Options{SecretKey: "sk"})
	const transfer = `{"event":"transfer.success","data":{}}`
	_, err := client.ParseWebhook(signedHeader(transfer), []byte(transfer))
	require.ErrorIs(t, err, rails.ErrNoPayment)
	for _, body := range []string{`{`, `{"event":"charge.success"}`, `{"event":"charge.success","data":{"reference":"r","amount":-1}}`} {
		_, err := client.ParseWebhook(signedHeader(body), []byte(body))
		require.True(t, fault.Is(err, fault.Invalid), body)
	}
}

func signedHeader(body string) http.Header {
	mac := hmac.New(sha512.New, []byte("sk"))
	mac.Write([]byte(body))
	return http.Header{"X-Paystack-Signature": {hex.EncodeToString(mac.Sum(nil))}}
}
