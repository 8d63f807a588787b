package payouts

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/vfd"
)

var update = flag.Bool("update", false, "write the table into docs/rules.md")

// The texts of the table in docs/rules.md.
var (
	sayings = [saysLast]string{
		saysNothing: "nothing: it cannot be reached, is away, or answers too late", saysPending: "that it is at work on it, or what decides nothing", saysUnknown: "that it has no such payout",
		saysNever: "so again, 15 minutes later", saysFailed: "that it failed", saysPaid: "that it has paid the whole", saysReturned: "that the whole came back", saysOther: "another amount, or another payment of its own",
		statementOut: "on its statement, for a day: the whole out, under a reference that failed", statementLeft: "on its statement, for a day: the whole out, and in again", statementBack: "on its statement: the whole in again", statementPart: "on its statement: another amount in again, or anything after that",
	}
	standings = [over + 1]string{waiting: "to be sent anew, its group suspended", ready: "to be sent anew", sent: "sent", failed: "failed, a group's", paid: "paid", closed: "paid, and its member's account closed or their data destroyed", over: "over"}
	doings    = map[deed]doing{
		leaves:         {"nothing", "nobody", "nobody"},
		waits:          {"nothing; it is not sent while the bank may pay the first", "nobody yet", "the desk, after ten minutes"},
		keeps:          {"nothing; it stays set aside", "nobody: it did not leave", "the approvers, who release it or send it anew"},
		asksAgain:      {"nothing; the bank is asked again", "nobody yet", "the desk, after ten minutes"},
		asksAfterPaid:  {"nothing; the bank is asked for three days whether it came back", "nobody", "nobody"},
		doubts:         {"nothing; the bank is asked again", "the desk finds out", "the desk"},
		fails:          {"WithdrawalFailed, LiquidationFailed or SendBackFailed", "nobody: it did not leave", "the member, the group's people, or the desk"},
		pays:           {"WithdrawalPaidV2, LiquidationPaidV2 or SendBackPaid", "nobody; the bank's charge is Adashi's", "the member, the group's people, or the member whose money went back"},
		paysAndReturns: {"that it was paid, and WithdrawalReversedV2, LiquidationReversedV3 or SendBackReturned", "Adashi, what the bank took", "the member, the group's people, or the desk"},
		returns:        {"WithdrawalReversedV2, LiquidationReversedV3 or SendBackReturned", "Adashi, what the bank took", "the member, the group's people, or the desk"},
		returnsToDesk:  {"WithdrawalReversedV2 or LiquidationReversedV3, and ReturnedMoneyParkedV2", "Adashi, what the bank took; the desk finds out whose the money is", "the desk"},
		loses:          {"FailedPayoutLeft, and FailedPayoutReturned of what comes back", "Adashi", "the desk"},
		parks:          {"UnmatchedMoneyReceivedV2", "the desk finds out who bears the rest", "the desk"},
	}
)

// doing describes a deed: the record, who bears a loss, and who gets a notice.
type doing struct{ records, bears, told string }

// answer is a provider's answer about a payout of ₦989.25 under the reference "Adashi-w".
type answer struct {
	status int
	body   string
}

func vfdSays(code string) answer {
	return answer{200, `{"status":"00","message":"x","data":{"reference":"Adashi-w","sessionId":"S","txnId":"T","amount":"989.25","transactionStatus":"` + code + `","transactionDate":"2026-07-01 10:00:00.0"}}`}
}

func paystackSays(status string) answer {
	return answer{200, `{"status":true,"message":"x","data":{"status":"` + status + `","reference":"Adashi-w","transfer_code":"TRF","amount":98925,"currency":"NGN","transferred_at":"2026-07-01T10:00:00Z"}}`}
}

// played are the answers to a question about a sent payout, by their meaning. The first row of each provider lists its
// published codes or statuses.
func played() map[says]map[string][]answer {
	codes := func(list string) (all []answer) {
		for _, code := range strings.Fields(list) {
			all = append(all, vfdSays(code))
		}
		return all
	}
	statuses := func(list string) (all []answer) {
		for _, status := range strings.Fields(list) {
			all = append(all, paystackSays(status))
		}
		return all
	}
	refused := []answer{{400, `{"status":"x","message":"Transaction Exist"}`}, {401, `{}`}, {403, `{}`}, {408, `{}`}, {429, `{}`}, {500, `{}`}, {502, `<html>`}, {503, `{}`}, {504, ``}}
	return map[says]map[string][]answer{
		saysPaid:   {"vfd": codes("00 26"), "paystack": statuses("success")},
		saysFailed: {"vfd": codes("03 05 06 07 08 12 13 14 15 16 17 18 21 30 51 57 58 61 65 69 70 71 81 91 92 98 99"), "paystack": statuses("failed abandoned rejected blocked")},
		saysPending: {
			"vfd":      slices.Concat(codes("01 02 09 25 34 35 63 68 94 96 97 500 77"), refused, []answer{{200, `[]`}, {200, `{}`}, {200, `<xml/>`}, {200, `{"status":"00","data":{}}`}, {404, `{"status":"104","message":"Not found"}`}}),
			"paystack": slices.Concat(statuses("pending otp processing received queued"), refused, []answer{{200, `[]`}, {200, `{}`}, {200, `{"status":true,"data":{}}`}, {404, `{"status":false,"message":"Integration not found"}`}, {404, `{"status":false,"message":"Recipient not found"}`}, {400, `{"status":false,"message":"Transfer not found"}`}}),
		},
		saysUnknown:  {"vfd": {{200, `{"status":"108","message":"No Transaction!"}`}}, "paystack": {{404, `{"status":false,"message":"Transfer not found"}`}}},
		saysReturned: {"paystack": statuses("reversed")},
		saysOther: {
			"vfd":      {{200, strings.Replace(vfdSays("00").body, "989.25", "989.24", 1)}},
			"paystack": {{200, strings.Replace(paystackSays("success").body, "98925", "98924", 1)}, {200, strings.Replace(paystackSays("success").body, "NGN", "USD", 1)}},
		},
	}
}

// payers returns the providers' clients, connected to a bank that gives this answer and knows no return.
func payers(t *testing.T, a answer) map[string]rails.Payer {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, "/token"):
			_, _ = fmt.Fprint(w, `{"status":"00","data":{"access_token":"t"}}`)
		case strings.HasSuffix(r.URL.Path, "/reversal"):
			_, _ = fmt.Fprint(w, `{"status":"108","message":"No Transaction!"}`)
		default:
			w.WriteHeader(a.status)
			_, _ = fmt.Fprint(w, a.body)
		}
	}))
	t.Cleanup(server.Close)
	return map[string]rails.Payer{
		"vfd":      vfd.New(vfd.Options{Host: server.URL, ConsumerKey: "k", ConsumerSecret: "s", WalletName: "Adashi"}),
		"paystack": paystack.New(paystack.Options{Host: server.URL, SecretKey: "sk"}),
	}
}

// heardOf is the service's interpretation of a client's answer about a sent payout.
func heardOf(t *testing.T, payer rails.Payer) says {
	t.Helper()
	w := outgoing{Stands: sent, Net: 989_25 * money.Kobo(1), References: []string{"Adashi-w"}}
	status, err := payer.PayoutStatus(context.Background(), "Adashi-w")
	if fault.Is(err, fault.Unavailable) {
		return saysNothing
	}
	if err != nil {
		require.ErrorIs(t, err, rails.ErrAnswer)
		return saysPending
	}
	status = w.believed(status)
	said := bankSays{PayoutStatus: status}
	if w.hasPaid(status) {
		said.Reference = "Adashi-w"
	}
	return w.saying(said, false)
}

func TestEachAnswerOfEachProviderSaysWhatTheTableHasOfIt(t *testing.T) {
	t.Parallel()
	for want, of := range played() {
		for provider, answers := range of {
			for _, a := range answers {
				got := heardOf(t, payers(t, a)[provider])
				ok := got == want || want == saysPending && got == saysNothing
				require.True(t, ok, "%s answered HTTP %d %s: %q, not %q", provider, a.status, a.body, sayings[got], sayings[want])
			}
		}
	}
	for name, payer := range payers(t, vfdSays("51")) { // A return of another's reference, or none, ends nothing.
		require.NotEqual(t, saysReturned, heardOf(t, payer), name)
	}
}

// bad returns values of an answer's fields that no bank should send.
func bad() []any {
	return []any{
		nil, "", "x", 12.5, -1, 0, 98925.5, "989.255", "-989.25", "1e9", true,
		[]any{},
		map[string]any{},
		"USD", "EUR", "2019-01-01 00:00:00.0", "2019-01-01T00:00:00Z", "2099-01-01T00:00:00Z",
		"00", "108", "another-w", strings.Repeat("9", 400),
	}
}

// spoilt returns variants of an answer: each of its fields, and of its data's fields, missing or bad, one at a time,
// and one with data twice.
func spoilt(t *testing.T, a answer) (all []answer) {
	t.Helper()
	with := func(change func(whole, data map[string]any)) {
		var whole map[string]any
		require.NoError(t, json.Unmarshal([]byte(a.body), &whole))
		change(whole, whole["data"].(map[string]any))
		body, err := json.Marshal(whole)
		require.NoError(t, err)
		all = append(all, answer{a.status, string(body)})
	}
	var whole map[string]any
	require.NoError(t, json.Unmarshal([]byte(a.body), &whole))
	for _, of := range []func(whole, data map[string]any) map[string]any{
		func(whole, _ map[string]any) map[string]any { return whole }, func(_, data map[string]any) map[string]any { return data },
	} {
		names := slices.Collect(maps.Keys(of(whole, whole["data"].(map[string]any))))
		for _, name := range append(names, "currency", "fee", "fee_charged", "updatedAt") {
			with(func(whole, data map[string]any) { delete(of(whole, data), name) })
			for _, value := range bad() {
				if code, is := value.(string); !is || name != "transactionStatus" || len(code) != 2 && code != "108" {
					with(func(whole, data map[string]any) { of(whole, data)[name] = value })
				}
			}
		}
	}
	twice := strings.Replace(a.body, `"data":{`, `"data":{"reference":"another-w"},"data":{`, 1)
	return append(all, answer{a.status, twice}, answer{a.status, a.body + a.body}, answer{a.status, "[" + a.body + "]"})
}

// A field that no bank should send may leave a payout in doubt. It never ends one differently from the unspoilt answer,
// and never as paid in another amount or currency.
func TestABadFieldOfAnAnswerEndsNoPayoutOtherwise(t *testing.T) {
	t.Parallel()
	for provider, answers := range map[string]map[says]answer{
		"vfd":      {saysPaid: vfdSays("00"), saysFailed: vfdSays("51"), saysPending: vfdSays("09")},
		"paystack": {saysPaid: paystackSays("success"), saysFailed: paystackSays("failed"), saysReturned: paystackSays("reversed"), saysPending: paystackSays("pending")},
	} {
		for says, a := range answers {
			for _, b := range spoilt(t, a) {
				got := heardOf(t, payers(t, b)[provider])
				if strings.Contains(b.body, `"reference":"another-w"`) && !strings.Contains(b.body, "Adashi-w") {
					require.Equal(t, saysPending, got, "%s answered of another reference: %s", provider, b.body)
				}
				if got == says || got == saysPending || got == saysNothing || got == saysOther {
					continue
				}
				// A return without its time looks unpaid, so the payout failed: the money is back either way.
				require.True(t, says == saysReturned && got == saysFailed,
					"%s answered %s: %q, and %q without it", provider, b.body, sayings[got], sayings[says])
			}
		}
	}
}

func TestNoPairOfThePayoutTableIsLeftOut(t *testing.T) {
	t.Parallel()
	used := map[deed]bool{}
	for saying := range saysLast {
		require.NotEmpty(t, sayings[saying])
		for at := waiting; at <= over; at++ {
			does := deeds[saying][at]
			require.NotZero(t, does, "%s, of a payout that is %s", sayings[saying], standings[at])
			used[does] = true
		}
		require.Zero(t, deeds[saying][none], "there is no such payout")
		require.Contains(t, []deed{leaves, loses}, deeds[saying][over])
	}
	require.Len(t, used, len(doings))
	for at, does := range deeds[statementPart] {
		require.False(t, does == returns || does == returnsToDesk || does == paysAndReturns, "%s: a part puts no whole back", standings[at])
	}
}

const begin, end = "<!-- payouts: `go test ./internal/payouts -run PayoutTable -update` in `services` -->\n", "<!-- payouts end -->\n"

// TestThePayoutTableIsWhatIsWrittenDown compares docs/rules.md with the table that the service uses.
func TestThePayoutTableIsWhatIsWrittenDown(t *testing.T) {
	t.Parallel()
	page := filepath.Join("..", "..", "..", "docs", "rules.md")
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found)
	want := before + begin + written() + end + after
	if *update {
		require.NoError(t, os.WriteFile(page, []byte(want), 0o600))
		return
	}
	require.Equal(t, want, string(text), "run with -update if it is meant")
}

func written() string {
	var b strings.Builder
	b.WriteString("| the bank says | the payout is | we record | who bears it | who is told |\n|---|---|---|---|---|\n")
	for saying := range saysLast {
		for at := waiting; at <= over; at++ {
			d := doings[deeds[saying][at]]
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", sayings[saying], standings[at], d.records, d.bears, d.told)
		}
	}
	b.WriteString("\nWhat the answers about a payout say, by VFD's `transactionStatus` and Paystack's `status`:\n\n| it says | VFD | Paystack |\n|---|---|---|\n")
	answers := played()
	for saying := range saysLast {
		if of, is := answers[saying]; is {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", sayings[saying], shown(of["vfd"]), shown(of["paystack"]))
		}
	}
	return b.String()
}

// shown formats answers briefly: a code or a status, else HTTP's and the body.
func shown(all []answer) string {
	var words []string
	for _, a := range all {
		code := fmt.Sprintf("HTTP %d `%s`", a.status, a.body)
		for _, mark := range []string{`"transactionStatus":"`, `"data":{"status":"`} {
			if _, rest, found := strings.Cut(a.body, mark); found {
				code, _, _ = strings.Cut(rest, `"`)
			}
		}
		if strings.Contains(a.body, "989.24") || strings.Contains(a.body, "98924") {
			code += " of another amount"
		} else if strings.Contains(a.body, "USD") {
			code += " in another currency"
		}
		words = append(words, code)
	}
	return strings.Join(words, ", ")
}
