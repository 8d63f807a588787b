package profile_test

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

func TestABankAccountIsTheOneItsBankNames(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	name := b.ok("ada", "POST", enquiry, form{"account_number": "1111111103", "bank_code": "082"})
	require.Equal(t, "OBI ADA", name["accountName"])
	require.NotEmpty(t, name["warning"], "its check digit is not Keystone's, and that only warns")
	for what, c := range map[string]struct{ number, bank, field string }{
		"unknown": {"9999999999", "082", "account_number"}, "nine": {"111111110", "082", "account_number"}, "no bank": {"1111111103", "", "bank_code"},
	} {
		r := b.ask("ada", "POST", enquiry, form{"account_number": c.number, "bank_code": c.bank})
		require.Equal(t, 400, r.status, what)
		require.Equal(t, c.field, r.field(), what)
	}
	r := b.ask("ada", "POST", update, filled("ada", form{"bankAccountNumber": "9999999999", "bankCode": "082"}))
	require.Equal(t, 400, r.status)
	require.Contains(t, r.Message, "Keystone Bank has no account with this number")
	set := b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	require.Equal(t, "OBI ADA", set["bankAccountName"])
	require.Equal(t, "Keystone Bank", set["bankName"])
	other := filled("ada", form{"bankAccountNumber": "1000074944", "bankCode": "566"})
	r = b.ask("ada", "POST", update, other)
	require.Equal(t, "403 STEP_UP", fmt.Sprint(r.status, " ", r.ReturnedCode))
	require.Equal(t, "1111111103", b.account("ada")["bankAccountNumber"])
	require.Equal(t, "ADE BISI", b.ok("ada+", "POST", update, other)["bankAccountName"])
	require.Equal(t, 1, b.state("ada").Alerts, "the member hears of it")
	kept, err := b.service.Vault.Read(t.Context(), b.callers["ada"].UserID)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), kept.Bank.ChangedAt, time.Minute, "for the day of cooling off")
}

func (b *bundle) state(name string) account.Account {
	b.Helper()
	state, err := b.ledger.Load(b.Context(), account.Stream(b.callers[name].UserID))
	require.NoError(b, err)
	return state.(account.Account)
}

func claim(first, last, number, bvn string) form {
	return form{"account_number": number, "bank_code": "082", "first_name": first, "last_name": last, "bvn": bvn}
}

func TestABvnIsVerifiedWithNameAndAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 18)
	b.joins("eve", "Obi", 30)
	good := claim("Ada", "Obi", "1111111103", "22222222223")
	with := func(field, value string) form {
		out := form{}
		for k, v := range good {
			out[k] = v
		}
		out[field] = value
		return out
	}
	for name, c := range map[string]struct {
		body            form
		field, sentence string
	}{
		"nine digits":    {with("account_number", "111111110"), "account_number", "Please enter a valid 10-digit bank account number before BVN verification"},
		"eleven digits":  {with("account_number", "11111111031"), "account_number", "Please enter a valid 10-digit bank account number before BVN verification"},
		"no bank":        {with("bank_code", ""), "bank_code", "Please select your bank before BVN verification"},
		"ten of a BVN":   {with("bvn", "2222222222"), "bvn", "11 digits"},
		"letters":        {with("bvn", "2222222222a"), "bvn", "11 digits"},
		"other digits":   {with("bvn", "٢٢٢٢٢٢٢٢٢٢٢"), "bvn", "11 digits"},
		"another's name": {with("first_name", "Bisi"), "first_name", "that of your account"},
		"half a name":    {with("last_name", "O"), "last_name", "that of your account"},
		"no such number": {with("account_number", "9999999999"), "account_number", "no account with this number"},
	} {
		r := b.ask("ada", "POST", lookUp, c.body)
		require.Equal(t, 400, r.status, name)
		require.Equal(t, c.field, r.field(), name)
		require.Contains(t, r.Message, c.sentence, name)
	}
	r := b.ask("ada", "POST", lookUp, good)
	require.Equal(t, "Your BVN has been verified successfully", r.Message)
	require.JSONEq(t, `{"status":"VERIFIED","last2":"23"}`, string(r.ReturnedObject))
	a := b.account("ada")
	require.Equal(t, true, a["bvnVerified"])
	require.Equal(t, "•••••••••23", a["bvn"])
	require.Equal(t, "1111111103", a["bankAccountNumber"], "the account that it was verified with is theirs")
	require.Equal(t, account.Verified, b.state("ada").Bvn)
	require.Equal(t, 409, b.ask("ada", "POST", lookUp, good).status, "again")
	require.Equal(t, 409, b.ask("ada", "POST", update, filled("ada", form{"lastName": "Eze"})).status, "the name is the BVN's")

	_, err := b.bank.AddPerson(t.Context(), sandbox.Person{FirstName: "Eve", LastName: "Obi", Account: "1212121212", BankCode: "082"})
	require.NoError(t, err)
	r = b.ask("eve", "POST", lookUp, claim("Eve", "Obi", "1212121212", "22222222223"))
	require.Equal(t, 409, r.status, r.Message)
	require.NotContains(t, strings.ToLower(r.Message), "ada")
	require.Equal(t, "FAILED", b.account("eve")["bvnStatus"])

	undone := b.ok("ada+", "POST", update, filled("ada", form{"bankAccountNumber": "1212121212", "bankCode": "082"}))
	require.Equal(t, "NONE", undone["bvnStatus"], "the account is another's")
	require.Equal(t, account.Unchecked, b.state("ada").Bvn)
}

func TestABvnThatTheBankDoesNotConfirm(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("emeka", "Okoro", 40)
	for range 5 {
		r := b.ask("emeka", "POST", lookUp, claim("Emeka", "Okoro", "1111111113", "22222222227"))
		require.Equal(t, "400 BVN could not be verified. Please try again later", fmt.Sprint(r.status, " ", r.Message))
	}
	r := b.ask("emeka", "POST", lookUp, claim("Emeka", "Okoro", "1111111113", "22222222227"))
	require.Equal(t, "429 TOO_MANY", fmt.Sprint(r.status, " ", r.ReturnedCode))
	require.Equal(t, account.Failed, b.state("emeka").Bvn)
	b.joins("ada", "Obi", 17)
	r = b.ask("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))
	require.Equal(t, 403, r.status)
	require.Contains(t, r.Message, "18")
}

func TestASlowBankIsAskedAgainAndASilentOneForADay(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("chidi", "Eze", 30)
	b.joins("dayo", "Bello", 30)
	for name, c := range map[string]form{"chidi": claim("Chidi", "Eze", "1111111111", "22222222225"), "dayo": claim("Dayo", "Bello", "1111111112", "22222222226")} {
		require.Equal(t, "PENDING", b.ok(name, "POST", lookUp, c)["status"])
		require.Equal(t, 409, b.ask(name, "POST", lookUp, c).status, "one at a time")
	}
	r := b.ask("chidi+", "POST", update, filled("chidi", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
	require.Equal(t, 409, r.status, "the account stays while it is checked")
	require.NoError(t, b.service.AskAgain(t.Context()))
	require.Equal(t, "PENDING", b.account("chidi")["bvnStatus"], "it is not time yet")
	b.pass(21 * time.Second)
	require.NoError(t, b.service.AskAgain(t.Context()))
	require.Equal(t, "VERIFIED", b.account("chidi")["bvnStatus"])
	require.Equal(t, "PENDING", b.account("dayo")["bvnStatus"])
	b.pass(24 * time.Hour)
	require.NoError(t, b.service.AskAgain(t.Context()))
	require.Equal(t, "FAILED", b.account("dayo")["bvnStatus"])
}

// A bank that is down, busy or refuses us gives no verdict; if it stays so, the check ends after a day.
func TestABankThatIsAwayRefusesNobody(t *testing.T) {
	t.Parallel()
	for _, gateway := range []bool{false, true} {
		for _, refuses := range []int{sandbox.BankAway, http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable} {
			b := setup(t, gateway)
			b.joins("ada", "Obi", 30)
			b.ok("ada", "POST", update, filled("ada", form{"bankAccountNumber": "1111111103", "bankCode": "082"}))
			require.NoError(t, b.bank.Behave(t.Context(), sandbox.Manner{Refuses: refuses, DeadUntil: time.Now().Add(72 * time.Hour)}))
			r := b.ask("ada", "POST", enquiry, form{"account_number": "1111111103", "bank_code": "082"})
			require.Equal(t, 503, r.status, "%d: %s", refuses, r.Message)
			mine := claim("Ada", "Obi", "1111111103", "22222222223")
			require.Equal(t, "PENDING", b.ok("ada", "POST", lookUp, mine)["status"], refuses)
			b.pass(21 * time.Second)
			require.NoError(t, b.service.AskAgain(t.Context()))
			require.Equal(t, "PENDING", b.account("ada")["bvnStatus"], refuses)
			b.pass(24 * time.Hour)
			require.NoError(t, b.service.AskAgain(t.Context()))
			require.Equal(t, "FAILED", b.account("ada")["bvnStatus"], "it may be begun again")
			require.NoError(t, b.bank.Behave(t.Context(), sandbox.Manner{}))
			require.NotEqual(t, 409, b.ask("ada", "POST", lookUp, mine).status)
			b.pass(21 * time.Second)
			require.NoError(t, b.service.AskAgain(t.Context()))
			require.Equal(t, "VERIFIED", b.account("ada")["bvnStatus"], refuses)
		}
	}
}

func TestAWebhookThatComesBeforeTheGatewaysAnswerIsHeard(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.joins("dayo", "Bello", 30)
	require.Equal(t, "PENDING", b.ok("dayo", "POST", lookUp, claim("Dayo", "Bello", "1111111112", "22222222226"))["status"])
	// As while the gateway's answer, with its customer id, is still on its way.
	schema, err := vault.Schema(t.Context(), b.pool)
	require.NoError(t, err)
	_, err = b.pool.Exec(t.Context(), "UPDATE "+schema+".checks SET customer = ''")
	require.NoError(t, err)
	tell := func(email, bvn, account string) {
		body := fmt.Sprintf(`{"event":"customeridentification.failed","data":{"customer_code":"CUS_new","email":%q,"identification":{"bvn":%q,"account_number":%q}}}`, email, bvn, account)
		mac := hmac.New(sha512.New, []byte("sk"))
		mac.Write([]byte(body))
		told, err := http.NewRequest(http.MethodPost, b.base+"/api/v1/webhooks/paystack", strings.NewReader(body))
		require.NoError(t, err)
		told.Header.Set("X-Paystack-Signature", hex.EncodeToString(mac.Sum(nil)))
		require.Equal(t, 200, b.do(told, "").status)
	}
	tell("nobody@example.com", "222*****226", "1111111112")
	tell("dayo@example.com", "222*****227", "1111111112")
	tell("dayo@example.com", "222*****226", "1111111113")
	require.Equal(t, "PENDING", b.account("dayo")["bvnStatus"], "they are about others")
	tell("dayo@example.com", "222*****226", "1111111112")
	require.Equal(t, "FAILED", b.account("dayo")["bvnStatus"])
}

func TestTheCardGatewayTellsByWebhook(t *testing.T) {
	t.Parallel()
	b := setup(t, true)
	b.joins("ada", "Obi", 30)
	b.joins("emeka", "Okoro", 40)
	b.ok("ada", "POST", lookUp, claim("Ada", "Obi", "1111111103", "22222222223"))
	b.ask("emeka", "POST", lookUp, claim("Emeka", "Okoro", "1111111113", "22222222227"))
	// A webhook may come before the gateway's answer to us, with a customer id that we do not know yet: the job asks
	// again.
	b.pass(21 * time.Second)
	require.NoError(t, b.service.AskAgain(t.Context()))
	for name, want := range map[string]string{"ada": "VERIFIED", "emeka": "FAILED"} {
		require.Eventually(t, func() bool { return b.account(name)["bvnStatus"] == want }, time.Minute, 10*time.Millisecond, name)
	}
	forged, err := http.NewRequest(http.MethodPost, b.base+"/api/v1/webhooks/paystack", strings.NewReader(`{"event":"customeridentification.success","data":{"customer_code":"x"}}`))
	require.NoError(t, err)
	forged.Header.Set("X-Paystack-Signature", "00")
	require.Equal(t, 403, b.do(forged, "").status)
}
