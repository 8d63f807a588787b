package vfd_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/vfd"
)

func TestOutcomeCodes(t *testing.T) {
	t.Parallel()
	for state, codes := range map[rails.State][]string{
		rails.Paid:    {"00", "26"},
		rails.Pending: {"01", "02", "09", "25", "94", "96", "500", ""},
		rails.Failed:  {"51", "98", "99", "34", "35", "63", "12", "91"},
		rails.Unknown: {"108"},
	} {
		for _, code := range codes {
			require.Equal(t, state, vfd.Outcome(code), code)
		}
	}
}

// bank answers a sign-in, and then every call with one fixed body.
func bank(t *testing.T, status int, body string) *vfd.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && r.URL.Path == "/vfd-tech/baas-portal/v1.1/baasauth/token" {
			_, _ = fmt.Fprint(w, `{"status":"00","data":{"access_token":"t","expires_in":1}}`)
			return
		}
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return vfd.New(vfd.Options{Host: server.URL})
}

func TestWhatCannotBeReadIsPending(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		`<ns:error xmlns:ns="x">down</ns:error>`, ``, `{`, `[]`, `{"status":"00"}`, `{"status":"00","data":null}`, `{"status":"500","message":"x"}`,
		`{"status":"00","data":{"transactionStatus":"09","amount":"5"}}`, `{"status":"00","data":{"transactionStatus":7}}`,
	} {
		for _, code := range []int{200, 500, 502} {
			status, err := bank(t, code, body).Status(t.Context(), "r")
			require.NoError(t, err, body)
			require.Equal(t, rails.Pending, status.State, body)
		}
	}
}

func TestInnerStatusCounts(t *testing.T) {
	t.Parallel()
	const paid = `{"status":"99","message":"x","data":{"transactionStatus":"00","amount":"5000.00","sessionId":"s1","transactionDate":"2026-03-10 09:30:00.0"}}`
	status, err := bank(t, 200, paid).Status(t.Context(), "r")
	require.NoError(t, err)
	require.Equal(t, rails.Paid, status.State)
	require.EqualValues(t, 500_000, status.Amount)
	require.Equal(t, time.Date(2026, 3, 10, 8, 30, 0, 0, time.UTC), status.PaidAt)
}

func TestPaidThatMakesNoSenseIsAnError(t *testing.T) {
	t.Parallel()
	for _, data := range []string{
		`{"transactionStatus":"00","amount":"","transactionDate":"2026-03-10 09:30:00"}`,
		`{"transactionStatus":"00","amount":"5.001","transactionDate":"2026-03-10 09:30:00"}`,
		`{"transactionStatus":"00","amount":"5","transactionDate":"2026-03-10 09:30:00"}`, // No reference of the bank's own.
		`{"transactionStatus":"00","amount":"5","transactionDate":"yesterday","sessionId":"s"}`,
		`{"transactionStatus":"00","amount":"5","transactionDate":"2026-03-10 09:30:00","sessionId":"s","reference":"another"}`,
	} {
		_, err := bank(t, 200, `{"status":"00","data":`+data+`}`).Status(t.Context(), "r")
		require.Error(t, err, data)
		require.Nil(t, fault.As(err), data)
	}
}

func TestWebhookBodies(t *testing.T) {
	t.Parallel()
	client := vfd.New(vfd.Options{})
	require.False(t, client.SecretIs(""), "no secret opens nothing")
	_, err := client.ParseWebhook(nil, []byte(`{"reference":"r","amount":"5.00","session_id":"s","initialCreditRequest":true}`))
	require.ErrorIs(t, err, rails.ErrNoPayment)
	for _, body := range []string{``, `[]`, `{}`, `{"reference":"","amount":"5"}`, `{"reference":"r","amount":"-5"}`, `{"reference":"r","amount":"x"}`, `{"reference":"r","amount":5}`} {
		_, err := client.ParseWebhook(nil, []byte(body))
		require.True(t, fault.Is(err, fault.Invalid), "%s: %v", body, err)
	}
	notice, err := client.ParseWebhook(nil, []byte(`{"reference":"r\u0000","amount":"5.00","session_id":"s\u0000"}`))
	require.NoError(t, err)
	require.NotContains(t, fmt.Sprint(notice), "\x00", "no table can hold it")
}

// The sender is read separately: however bad its data is, the money is still known.
func TestTheSenderIsTheAccountThatTheBankNames(t *testing.T) {
	t.Parallel()
	for fields, want := range map[string]rails.Sender{
		``: {},
		`,"fromAccountNo":"1111111103","fromBank":"000002","fromAccountName":"JOHN DOE"`:  {Bank: "000002", Account: "1111111103", Name: "JOHN DOE"},
		`,"fromAccountNo":"1000074944","fromBank":"999999"`:                               {Bank: "090110", Account: "1000074944"},
		`,"fromAccountNo":null,"fromBank":7,"fromAccountName":[]`:                         {},
		`,"fromAccountNo":1111111103,"fromBank":"000002","fromAccountName":{"first":"J"}`: {Bank: "000002"},
	} {
		body := `{"status":"00","data":{"reference":"r","sessionId":"s","amount":"5","transactionStatus":"00","transactionDate":"2026-07-01T10:00:00Z"` + fields + `}}`
		status, err := bank(t, 200, body).Status(t.Context(), "r")
		require.NoError(t, err, body)
		require.Equal(t, rails.Paid, status.State, body)
		require.Equal(t, want, status.From, body)
	}
}
