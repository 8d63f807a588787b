package vfd_test

import (
	"crypto/sha512"
	"encoding/hex"
	"encoding/json"
	"fmt"
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
	"adashi.ng/services/internal/rails/vfd"
)

// recorded answers calls with fixtures in the shape that the bank publishes, by the end of their path, and records the
// requests.
type recorded struct {
	answers map[string]string // A fixture's name, or a body.
	status  int
	order   map[string]string
	orders  int
}

func (b *recorded) serve(t *testing.T) *vfd.Client {
	t.Helper()
	if b.status == 0 {
		b.status = http.StatusOK
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for end, answer := range b.answers {
			if !strings.HasSuffix(r.URL.Path, end) {
				continue
			}
			if end == "/transfer" {
				b.orders++
				_ = json.NewDecoder(r.Body).Decode(&b.order)
				w.WriteHeader(b.status)
			}
			if fixture, err := os.ReadFile(filepath.Join("testdata", answer+".json")); err == nil {
				answer = string(fixture)
			}
			_, _ = fmt.Fprint(w, answer)
			return
		}
		t.Errorf("nobody answers %s", r.URL.Path)
	}))
	t.Cleanup(server.Close)
	return vfd.New(vfd.Options{Host: server.URL, WalletName: "Adashi Ng"})
}

func answering(changes ...string) *recorded {
	b := &recorded{answers: map[string]string{
		"/baasauth/token": "token", "/account/enquiry": "own_account", "/transfer/recipient": "recipient", "/transfer": "transfer", "/transactions/reversal": "nosuch",
	}}
	for i := 0; i+1 < len(changes); i += 2 {
		b.answers[changes[i]] = changes[i+1]
	}
	return b
}

var (
	keystone = rails.Bank{Code: "082", NIP: "000002", Name: "Keystone Bank"}
	order    = rails.Payout{Reference: "AdashiNg-w", Amount: 119_896_25, Bank: keystone, Account: "1111111103", Name: "OBI ADA", Note: "Rent"}
)

func TestAnOrderSaysWhatTheBankWantsToKnow(t *testing.T) {
	t.Parallel()
	bank := answering()
	client := bank.serve(t)
	require.Equal(t, "AdashiNg-w", client.Reference("w"))
	send, err := client.Prepare(t.Context(), order)
	require.NoError(t, err)
	require.Zero(t, bank.orders, "asking sends nothing")
	status := send(t.Context())
	require.Equal(t, rails.Pending, status.State, "that it was paid, the query says")
	sum := sha512.Sum512([]byte("1000000010" + "1111111103"))
	require.Equal(t, map[string]string{
		"fromAccount": "1000000010", "uniqueSenderAccountId": "", "fromClientId": "3420", "fromClient": "Adashi Pool", "fromSavingsId": "6722", "fromBvn": "22222222222",
		"toClientId": "", "toClient": "OBI ADA", "toSavingsId": "", "toSession": "090110221111103010203040506070", "toBvn": "", "toAccount": "1111111103", "toBank": "000002",
		"signature": hex.EncodeToString(sum[:]), "amount": "119896.25", "remark": "Rent", "transferType": "inter", "reference": "AdashiNg-w",
	}, bank.order)
	inside := order
	inside.Bank = rails.Bank{Code: "566", NIP: "090110"}
	send, err = client.Prepare(t.Context(), inside)
	require.NoError(t, err)
	send(t.Context())
	require.Equal(t, []string{"intra", "999999", "", "090110221111103010203040506070"},
		[]string{bank.order["transferType"], bank.order["toBank"], bank.order["toSession"], bank.order["toSavingsId"]})
}

// codes lists all codes that the bank publishes, with the meaning of each for an outgoing payment.
var codes = map[rails.State][]string{
	rails.Paid:    {"00", "26"},
	rails.Pending: {"01", "02", "09", "25", "94", "96", "500", "34", "35", "63"}, // The last three failed, and the bank does not say that it put the money back.
	rails.Failed:  {"51", "98", "99", "07", "12", "91"},
}

func TestEachOutcomeCodeOfAStatusQuery(t *testing.T) {
	t.Parallel()
	fixture, err := os.ReadFile("testdata/transaction.json")
	require.NoError(t, err)
	for state, list := range codes {
		for _, code := range list {
			client := answering("/transactions", strings.ReplaceAll(string(fixture), "CODE", code)).serve(t)
			status, err := client.PayoutStatus(t.Context(), "AdashiNg-w")
			require.NoError(t, err)
			require.Equal(t, state, status.State, code)
			require.False(t, status.Reversed)
			require.Contains(t, status.Answer, "transactionStatus "+code)
			if state == rails.Paid {
				require.EqualValues(t, 119_896_25, status.Amount)
				require.Equal(t, "090110261115120000ABCDEFGHIJKL", status.ProviderRef)
				require.Equal(t, time.Date(2026, 11, 15, 11, 0, 0, 0, time.UTC), status.PaidAt)
				require.Equal(t, rails.Naira, status.Currency)
			}
		}
	}
	paid := strings.ReplaceAll(string(fixture), "CODE", "00")
	status, err := answering("/transactions", paid, "/transactions/reversal", "reversal").serve(t).PayoutStatus(t.Context(), "AdashiNg-w")
	require.NoError(t, err)
	require.True(t, status.Reversed)
	require.Equal(t, rails.Paid, status.State)
	_, err = answering("/transactions", paid).serve(t).PayoutStatus(t.Context(), "another")
	require.ErrorContains(t, err, "another reference")
	status, err = answering("/transactions", "nosuch").serve(t).PayoutStatus(t.Context(), "AdashiNg-w")
	require.NoError(t, err)
	require.Equal(t, rails.Unknown, status.State, "108")
}

func TestEachOutcomeCodeOfAnOrder(t *testing.T) {
	t.Parallel()
	for state, list := range codes {
		if state == rails.Paid {
			state = rails.Pending // We must ask: an order's answer says neither when nor how much.
		}
		for _, code := range append(list, "108") {
			if code == "108" {
				state = rails.Pending
			}
			bank := answering("/transfer", `{"status":"`+code+`","message":"In words","data":null}`)
			send, err := bank.serve(t).Prepare(t.Context(), order)
			require.NoError(t, err)
			status := send(t.Context())
			require.Equal(t, state, status.State, code)
			require.Equal(t, state == rails.Failed, status.Reason == "In words", code)
			require.Equal(t, 1, bank.orders)
		}
	}
}

func TestWhatAnOrderIsAnsweredThatCannotBeReadIsPending(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status int
		body   string
	}{
		{200, `<ns:fault xmlns:ns="x"/>`}, {200, ``}, {502, `<html>`}, {500, `{"status":"99","message":"x"}`}, {401, `{"status":"401"}`}, {429, `{"status":"429"}`}, {200, `[]`},
	} {
		bank := answering("/transfer", c.body)
		bank.status = c.status
		send, err := bank.serve(t).Prepare(t.Context(), order)
		require.NoError(t, err)
		require.Equal(t, rails.Pending, send(t.Context()).State, "%d %s", c.status, c.body)
	}
	for _, body := range []string{`<xml/>`, ``, `{"status":"00"}`, `{"status":"00","data":{"transactionStatus":7}}`, `{"status":"96","message":"x"}`} {
		status, err := answering("/transactions", body).serve(t).PayoutStatus(t.Context(), "AdashiNg-w")
		require.NoError(t, err)
		require.Equal(t, rails.Pending, status.State, body)
	}
}

func TestNothingIsSentToAnAccountThatIsNotThereOrWhileTheBankCannotSay(t *testing.T) {
	t.Parallel()
	_, err := answering("/transfer/recipient", `{"status":"104","message":"Account Not Found","data":null}`).serve(t).Prepare(t.Context(), order)
	require.ErrorIs(t, err, rails.ErrNoAccount)
	for _, path := range []string{"/transfer/recipient", "/account/enquiry"} {
		_, err = answering(path, `{"status":"96","message":"x"}`).serve(t).Prepare(t.Context(), order)
		require.True(t, fault.Is(err, fault.Unavailable), path)
	}
	gone := vfd.New(vfd.Options{Host: "http://127.0.0.1:1"})
	_, err = gone.Prepare(t.Context(), order)
	require.True(t, fault.Is(err, fault.Unavailable))
	_, err = gone.PayoutStatus(t.Context(), "r")
	require.True(t, fault.Is(err, fault.Unavailable))
}
