package vfd_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/vfd"
)

// saysNothing holds answers of a bank that is down: by its own code, or by HTTP, whatever the body says.
var saysNothing = map[int][]string{
	200: {
		`{"status":"91","message":"Beneficiary bank not available","data":null}`, `{"status":"429","message":"Too many requests","data":null}`,
		`{"status":"503","message":"Service unavailable","data":null}`, `{"status":"102","message":"Invalid BVN or Could Not Reach BVN Service"}`,
		`{"status":"77","message":"Account not found"}`, `{"status":"00","data":null}`, `{"status":"00","data":7}`, `{}`, `[]`, ``,
	},
	403: {`{"status":"104","message":"Account Not Found"}`}, 408: {`{"status":"104"}`}, 429: {`{"status":"104"}`}, 500: {`{"status":"104"}`}, 503: {`{"status":"104"}`, `{"status":"99"}`},
}

func TestABankThatIsAwayKnowsNothingOfAnAccountAndDecidesAboutNobody(t *testing.T) {
	t.Parallel()
	claim := rails.Claim{BVN: "22222222222", FirstName: "Ada", LastName: "Obi", Bank: keystone, Account: "1111111103"}
	for status, bodies := range saysNothing {
		for _, body := range bodies {
			client := bank(t, status, body)
			_, err := client.Prepare(t.Context(), order)
			require.True(t, fault.Is(err, fault.Unavailable), "%d %s: %v", status, body, err)
			_, err = client.AccountName(t.Context(), keystone, "1111111103")
			require.True(t, fault.Is(err, fault.Unavailable), "%d %s: %v", status, body, err)
			require.NotErrorIs(t, err, rails.ErrNoAccount)
			found, err := client.Verify(t.Context(), claim)
			require.NoError(t, err, body)
			require.Equal(t, rails.Undecided, found.Verdict, "%d %s", status, body)
			if status != http.StatusOK {
				continue
			}
			client = answering("/transfer/recipient", body).serve(t) // The bank finds our account, and not theirs.
			_, err = client.Prepare(t.Context(), order)
			require.True(t, fault.Is(err, fault.Unavailable), "%s: %v", body, err)
			known := `{"status":"00","message":"x","data":{"firstName":"Ada","middleName":"","lastName":"Obi"}}`
			found, err = answering("/client", known, "/transfer/recipient", body).serve(t).Verify(t.Context(), claim)
			require.True(t, fault.Is(err, fault.Unavailable), "%s: %v", body, err)
			require.Equal(t, rails.Undecided, found.Verdict)
		}
	}
	for _, code := range []string{"104", "07"} {
		_, err := bank(t, 200, `{"status":"`+code+`","message":"Account Not Found"}`).AccountName(t.Context(), keystone, "1111111103")
		require.ErrorIs(t, err, rails.ErrNoAccount, code)
	}
}

func TestAnOrderThatTheBankHasAlreadyOrDoesNotDecideIsPending(t *testing.T) {
	t.Parallel()
	for status, bodies := range map[int][]string{
		200: {`{"status":"98","message":"Transaction Exist"}`, `{"status":"77","message":"In words"}`, `{"status":"99","message":"x","data":{"reference":"AdashiNg-other"}}`, `{"status":"104","message":"x"}`},
		400: {`{"status":"98","message":"Transaction Exists"}`, `{"status":"99","message":"Reference already exists"}`, `{"status":"99","message":"Duplicate reference"}`, `{"status":"77","message":"x"}`},
		403: {`{"status":"99","message":"x"}`}, 404: {`{"status":"99","message":"x"}`}, 408: {`{"status":"51"}`}, 429: {`{"status":"51"}`}, 500: {`{"status":"51"}`}, 503: {`{"status":"51","message":"x"}`},
	} {
		for _, body := range bodies {
			at := answering("/transfer", body)
			at.status = status
			send, err := at.serve(t).Prepare(t.Context(), order)
			require.NoError(t, err)
			require.Equal(t, rails.Pending, send(t.Context()).State, "%d %s", status, body)
			require.Equal(t, 1, at.orders, "%d %s: an order is given once, whatever it is answered", status, body)
		}
	}
	for _, body := range []string{`{"status":"99","message":"Failed Transaction","data":{"txnId":"AdashiNg-w","reference":"1650491857685"}}`, `{"status":"51","message":"No Sufficient Funds"}`} {
		send, err := answering("/transfer", body).serve(t).Prepare(t.Context(), order)
		require.NoError(t, err)
		require.Equal(t, rails.Failed, send(t.Context()).State, "as the bank writes it: %s", body)
	}
}

// asked returns the result of a status query about our payout.
func asked(t *testing.T, status int, body string) (rails.PayoutStatus, error) {
	t.Helper()
	return bank(t, status, body).PayoutStatus(t.Context(), "AdashiNg-w")
}

func TestOnlyWhatTheBankSaysOfOurReferenceEndsAPayout(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"00", "51", "34", "09"} {
		_, err := asked(t, 200, strings.NewReplacer("CODE", code, "AdashiNg-w", "AdashiNg-other").Replace(fixture(t, "transaction.json")))
		require.ErrorIs(t, err, rails.ErrAnswer, code)
		require.ErrorContains(t, err, "another reference")
		status, err := asked(t, 200, `{"status":"00","data":{"transactionStatus":"`+code+`","amount":"119896.25","sessionId":"s","transactionDate":"2026-11-15 12:00:00.0"}}`)
		require.NoError(t, err)
		require.Equal(t, rails.Pending, status.State, "%s, and it does not say of what", code)
		require.Empty(t, status.Meaning)
	}
	status, err := asked(t, 200, `{"status":"00","data":{"TxnId":"AdashiNg-w","transactionStatus":"51","amount":"119896.25"}}`)
	require.NoError(t, err)
	require.Equal(t, rails.Failed, status.State, "the bank calls our reference its txnId")
	_, err = asked(t, 200, `{"status":"108","message":"No Transaction!","data":{"reference":"AdashiNg-other"}}`)
	require.ErrorIs(t, err, rails.ErrAnswer)
}

func TestACodeThatTheBankDoesNotPublishOrAnAnswerThatIsNoneEndsNoPayout(t *testing.T) {
	t.Parallel()
	whole := fixture(t, "transaction.json")
	for _, code := range []string{"77", "68", "97", "104", "403", "503", "ABC", "5"} {
		status, err := asked(t, 200, strings.ReplaceAll(whole, "CODE", code))
		require.NoError(t, err)
		require.Equal(t, rails.Pending, status.State, code)
	}
	for _, code := range []string{"03", "05", "06", "08", "13", "14", "15", "16", "17", "18", "21", "30", "57", "58", "61", "65", "69", "70", "71", "81", "92"} {
		status, err := asked(t, 200, strings.ReplaceAll(whole, "CODE", code))
		require.NoError(t, err)
		require.Equal(t, rails.Failed, status.State, "%s is published: the money is put back", code)
	}
	for _, code := range []int{401, 403, 408, 429, 500, 502, 503, 504} {
		for _, body := range []string{strings.ReplaceAll(whole, "CODE", "51"), strings.ReplaceAll(whole, "CODE", "00"), fixture(t, "nosuch.json")} {
			status, err := asked(t, code, body)
			require.NoError(t, err)
			require.Equal(t, rails.Pending, status.State, "%d", code)
		}
	}
	status, err := asked(t, 200, strings.Replace(strings.ReplaceAll(whole, "CODE", "51"), `"119896.25"`, `119896.25`, 1))
	require.NoError(t, err)
	require.Equal(t, rails.Pending, status.State, "an amount that is no text")
	status, err = asked(t, 200, `{"status":"404","message":"Integration not found"}`)
	require.NoError(t, err)
	require.Equal(t, rails.Pending, status.State)
}

func TestOnlyAReversalOfTheWholePayoutThatIsDoneIsOne(t *testing.T) {
	t.Parallel()
	paid := strings.ReplaceAll(fixture(t, "transaction.json"), "CODE", "00")
	const data = `{"status":"00","message":"Successful","data":{"reference":"%s","amount":"%s","transactionStatus":"%s"}}`
	for name, c := range map[string]struct {
		answer string
		said   string
	}{
		"nothing in a list":             {`{"status":"00","message":"Successful","data":[]}`, ""},
		"nothing in an object":          {`{"status":"00","message":"No reversal","data":{}}`, ""},
		"nothing":                       {`{"status":"00","message":"No reversal"}`, ""},
		"not JSON":                      {`<html>`, ""},
		"a code that nobody publishes":  {`{"status":"77","message":"x","data":{"reference":"AdashiNg-w","amount":"119896.25","transactionStatus":"00"}}`, ""},
		"still worked on":               {fmt.Sprintf(data, "AdashiNg-w", "119896.25", "09"), "transactionStatus 09"},
		"not done":                      {fmt.Sprintf(data, "AdashiNg-w", "119896.25", "99"), "transactionStatus 99"},
		"without a code":                {fmt.Sprintf(data, "AdashiNg-w", "119896.25", ""), "not this whole payout's"},
		"of another payout":             {fmt.Sprintf(data, "AdashiNg-other", "119896.25", "00"), "AdashiNg-other"},
		"of nothing that it names":      {fmt.Sprintf(data, "", "119896.25", "00"), "not this whole payout's"},
		"of a part of the money":        {fmt.Sprintf(data, "AdashiNg-w", "1.00", "00"), "₦1.00"},
		"of all but a kobo":             {fmt.Sprintf(data, "AdashiNg-w", "119896.24", "00"), "₦119896.24"},
		"of more than it was":           {fmt.Sprintf(data, "AdashiNg-w", "119896.26", "00"), "₦119896.26"},
		"of an amount that cannot be":   {fmt.Sprintf(data, "AdashiNg-w", "x", "00"), "not this whole payout's"},
		"of an amount that is no text":  {`{"status":"00","data":{"reference":"AdashiNg-w","amount":119896.25,"transactionStatus":"00"}}`, ""},
		"in a list, though it is whole": {`{"status":"00","data":[{"reference":"AdashiNg-w","amount":"119896.25","transactionStatus":"00"}]}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, err := answering("/transactions", paid, "/transactions/reversal", c.answer).serve(t).PayoutStatus(t.Context(), "AdashiNg-w")
			require.NoError(t, err)
			require.Equal(t, rails.Paid, status.State)
			require.False(t, status.Reversed)
			require.Contains(t, status.Meaning, c.said)
			require.Equal(t, c.said == "", status.Meaning == "")
		})
	}
	for _, whole := range []string{fixture(t, "reversal.json"), `{"status":"00","data":{"TxnId":"AdashiNg-w","amount":"119896.25","transactionStatus":"00"}}`} {
		status, err := answering("/transactions", paid, "/transactions/reversal", whole).serve(t).PayoutStatus(t.Context(), "AdashiNg-w")
		require.NoError(t, err)
		require.True(t, status.Reversed)
	}
}

// We discover a stale token with a query, and never by giving an order twice.
func TestAnOrderIsNotGivenAgainWithAnotherToken(t *testing.T) {
	t.Parallel()
	orders, tokens := 0, 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/token"):
			tokens++
			_, _ = fmt.Fprintf(w, `{"status":"00","data":{"access_token":"t%d"}}`, tokens)
		case strings.HasSuffix(path, "/transfer"):
			orders++
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprint(w, `{"status":"403","message":"Invalid or expired access token"}`)
		case r.Header.Get("AccessToken") == "t1":
			w.WriteHeader(http.StatusForbidden)
		case strings.HasSuffix(path, "/enquiry"):
			_, _ = fmt.Fprint(w, fixture(t, "own_account.json"))
		default:
			_, _ = fmt.Fprint(w, fixture(t, "recipient.json"))
		}
	}))
	t.Cleanup(server.Close)
	send, err := vfd.New(vfd.Options{Host: server.URL}).Prepare(t.Context(), order)
	require.NoError(t, err)
	require.Equal(t, rails.Pending, send(t.Context()).State)
	require.Equal(t, []int{1, 2}, []int{orders, tokens})
}

func TestAFailureOfAnotherPaymentFailsNoPaymentOfOurs(t *testing.T) {
	t.Parallel()
	_, err := bank(t, 200, fixture(t, "transaction-51.json")).Status(t.Context(), "another")
	require.ErrorContains(t, err, "another reference")
}
