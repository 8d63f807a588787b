package paystack_test

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
)

var order = rails.Payout{Reference: reference, Amount: 119_896_25, Bank: rails.Bank{Code: "082", NIP: "000002"}, Account: "1111111103", Name: "OBI ADA", Note: "Rent"}

// paying returns one body for a recipient and another for a transfer, and records the orders.
func paying(t *testing.T, recipient string, status int, transfer string) (*paystack.Client, *[]map[string]any) {
	t.Helper()
	orders := &[]map[string]any{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/transferrecipient" {
			_, _ = fmt.Fprint(w, recipient)
			return
		}
		order := map[string]any{}
		_ = json.NewDecoder(r.Body).Decode(&order)
		*orders = append(*orders, order)
		w.WriteHeader(status)
		_, _ = fmt.Fprint(w, transfer)
	}))
	t.Cleanup(server.Close)
	return paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}), orders
}

func TestAnOrderNamesItsReceiverByCode(t *testing.T) {
	t.Parallel()
	client, orders := paying(t, fixture(t, "recipient.json"), 200, fixture(t, "queued.json"))
	send, err := client.Prepare(t.Context(), order)
	require.NoError(t, err)
	require.Empty(t, *orders)
	require.Equal(t, rails.Pending, send(t.Context()).State)
	require.Equal(t, []map[string]any{{
		"source": "balance", "amount": 11_989_625.0, "recipient": "RCP_m7ljkv8leesep7p", "reference": reference, "reason": "Rent", "currency": "NGN",
	}}, *orders)
	_, err = func() (rails.Send, error) {
		client, _ := paying(t, `{"status":false,"message":"Account details are invalid"}`, 200, "")
		return client.Prepare(t.Context(), order)
	}()
	require.ErrorIs(t, err, rails.ErrNoAccount)
}

func TestAnOrderIsFailedOnlyWhenTheGatewaySaysSo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
		state  rails.State
	}{
		{400, `{"status":false,"message":"Your balance is not enough to fulfil this request"}`, rails.Failed},
		{422, `{"status":false,"message":"Recipient specified is invalid"}`, rails.Failed},
		{401, `{"status":false,"message":"Invalid key"}`, rails.Pending},
		{409, `{"status":false,"message":"Duplicate"}`, rails.Pending},
		{429, `{"status":false,"message":"Too many requests"}`, rails.Pending},
		{500, `{"status":false,"message":"An error occurred"}`, rails.Pending},
		{502, `<html>`, rails.Pending},
		{200, ``, rails.Pending},
	} {
		client, orders := paying(t, fixture(t, "recipient.json"), c.status, c.body)
		send, err := client.Prepare(t.Context(), order)
		require.NoError(t, err)
		status := send(t.Context())
		require.Equal(t, c.state, status.State, "%d %s", c.status, c.body)
		require.Equal(t, c.state == rails.Failed, status.Reason != "")
		require.Len(t, *orders, 1)
	}
}

func TestEachStatusOfATransfer(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]rails.State{
		"success": rails.Paid, "failed": rails.Failed, "abandoned": rails.Failed, "rejected": rails.Failed, "blocked": rails.Failed, "reversed": rails.Failed,
		"pending": rails.Pending, "otp": rails.Pending, "processing": rails.Pending, "received": rails.Pending, "something new": rails.Pending,
	} {
		status, err := gateway(t, 200, strings.ReplaceAll(fixture(t, "transfer.json"), "STATUS", text)).PayoutStatus(t.Context(), reference)
		require.NoError(t, err)
		require.Equal(t, want, status.State, text)
		require.Equal(t, text == "reversed", status.Reversed)
		if want == rails.Paid {
			require.Equal(t, rails.PayoutStatus{
				State: rails.Paid, ProviderRef: "TRF_8opchtrhtjlfz90n", Amount: 119_896_25, Fee: 50_00, Currency: "NGN",
				PaidAt: time.Date(2026, 11, 15, 11, 0, 5, 0, time.UTC), Answer: "HTTP 200, Transfer retrieved, success",
			}, status)
		}
	}
	cameBack := strings.Replace(strings.ReplaceAll(fixture(t, "transfer.json"), "STATUS", "reversed"), `"transferred_at":null`, `"transferred_at":"2026-11-15T11:00:05.000Z"`, 1)
	status, err := gateway(t, 200, cameBack).PayoutStatus(t.Context(), reference)
	require.NoError(t, err)
	require.Equal(t, rails.Paid, status.State, "it was paid before")
	require.True(t, status.Reversed)
	status, err = gateway(t, 404, fixture(t, "notfound.json")).PayoutStatus(t.Context(), reference)
	require.NoError(t, err)
	require.Equal(t, rails.Unknown, status.State)
	_, err = gateway(t, 200, strings.ReplaceAll(fixture(t, "transfer.json"), "STATUS", "success")).PayoutStatus(t.Context(), "another")
	require.ErrorContains(t, err, "another reference")
	for _, body := range []string{``, `<html>`, `{"status":false,"message":"Invalid key"}`, `{"status":true,"data":7}`, `{"status":true,"data":{}}`} {
		status, err := gateway(t, 502, body).PayoutStatus(t.Context(), reference)
		require.NoError(t, err)
		require.Equal(t, rails.Pending, status.State, body)
	}
}

func TestWebhooksAboutTransfers(t *testing.T) {
	t.Parallel()
	client := paystack.New(paystack.Options{SecretKey: "sk"})
	parse := func(body string) (rails.PayoutNotice, error) {
		mac := hmac.New(sha512.New, []byte("sk"))
		mac.Write([]byte(body))
		return client.ParsePayout(http.Header{"X-Paystack-Signature": {hex.EncodeToString(mac.Sum(nil))}}, []byte(body))
	}
	for _, event := range []string{"transfer.success", "transfer.failed", "transfer.reversed"} {
		notice, err := parse(`{"event":"` + event + `","data":{"reference":"r","amount":11989625,"currency":"NGN"}}`)
		require.NoError(t, err)
		require.Equal(t, rails.PayoutNotice{Reference: "r", Amount: 119_896_25, Currency: "NGN"}, notice)
	}
	_, err := parse(`{"event":"charge.success","data":{}}`)
	require.ErrorIs(t, err, rails.ErrNoPayment)
	for _, body := range []string{`{`, `{"event":"transfer.success","data":{"reference":""}}`, `{"event":"transfer.success","data":{"reference":"r","amount":-1}}`} {
		_, err := parse(body)
		require.True(t, fault.Is(err, fault.Invalid), body)
	}
	_, err = client.ParsePayout(http.Header{"X-Paystack-Signature": {"00"}}, []byte(`{}`))
	require.True(t, fault.Is(err, fault.Forbidden))
}
