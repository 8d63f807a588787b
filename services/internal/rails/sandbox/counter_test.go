package sandbox_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

var (
	formOf   = regexp.MustCompile(`(?s)<form method="post" action="([^"]+)".*?</form>`)
	selectOf = regexp.MustCompile(`(?s)<select id="([^"]+)" name="([^"]+)".*?</select>`)
	optionOf = regexp.MustCompile(`<option value="([^"]*)">([^<]+)</option>`)
	tickOf   = regexp.MustCompile(`<label class="tick"><input type="checkbox" name="([^"]+)" value="1"`)
	inputOf  = regexp.MustCompile(`<input id="([^"]+)"`)
	idOf     = regexp.MustCompile(` id="([^"]+)"`)
)

func (b *bundle) counterPage(t *testing.T) string {
	t.Helper()
	code, body, _ := b.page(t, "GET", b.base+"/sandbox/", nil)
	require.Equal(t, 200, code)
	return body
}

func (b *bundle) posts(t *testing.T, path string, form url.Values) {
	t.Helper()
	code, body, _ := b.page(t, "POST", b.base+path, form)
	require.Equal(t, 303, code, "%s %v: %s", path, form, regexp.MustCompile(`role="alert">[^<]*`).FindString(body))
}

const wellBehaved = "To everybody: as it should."

func TestEachMannerIsChosenAtTheCounter(t *testing.T) {
	t.Parallel()
	b := setup(t)
	body := b.counterPage(t)
	require.Contains(t, body, wellBehaved)
	var form string
	for _, m := range formOf.FindAllStringSubmatch(body, -1) {
		if m[1] == "/sandbox/manners" {
			form = m[0]
		}
	}
	chosen := 0
	choose := func(name, value string, differs bool) {
		choice := url.Values{name: {value}}
		if name == "calls" || name == "refuses" {
			choice.Set("dead", "20")
		}
		b.posts(t, "/sandbox/manners", choice)
		require.Equal(t, !differs, strings.Contains(b.counterPage(t), wellBehaved), "%s %q", name, value)
		b.posts(t, "/sandbox/behave-again", nil)
		chosen++
	}
	for _, s := range selectOf.FindAllStringSubmatch(form, -1) {
		for n, option := range optionOf.FindAllStringSubmatch(s[0], -1) {
			choose(s[2], option[1], n > 0 || s[2] == "calls" || s[2] == "refuses")
		}
	}
	for _, tick := range tickOf.FindAllStringSubmatch(form, -1) {
		choose(tick[1], "1", true)
	}
	require.Greater(t, chosen, 80)
	require.Contains(t, b.counterPage(t), wellBehaved)

	b.posts(t, "/sandbox/manners", url.Values{"payee": {ada}, "rail": {"vfd"}, "keeps": {"50"}, "skew": {"94608000"}, "timeless": {"1"}})
	require.Contains(t, b.counterPage(t), "To account "+ada+", at the bank: ₦50.00 of a return is kept; times are left out; times are 1095 days too late.")
	for field, wrong := range map[string]url.Values{"keeps": {"keeps": {"much"}}, "calls": {"dead": {"20"}, "calls": {"all"}}} {
		code, body, _ := b.page(t, "POST", b.base+"/sandbox/manners", wrong)
		require.Equal(t, 422, code, field)
		require.Contains(t, body, `role="alert"`)
	}
}

func TestEverythingAtTheCounterHasALabel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.card(t, "card-1", sandbox.Telling{Silent: true})
	_, err := b.bank.Disputes(t.Context(), sandbox.CardDispute{Reference: "card-1", Silent: true})
	require.NoError(t, err)
	checkout := b.start(t, b.paystack, "card-2", naira).CheckoutURL
	_, card, _ := b.page(t, "GET", checkout, nil)
	for _, body := range []string{b.counterPage(t), card} {
		ids := map[string]int{}
		for _, m := range idOf.FindAllStringSubmatch(body, -1) {
			ids[m[1]]++
		}
		for id, times := range ids {
			require.Equal(t, 1, times, "the id %s", id)
		}
		for _, m := range append(selectOf.FindAllStringSubmatch(body, -1), inputOf.FindAllStringSubmatch(body, -1)...) {
			require.Contains(t, body, `<label for="`+m[1]+`">`, m[1])
		}
		for _, m := range regexp.MustCompile(`aria-describedby="([^"]+)"`).FindAllStringSubmatch(body, -1) {
			require.Equal(t, 1, ids[m[1]], m[1])
		}
	}
}

func TestTheCounterDoesWhatIsAskedThere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	account := b.start(t, b.vfd, "ref-1", 5_000*naira).AccountNumber
	b.posts(t, "/sandbox/send", url.Values{
		"account": {account}, "amount": {"5000"}, "sender": {"Ada Obi"}, "from_bank": {"082"}, "from_account": {ada}, "dated": {"94608000"}, "hook_late": {"3600"}, "asked_late": {"60"},
	})
	require.Equal(t, rails.Unknown, b.status(t, b.vfd, "ref-1").State)
	b.pass(hour)
	require.NoError(t, b.bank.Deliver(t.Context()))
	require.Contains(t, string(b.hook(t).body), `"originator_account_number":"1111111103"`)
	require.Equal(t, b.now().Add(3*365*day-hour), b.status(t, b.vfd, "ref-1").PaidAt)
	require.Contains(t, b.counterPage(t), "₦5,000.00</span> at the bank")
	b.posts(t, "/sandbox/recall", url.Values{"reference": {"ref-1"}})
	require.Zero(t, b.held(t, sandbox.VFD))
	require.Contains(t, b.counterPage(t), "sent, and taken back")
	pending := b.start(t, b.vfd, "ref-2", naira).AccountNumber
	b.posts(t, "/sandbox/send", url.Values{"account": {pending}, "amount": {"1"}, "sender": {"Bola"}, "fail": {"09"}})
	require.Equal(t, rails.Pending, b.status(t, b.vfd, "ref-2").State)

	checkout := b.start(t, b.paystack, "card-1", 5_000*naira).CheckoutURL
	b.posts(t, strings.TrimPrefix(checkout, b.base), url.Values{"action": {"pay"}, "hook_late": {"3600"}})
	b.hush(t)
	b.posts(t, "/sandbox/says", url.Values{"reference": {"card-1"}, "first": {"failed"}, "then": {"truth"}})
	require.Equal(t, rails.Failed, b.status(t, b.paystack, "card-1").State)
	require.Equal(t, rails.Paid, b.status(t, b.paystack, "card-1").State)
	b.posts(t, "/sandbox/take-back", url.Values{"reference": {"card-1"}, "amount": {"1000"}, "delay": {"864000"}, "fails": {"1"}, "early": {"1"}, "turns": {"1"}})
	event, _ := b.heard(t)
	require.Equal(t, "refund.pending", event)
	require.True(t, b.status(t, b.paystack, "card-1").WentBack, "it is called reversed")
	b.posts(t, "/sandbox/disputes", url.Values{"reference": {"card-1"}, "amount": {"2000"}, "category": {"fraud"}, "hook_late": {"86400"}})
	b.hush(t)
	_, told := b.asks(t, sandbox.Paystack, "GET", "/dispute", nil)
	require.EqualValues(t, 200_000, told["data"].([]any)[0].(object)["refund_amount"])
	b.posts(t, "/sandbox/behave-again", nil)
	require.Equal(t, rails.Paid, b.status(t, b.paystack, "card-1").State)

	b.posts(t, "/sandbox/names", url.Values{"account": {ada}, "bank": {"082"}, "first_name": {"Eve"}, "last_name": {"Thief"}})
	b.posts(t, "/sandbox/people", url.Values{"first_name": {"Pere"}, "last_name": {"Puppet"}, "bank": {"082"}, "account": {"1234567890"}, "owner": {"22222222223"}})
	owner, err := b.bank.Owner(t.Context(), sandbox.Account{Bank: "082", Number: "1234567890"})
	require.NoError(t, err)
	require.Equal(t, "EVE", strings.Fields(owner.Name())[1])
	require.Contains(t, b.counterPage(t), "truly the account of the person with BVN")
}

func TestAMannerLastsUntilTheBankBehavesAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.behaves(t, sandbox.Manner{Rail: sandbox.Paystack, Tells: sandbox.TellsAnother, DeadUntil: b.now().Add(hour), Calls: sandbox.CallsBooks})
	b.behaves(t, sandbox.Manner{Account: ada, Rail: sandbox.VFD, Code: "51", Hold: time.Millisecond})
	bad := b.paid(t, sandbox.VFD)
	require.Equal(t, rails.Failed, b.payout(t, b.vfd, bad).State, "the account's own manner comes first")
	require.NoError(t, b.bank.Says(t.Context(), bad, "09"))
	require.NoError(t, b.bank.BehaveAgain(t.Context()))
	require.Equal(t, rails.Failed, b.payout(t, b.vfd, bad).State, "what was done stays done")
	require.Equal(t, rails.Paid, b.payout(t, b.vfd, b.paid(t, sandbox.VFD)).State)
	require.Equal(t, fmt.Sprint(-5_973_12), fmt.Sprint(int64(b.held(t, sandbox.VFD))))
}
