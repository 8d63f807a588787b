package paystack_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
)

// saysNothing holds answers of a gateway that is busy, refuses us, or did not find something else.
var saysNothing = map[int]string{
	200: "Something new", 302: "Moved", 400: "Unknown error", 401: "Invalid key", 403: "Your IP address is not allowed to make this call", 404: "Endpoint not found",
	408: "Request timed out", 422: "Please try again", 429: "Too many requests", 500: "An error occurred", 503: "Service unavailable",
}

func refusing(status int, message string) (int, string) {
	return status, fmt.Sprintf(`{"status":false,"message":%q}`, message)
}

func TestABusyGatewaySaysNothingOfWhatItIsAskedAbout(t *testing.T) {
	t.Parallel()
	claim := rails.Claim{BVN: "22222222222", FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Bank: order.Bank, Account: order.Account}
	for status, message := range saysNothing {
		code, body := refusing(status, message)
		client := gateway(t, code, body)
		_, err := client.Prepare(t.Context(), order)
		require.NotErrorIs(t, err, rails.ErrNoAccount)
		require.True(t, fault.Is(err, fault.Unavailable), "%d: %v", status, err)
		_, err = client.AccountName(t.Context(), order.Bank, order.Account)
		require.NotErrorIs(t, err, rails.ErrNoAccount)
		require.True(t, fault.Is(err, fault.Unavailable), "%d: %v", status, err)
		_, err = client.Reversals(t.Context(), reference)
		require.True(t, fault.Is(err, fault.Unavailable), "%d: nobody knows what went back of it: %v", status, err)
		_, err = client.CardDisputesOf(t.Context(), reference)
		require.True(t, fault.Is(err, fault.Unavailable), "%d: %v", status, err)
		for _, customer := range []string{"", "CUS_x"} {
			claim.Customer = customer
			found, err := client.Verify(t.Context(), claim)
			require.True(t, fault.Is(err, fault.Unavailable), "%d: %v", status, err)
			require.Equal(t, rails.Undecided, found.Verdict)
		}
		answer, err := client.AnswerStatus(t.Context(), rails.CardAnswer{ProviderRef: "dispute-1"})
		require.NoError(t, err)
		require.Equal(t, rails.AnswerPending, answer.State, "%d", status)
		paid, err := client.Status(t.Context(), reference)
		require.NoError(t, err)
		require.Equal(t, rails.Pending, paid.State, "%d", status)
	}
	for status, message := range map[int]string{400: "Account details are invalid", 422: "Could not resolve account name. Check parameters or try again."} {
		code, body := refusing(status, message)
		_, err := gateway(t, code, body).AccountName(t.Context(), order.Bank, order.Account)
		require.ErrorIs(t, err, rails.ErrNoAccount, message)
	}
	for _, busy := range []int{403, 429, 503} { // Whatever its body says.
		_, err := gateway(t, busy, `{"status":false,"message":"Account details are invalid"}`).AccountName(t.Context(), order.Bank, order.Account)
		require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
		_, err = gateway(t, busy, `{"status":true,"data":[],"meta":{}}`).Reversals(t.Context(), reference)
		require.True(t, fault.Is(err, fault.Unavailable), "%v", err)
	}
}

func TestOnlyATransferThatIsNotKnownIsUnknown(t *testing.T) {
	t.Parallel()
	for _, message := range []string{
		"Endpoint not found", "Integration not found", "Recipient not found", "Transfer recipient not found", "The requested URL was not found on this server", "Customer not found", "",
	} {
		code, body := refusing(404, message)
		status, err := gateway(t, code, body).PayoutStatus(t.Context(), reference)
		require.NoError(t, err)
		require.Equal(t, rails.Pending, status.State, message)
	}
	for _, code := range []int{200, 400, 401, 403, 408, 422, 429, 500, 503} {
		status, err := gateway(t, code, fixture(t, "notfound.json")).PayoutStatus(t.Context(), reference)
		require.NoError(t, err)
		require.Equal(t, rails.Pending, status.State, "%d is not the gateway's answer for an unknown transfer", code)
	}
}

func TestAnAnswerOfABusyGatewayEndsNoTransferWhateverItsBodySays(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"success", "failed", "reversed"} {
		for _, code := range []int{401, 403, 408, 429, 500, 502, 503} {
			status, err := gateway(t, code, strings.ReplaceAll(fixture(t, "transfer.json"), "STATUS", text)).PayoutStatus(t.Context(), reference)
			require.NoError(t, err)
			require.Equal(t, rails.Pending, status.State, "%s, HTTP %d", text, code)
			require.False(t, status.Reversed)
		}
		_, err := gateway(t, 200, strings.ReplaceAll(fixture(t, "transfer.json"), "STATUS", text)).PayoutStatus(t.Context(), "another")
		require.ErrorIs(t, err, rails.ErrAnswer, text)
	}
}

func TestAnOrderThatTheGatewayHasAlreadyOrDoesNotDecideIsPending(t *testing.T) {
	t.Parallel()
	bodies := map[int][]string{400: {
		`{"status":false,"message":"Please provide a unique reference. Reference already exists on a transfer","type":"validation_error","code":"duplicate_transfer_reference"}`,
		`{"status":false,"message":"Transfer reference is a duplicate"}`, `{"status":false,"message":"Integration not found"}`, `{"status":false,"message":"An unknown error occurred"}`, `{}`, `[]`,
	}}
	for status, message := range saysNothing {
		_, body := refusing(status, message)
		bodies[status] = append(bodies[status], body)
	}
	for _, busy := range []int{401, 403, 404, 408, 429, 500, 503} {
		bodies[busy] = append(bodies[busy], `{"status":false,"message":"Your balance is not enough to fulfil this request"}`)
	}
	for status, all := range bodies {
		for _, body := range all {
			client, orders := paying(t, fixture(t, "recipient.json"), status, body)
			send, err := client.Prepare(t.Context(), order)
			require.NoError(t, err)
			require.Equal(t, rails.Pending, send(t.Context()).State, "%d %s", status, body)
			require.Len(t, *orders, 1)
		}
	}
}

// The gateway reports by webhook whether a BVN matches. A refused or repeated question is not an answer.
func TestARefusedQuestionAboutABVNDecidesAboutNobody(t *testing.T) {
	t.Parallel()
	claim := rails.Claim{BVN: "22222222222", FirstName: "Ada", LastName: "Obi", Email: "ada@example.com", Bank: order.Bank, Account: order.Account}
	for message, known := range map[string]bool{"Customer already validated using the same credentials": true, "Unable to verify just now": false} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/customer" {
				_, _ = fmt.Fprint(w, `{"status":true,"message":"Customer created","data":{"customer_code":"CUS_x"}}`)
				return
			}
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"status":false,"message":%q}`, message)
		}))
		found, err := paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}).Verify(t.Context(), claim)
		server.Close()
		require.Equal(t, rails.Undecided, found.Verdict, message)
		require.Equal(t, known, err == nil && found.Customer == "CUS_x", "the customer is asked about next: %v", err)
		require.Equal(t, !known, fault.Is(err, fault.Unavailable), message)
	}
}
