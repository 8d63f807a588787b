package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

func TestEveryWayInWhichABankAnswersEndsWellOrInDoubt(t *testing.T) {
	t.Parallel()
	i := product(t)
	at := time.Duration(0)
	for name, c := range map[string]struct {
		manner  sandbox.Manner
		becomes string
	}{
		"00":                           {sandbox.Manner{Code: "00"}, "PAID"},
		"26":                           {sandbox.Manner{Code: "26"}, "PAID"},
		"51":                           {sandbox.Manner{Code: "51"}, "FAILED"},
		"98":                           {sandbox.Manner{Code: "98"}, "FAILED"},
		"99":                           {sandbox.Manner{Code: "99"}, "FAILED"},
		"34":                           {sandbox.Manner{Code: "34"}, "SENT"},
		"35":                           {sandbox.Manner{Code: "35"}, "SENT"},
		"63":                           {sandbox.Manner{Code: "63"}, "SENT"},
		"91":                           {sandbox.Manner{Code: "91"}, "FAILED"},
		"failed, heard of later":       {sandbox.Manner{Code: "91", Answer: sandbox.AnswersSilent}, "FAILED"},
		"01":                           {sandbox.Manner{Code: "01"}, "SENT"},
		"09":                           {sandbox.Manner{Code: "09"}, "SENT"},
		"96":                           {sandbox.Manner{Code: "96"}, "SENT"},
		"500":                          {sandbox.Manner{Code: "500"}, "SENT"},
		"pending for a while":          {sandbox.Manner{Delay: 3 * time.Second}, "PAID"},
		"done, and the answer is lost": {sandbox.Manner{Answer: sandbox.AnswersSilent}, "PAID"},
		"done, and answered in XML":    {sandbox.Manner{Answer: sandbox.AnswersXML}, "PAID"},
		"done, and slow":               {sandbox.Manner{Hold: time.Second}, "PAID"},
		"the order is lost on its way": {sandbox.Manner{Answer: sandbox.AnswersLost}, "SENT"},
		"paid, and sent back":          {sandbox.Manner{Reverse: &at}, "REVERSED"},
		"nobody is there to take it":   {sandbox.Manner{DeadUntil: time.Now().Add(time.Hour)}, "SENT"},
		"done, and it has it already":  {sandbox.Manner{Answer: sandbox.AnswersExists}, "PAID"},
		"done, and we may not":         {sandbox.Manner{Answer: sandbox.AnswersAway}, "PAID"},
		"done, and we ask too often":   {sandbox.Manner{Answer: sandbox.AnswersOften}, "PAID"},
		"done, and it is away":         {sandbox.Manner{Answer: sandbox.AnswersDown}, "PAID"},
		"77, which it never published": {sandbox.Manner{Code: "77"}, "SENT"},
		"failed, it says of another":   {sandbox.Manner{Code: "51", Answer: sandbox.AnswersSilent, Tells: sandbox.TellsAnother}, "SENT"},
		"paid, and half sent back":     {sandbox.Manner{Tells: sandbox.TellsPart}, "PAID"},
		"paid, and being sent back":    {sandbox.Manner{Tells: sandbox.TellsUnfinished}, "PAID"},
		"paid, nobody says when":       {sandbox.Manner{Timeless: true}, "PAID"},
		"sent back, nobody says when":  {sandbox.Manner{Timeless: true, ReturnTimeless: true, Reverse: &at}, "REVERSED"},
		"sent back as a transfer":      {sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer, Reverse: &at}, "REVERSED"},
		"done, answered as not found":  {sandbox.Manner{Answer: sandbox.AnswersMissing}, "PAID"},
		"paid, by a clock years ahead": {sandbox.Manner{Skew: 3 * 365 * 24 * time.Hour}, "PAID"},
		"paid, some of it sent back":   {sandbox.Manner{Keeps: 50_00, Reverse: &at}, "PAID"},
		"paid, its bank was away":      {sandbox.Manner{Refuses: sandbox.BankAway, Calls: acts.CallsNames, DeadUntil: time.Now().Add(3 * time.Second)}, "PAID"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, person := withdrawer(t, i, "Bisi", 1_000)
			c.manner.Account = person.Account
			require.NoError(t, i.Bank.Behave(context.Background(), c.manner))
			id := p.withdraws(1_000).id(t)
			p.endsAs(i, id, person, c.becomes)
		})
	}
}

// endsAs follows a withdrawal of the whole wallet to its end, and beyond.
func (p *person) endsAs(i *boot.Instance, id string, at sandbox.Person, status string) {
	p.Helper()
	ctx := context.Background()
	switch status {
	case "PAID":
		p.becomes(id, "PAID")
		_, err := i.App.Payouts.AskPayout(ctx, id) // Whether it came back.
		require.NoError(p, err)
		require.Equal(p, "PAID", must[object](p, "GET", withdrawals+"/"+id, nil)["status"])
		require.Equal(p, "0.00", p.balance())
	case "FAILED":
		require.NotEmpty(p, p.becomes(id, "FAILED")["reason"])
		p.holds("1000.00")
		p.told("withdrawal_failed")
	case "REVERSED":
		require.Eventually(p, func() bool {
			_, err := i.App.Payouts.AskPayout(ctx, id) // The job would ask ten minutes later.
			require.NoError(p, err)
			return must[object](p, "GET", withdrawals+"/"+id, nil)["status"] == "REVERSED"
		}, time.Minute, 50*time.Millisecond)
		p.holds("1000.00")
		p.told("withdrawal_failed")
	default:
		p.becomes(id, "SENT")
		p.inDoubt(i, id, at)
	}
	orders, _ := atTheBank(p, i.Pool, at.Account)
	require.LessOrEqual(p, orders, 1)
	require.Equal(p, 1, eventsOf(p, i.Pool, p.id, "WithdrawalSent"))
}

// inDoubt is how a payout of which the bank does not say how it ended stands: it is asked about, and is never sent
// again.
func (p *person) inDoubt(i *boot.Instance, id string, at sandbox.Person) {
	p.Helper()
	ctx := context.Background()
	desk := scene{i: i}.staff(p.TB.(*testing.T), "Femi", people.RoleFinanceOps)
	orders, _ := atTheBank(p, i.Pool, at.Account)
	view := must[object](desk, "POST", payoutsDesk+"/"+id+"/query", object{})
	require.Equal(p, "SENT", view["status"])
	require.GreaterOrEqual(p, view["tries"], 1.0)
	require.NotEmpty(p, view["answer"])
	if answer := view["answer"].(string); strings.Contains(answer, "transactionStatus 34") || strings.Contains(answer, "transactionStatus 35") || strings.Contains(answer, "transactionStatus 63") {
		require.Contains(p, answer, "Ask the bank whether it left our account")
	}
	for _, later := range []time.Duration{5 * time.Minute, 14 * time.Minute} {
		_, err := i.App.At(time.Now().Add(later)).Payouts.AskPayout(ctx, id)
		require.NoError(p, err)
		require.NoError(p, i.App.Payouts.SendPayouts(ctx))
		require.Equal(p, "SENT", must[object](p, "GET", withdrawals+"/"+id, nil)["status"], later)
	}
	_, err := i.App.At(time.Now().Add(16*time.Minute)).Payouts.AskPayout(ctx, id)
	require.NoError(p, err)
	if orders == 0 { // Twice, 15 minutes apart, the bank knows of none.
		require.Eventually(p, func() bool { // A job may ask at the same moment.
			_, err := i.App.At(time.Now().Add(32*time.Minute)).Payouts.AskPayout(ctx, id)
			require.NoError(p, err)
			return must[object](p, "GET", withdrawals+"/"+id, nil)["status"] == "FAILED"
		}, time.Minute, 50*time.Millisecond)
		require.Contains(p, p.becomes(id, "FAILED")["reason"], "never received")
		p.holds("1000.00")
		return
	}
	require.Equal(p, "SENT", must[object](p, "GET", withdrawals+"/"+id, nil)["status"])
	require.Equal(p, "0.00", p.balance(), "what may have been paid is not given back")
}

func TestTheFinanceDeskSeesWhatIsInDoubtAndItsLooksAreRecorded(t *testing.T) {
	t.Parallel()
	i := product(t)
	desk := scene{i: i}.staff(t, "Femi", people.RoleFinanceOps)
	p, at := withdrawer(t, i, "Bisi", 1_000)
	require.NoError(t, i.Bank.Behave(context.Background(), sandbox.Manner{Account: at.Account, Code: "09"}))
	id := p.withdraws(1_000).id(t)
	p.becomes(id, "SENT")
	found := false
	for after := ""; !found; {
		page := must[object](desk, "GET", payoutsDesk+"?limit=3"+after, nil)
		require.Positive(t, page["count"])
		for _, one := range page["payouts"].([]any) {
			found = found || one.(object)["id"] == id
		}
		next, more := page["next"].(string)
		require.True(t, found || more)
		after = "&before=" + url.QueryEscape(next)
	}
	look := "/api/v1/finance/members/look-up"
	member := must[object](desk, "POST", look, object{"email": p.email, "case": "C-1"})
	require.Equal(t, []any{p.id, "Bisi T.", 1.0, true}, []any{member["userId"], member["name"], member["tier"], member["bvnVerified"]})
	require.Equal(t, 1, eventsOf(t, i.Pool, p.id, "StaffActed"))
	for body, status := range map[*object]int{
		{"email": p.email, "case": "x"}:                       400,
		{"email": "nobody-at-all@example.com", "case": "C-1"}: 404,
		{"email": p.email, "case": "C-1", "more": true}:       400,
	} {
		require.Equal(t, status, desk.ask("POST", look, *body).status)
	}
	require.Equal(t, 403, desk.ask("POST", "/api/v1/finance/members/tier", object{"email": desk.email, "tier": 3, "case": "C-1", "seen": "own"}).status)
	unverified := somebody(t, i, "Eve")
	seen := must[object](desk, "POST", look, object{"email": unverified.email, "case": "C-1"})["version"]
	require.Equal(t, 409, desk.ask("POST", "/api/v1/finance/members/tier", object{"email": unverified.email, "tier": 1, "case": "C-1", "seen": seen}).status)
	require.Equal(t, 403, p.ask("GET", payoutsDesk, nil).status)
}

func TestTheCounterMakesPayoutsGoWrong(t *testing.T) {
	t.Parallel()
	i := product(t)
	p, at := withdrawer(t, i, "Bisi", 2_000)
	for field, wrong := range map[string]url.Values{
		"code": {"code": {"nonsense"}}, "answer": {"answer": {"404"}}, "tells": {"tells": {"nonsense"}}, "refuses": {"dead": {"20"}, "refuses": {"200"}},
	} {
		wrong.Set("payee", at.Account)
		require.Equal(t, http.StatusUnprocessableEntity, p.form("/sandbox/manners", wrong).StatusCode, field)
	}
	require.Equal(t, 303, p.form("/sandbox/manners", url.Values{"payee": {at.Account}, "code": {"51"}}).StatusCode)
	p.becomes(p.withdraws(1_000).id(t), "FAILED")
	require.Equal(t, 303, p.form("/sandbox/manners", url.Values{"payee": {at.Account}, "code": {"00"}}).StatusCode)
	id := p.withdraws(1_000).id(t)
	p.becomes(id, "PAID")
	var row int
	require.NoError(t, i.Pool.QueryRow(context.Background(), `SELECT id FROM sandbox_payouts WHERE account_number = $1 AND code = '00'`, at.Account).Scan(&row))
	require.Equal(t, 303, p.form(fmt.Sprintf("/sandbox/payouts/%d/reverse", row), url.Values{}).StatusCode)
	require.Equal(t, 422, p.form(fmt.Sprintf("/sandbox/payouts/%d/reverse", row), url.Values{}).StatusCode)
	_, err := i.App.Payouts.AskPayout(context.Background(), id)
	require.NoError(t, err)
	p.becomes(id, "REVERSED")
	p.holds("2000.00")
}

// TestTheCardGatewayPaysOutToo has a house of its own, whose payouts go by Paystack.
func TestTheCardGatewayPaysOutToo(t *testing.T) {
	t.Parallel()
	cfg, ctx := settings(filepath.Join(t.TempDir(), "data")), context.Background()
	cfg.PayoutRail = config.PayoutPaystack
	i, err := boot.Start(ctx, cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	secrets, err := i.Config.Secrets()
	require.NoError(t, err)
	p, at := withdrawer(t, i, "Bisi", 10_000)
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{Account: at.Account, Delay: 3 * time.Second, Twice: true}))
	id := p.withdraws(6_000).id(t)
	p.becomes(id, "SENT")
	gateway := nobody(t, i.Address)
	for name, c := range map[string]struct {
		body, key string
		status    int
	}{
		"somebody else's signature": {transferWebhook("success", id, 5_973_12, "NGN"), "another key", 403},
		"a kobo too much":           {transferWebhook("success", id, 5_973_13, "NGN"), secrets.SandboxPaystackKey, 409},
		"dollars":                   {transferWebhook("success", id, 5_973_12, "USD"), secrets.SandboxPaystackKey, 409},
		"none of ours":              {transferWebhook("success", uuid.NewString(), 5_973_12, "NGN"), secrets.SandboxPaystackKey, 404},
		"no id":                     {transferWebhook("success", "x", 5_973_12, "NGN"), secrets.SandboxPaystackKey, 404},
		"a word before the truth":   {transferWebhook("failed", id, 5_973_12, "NGN"), secrets.SandboxPaystackKey, 200},
	} {
		require.Equal(t, c.status, gateway.ask("POST", cardHook, c.body, "X-Paystack-Signature", signed(c.key, c.body)).status, name)
	}
	require.Equal(t, "SENT", must[object](p, "GET", withdrawals+"/"+id, nil)["status"], "the gateway itself says that it is pending")
	p.becomes(id, "PAID")
	require.Equal(t, "4000.00", p.balance())

	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{Account: at.Account, Code: "51"}))
	require.Equal(t, "Insufficient funds", p.becomes(p.withdraws(1_000).id(t), "FAILED")["reason"])
	at0 := time.Duration(0)
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{Account: at.Account, Reverse: &at0}))
	p.becomes(p.withdraws(1_000).id(t), "REVERSED") // The gateway tells of it by webhook.
	p.holds("4000.00")

	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{DeadUntil: time.Now().Add(time.Hour)}))
	r := p.withdraws(1_000)
	require.Equal(t, 503, r.status)
	require.Contains(t, r.Message, "Nothing was taken")
	require.Equal(t, "4000.00", p.balance())
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{Account: at.Account, Answer: sandbox.AnswersLost}))
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{}))
	p.endsLost(i, p.withdraws(1_000).id(t))
	soundLedger(t, i.Pool)
	p.balancesWithTheBank(i)
}

// endsLost is an order that never came to the gateway: known to be so after two answers 15 minutes apart.
func (p *person) endsLost(i *boot.Instance, id string) {
	p.Helper()
	p.becomes(id, "SENT")
	for _, later := range []time.Duration{time.Minute, 20 * time.Minute} {
		_, err := i.App.At(time.Now().Add(later)).Payouts.AskPayout(context.Background(), id)
		require.NoError(p, err)
	}
	p.becomes(id, "FAILED")
	p.holds("4000.00")
}

// balancesWithTheBank holds that what the ledger says went out of the gateway's account is what did.
func (p *person) balancesWithTheBank(i *boot.Instance) {
	p.Helper()
	ctx := context.Background()
	var ledger, bank int64
	require.NoError(p, i.Pool.QueryRow(ctx, `SELECT coalesce(sum(amount + fee), 0)::bigint FROM sandbox_payouts WHERE rail = 'paystack' AND code IN ('00', '26') AND reversed_at IS NULL`).Scan(&bank))
	_, err := i.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(p, err)
	require.NoError(p, i.Pool.QueryRow(ctx, `SELECT balance FROM ledger_accounts WHERE account = 'bank:card'`).Scan(&ledger))
	require.EqualValues(p, 5_973_12+25_00, bank)
	// The gateway keeps its fee for the payout that came back.
	require.Equal(p, bank+10_00, ledger)
}

func transferWebhook(event, reference string, kobo int, currency string) string {
	return fmt.Sprintf(`{"event":"transfer.%s","data":{"id":9,"status":%q,"reference":%q,"amount":%d,"currency":%q,"transfer_code":"TRF_x"}}`, event, event, reference, kobo, currency)
}

func TestWhileTheBankIsDownNothingIsSentAndThenOnce(t *testing.T) {
	t.Parallel()
	cfg, ctx := settings(filepath.Join(t.TempDir(), "data")), context.Background()
	i, err := boot.Start(ctx, cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	p, at := withdrawer(t, i, "Bisi", 10_000)
	require.Equal(t, 200, p.ask("POST", withdrawals+"/quote", object{"amount": 6_000}).status)
	made := p.withdraws(6_000)
	require.NoError(t, i.Bank.Behave(ctx, sandbox.Manner{DeadUntil: time.Now().Add(4 * time.Second)}))
	id := made.id(t)
	held := must[object](p, "GET", "/api/Wallet/GetWalletBalance/", nil)
	require.Contains(t, []any{6_000.0, 0.0}, held["held"])
	p.becomes(id, "PAID")
	orders, kobo := atTheBank(t, i.Pool, at.Account)
	require.Equal(t, 1, orders)
	require.EqualValues(t, 5_973_12, kobo)
	require.Equal(t, 1, eventsOf(t, i.Pool, p.id, "WithdrawalSent"))
}
