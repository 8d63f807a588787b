package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

const (
	generate = "/api/Payment/generate-reference"
	makePay  = "/api/Payment/make-payment"
)

func TestAPaymentIsMadeForTheTotalThatWasShownAndByItsOwner(t *testing.T) {
	t.Parallel()
	i := product(t)
	member, other := somebody(t, i, "Bisi"), somebody(t, i, "Chidi")
	quote := must[object](member, "GET", "/api/v1/payment/quote?amount=5000&channel=CARD", nil)
	require.Equal(t, []string{"5000.00", "177.67", "5177.67"}, []string{naira(t, quote["amount"]), naira(t, quote["extraCharges"]), naira(t, quote["total"])})
	for _, amount := range []string{"0", "99.99", "5000.001", "-5", "5e3", "x", "5000001"} {
		require.Equal(t, 400, member.ask("GET", "/api/v1/payment/quote?amount="+amount, nil).status, amount)
	}
	started := must[object](member, "POST", generate, object{"amount": 5000, "channel": "CARD"}, "Idempotency-Key", "one and the same")
	again := must[object](member, "POST", generate, object{"amount": 5000, "channel": "CARD"}, "Idempotency-Key", "one and the same")
	require.Equal(t, started["transactionRef"], again["transactionRef"])
	require.Equal(t, []any{"INITIATED", nil}, []any{started["status"], started["checkoutUrl"]}, "the gateway has not been asked")
	reference := started["transactionRef"].(string)
	for amount, says := range map[any]string{5000: "₦5,177.67 in all", 5177.66: "₦5,177.67 in all", 10000: "₦5,177.67 in all"} {
		r := member.ask("POST", makePay, object{"transactionRef": reference, "amount": amount})
		require.Equal(t, 409, r.status)
		require.Contains(t, r.Message, says)
	}
	for _, somebodyElses := range []string{reference, uuid.NewString(), "'; DROP TABLE events"} {
		require.Equal(t, 404, other.ask("POST", makePay, object{"transactionRef": somebodyElses, "amount": 5177.67}).status)
		require.Equal(t, 404, other.ask("GET", "/api/Payment/verify-transaction/"+url.PathEscape(somebodyElses), nil).status)
	}
	opened := must[object](member, "POST", makePay, object{"transactionRef": reference, "amount": 5177.67})
	require.Equal(t, opened["checkoutUrl"], must[object](member, "POST", makePay, object{"transactionRef": reference, "amount": 5177.67})["checkoutUrl"])
	checkout, err := url.Parse(opened["checkoutUrl"].(string))
	require.NoError(t, err)
	require.Equal(t, 303, member.form(checkout.Path, url.Values{"action": {"pay"}}).StatusCode)
	require.Equal(t, "CONFIRMED", must[object](member, "GET", "/api/Payment/verify-transaction/"+reference, nil)["status"])
	member.holds("5000.00")
	require.Equal(t, "CONFIRMED", must[object](member, "POST", makePay, object{"transactionRef": reference, "amount": 5177.67})["status"], "paid: nothing more happens")
	member.holds("5000.00")
}

func TestAReferenceForASubAccountIsRefusedAsItsPaymentWouldBe(t *testing.T) {
	t.Parallel()
	c := found(t, product(t))
	require.Equal(t, 404, somebody(t, product(t), "Ngozi").ask("POST", generate, object{"amount": 5000, "subAccountId": c.sub}).status)
	started := must[object](c.member, "POST", generate, object{"amount": 5000, "subAccountId": c.sub})
	require.Equal(t, c.sub, started["subAccountId"])
	payment := must[object](c.member, "POST", makePay, object{"transactionRef": started["transactionRef"], "amount": 5000})
	require.Equal(t, 303, c.member.sends(payment, "5000").StatusCode)
	c.owner.told("payment_received")
}

func TestAContributionThatIsRefusedAfterItsPaymentIsToldToItsMember(t *testing.T) {
	t.Parallel()
	c := found(t, product(t))
	payment := must[object](c.member, "POST", rail, object{"amount": 5000, "subAccountId": c.sub, "userId": c.member.id, "monthId": lagosMonth()})
	c.member.funded(5000)
	require.Equal(t, 200, c.member.ask("POST", "/api/Wallet/make-payment-with-wallet", object{"amount": 5000, "subAccountId": c.sub, "userId": c.member.id, "monthId": lagosMonth()}).status)
	require.Equal(t, 303, c.member.sends(payment, "5000").StatusCode)
	c.member.holds("5000.00")
	c.member.told("payment_failed")
	told := string(c.member.ask("GET", "/api/Notification/all", nil).ReturnedObject)
	require.Contains(t, told, "could not take it. You have already paid for")
	require.Contains(t, told, "The money is in your wallet.")
	require.NotContains(t, told, "not been charged")
}

// token is what a payment's card can be charged by, as only the gateway knows it.
func token(t testing.TB, i *boot.Instance, reference any) (code string) {
	t.Helper()
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT 'AUTH_' || access_code FROM sandbox_charges WHERE reference = $1", reference).Scan(&code))
	return code
}

// paysWith pays a started card payment at the checkout.
func (p *person) paysWith(payment object, holds string) {
	p.Helper()
	checkout, err := url.Parse(payment["checkoutUrl"].(string))
	require.NoError(p, err)
	require.Equal(p, 303, p.form(checkout.Path, url.Values{"action": {"pay"}}).StatusCode)
	p.holds(holds)
}

// It runs alone: what is logged meanwhile is its own.
func TestASavedCardIsChargedAndItsTokenIsNowhereButInTheVault(t *testing.T) {
	said := &log{}
	slog.SetDefault(slog.New(slog.NewJSONHandler(said, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(slog.New(slog.DiscardHandler)) })
	i := own(t)
	member, other := somebody(t, i, "Bisi"), somebody(t, i, "Chidi")
	cards := func(p *person) []object { return must[[]object](p, "GET", "/api/v1/wallet/cards", nil) }
	byCard := func(more object) object {
		body := object{"amount": 5000, "email": member.email, "channel": "CARD"}
		for k, v := range more {
			body[k] = v
		}
		return body
	}
	member.paysWith(must[object](member, "POST", fund, byCard(nil)), "5000.00")
	require.Empty(t, cards(member), "kept only when they agree")
	first := must[object](member, "POST", fund, byCard(object{"saveCard": true}))
	member.paysWith(first, "10000.00")
	kept := cards(member)
	require.Len(t, kept, 1)
	require.Equal(t, object{"id": kept[0]["id"], "last4": "4081", "brand": "visa", "bank": "SANDBOX BANK", "expMonth": 12.0, "expYear": 2030.0}, kept[0])
	card := kept[0]["id"]

	for range 2 { // The same wish, twice.
		charged := must[object](member, "POST", fund, byCard(object{"cardId": card}), "Idempotency-Key", "once again")
		require.Equal(t, "CONFIRMED", charged["status"])
		require.Nil(t, charged["checkoutUrl"])
	}
	member.holds("15000.00")
	reference := must[object](member, "POST", generate, object{"amount": 1000, "channel": "CARD"})["transactionRef"]
	require.Equal(t, "CONFIRMED", must[object](member, "POST", makePay, object{"transactionRef": reference, "amount": 1015.23, "cardId": card})["status"])
	member.holds("16000.00")
	for name, r := range map[string]reply{
		"somebody else's card":   other.ask("POST", fund, object{"amount": 5000, "email": other.email, "channel": "CARD", "cardId": card}),
		"somebody else's delete": other.ask("DELETE", "/api/v1/wallet/cards/"+card.(string), nil),
		"no such card":           member.ask("POST", fund, byCard(object{"cardId": "x"})),
	} {
		require.Equal(t, 404, r.status, name)
	}
	require.Equal(t, 400, member.ask("POST", fund, object{"amount": 5000, "email": member.email, "cardId": card}).status, "a transfer has no card")
	open := must[object](member, "POST", fund, byCard(nil))
	require.Equal(t, 409, member.ask("POST", makePay, object{"transactionRef": open["transactionRef"], "amount": 5177.67, "cardId": card}).status, "its card page is open: it might be paid twice")

	secret := token(t, i, first["transactionRef"])
	for where, text := range everything(t, i) {
		require.NotContains(t, text, secret, where)
		require.NotContains(t, text, fmt.Sprintf("%x", secret), where)
	}
	require.NotContains(t, said.String(), secret, "the log")
	var sealed string
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT string_agg(c::text, '') FROM vault.cards c").Scan(&sealed))
	require.NotContains(t, sealed, fmt.Sprintf("%x", secret), "and there it is sealed")
	require.NotContains(t, sealed, fmt.Sprintf("%x", "4081"))

	require.NoError(t, i.Bank.BlockCard(context.Background(), secret))
	declined := must[object](member, "POST", fund, byCard(object{"cardId": card}))
	require.Equal(t, []any{"FAILED", "Declined"}, []any{declined["status"], declined["reason"]})
	member.holds("16000.00")

	profile := must[object](member, "GET", "/api/Account/GetUserInfoById/"+member.id, nil)
	require.Equal(t, any(kept[0]), profile["cardDetailsDtos"].([]any)[0])
	typed := member.ask("POST", "/api/Account/UpdateUserInfo", object{"email": member.email, "cardDetailsDtos": []object{{"last4": "4081"}}})
	require.Equal(t, 400, typed.status, "a card cannot be typed in")
	must[object](member, "POST", "/api/Account/UpdateUserInfo", object{"email": member.email, "cardDetailsDtos": kept})
	require.Len(t, cards(member), 1)
	left := must[object](member, "POST", "/api/Account/UpdateUserInfo", object{"email": member.email, "cardDetailsDtos": []object{}})
	require.Empty(t, left["cardDetailsDtos"])
	require.Empty(t, cards(member))
	require.Equal(t, 404, member.ask("POST", fund, byCard(object{"cardId": card})).status)
}

func TestABodyThatIsNotWordForWordTheGatewaysIsRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	secrets, err := s.i.Config.Secrets()
	require.NoError(t, err)
	payment := must[object](s.member, "POST", fund, object{"amount": 5000, "email": s.member.email, "channel": "CARD"})
	body := cardWebhook(payment["transactionRef"].(string), 517767, "NGN")
	signature := signed(secrets.SandboxPaystackKey, body)
	var read any
	require.NoError(t, json.Unmarshal([]byte(body), &read))
	spaced, err := json.MarshalIndent(read, "", " ")
	require.NoError(t, err)
	sorted, err := json.Marshal(read)
	require.NoError(t, err)
	huge := "{" + strings.Repeat(" ", 10<<20) + body[1:]
	before, gateway := s.state(t), nobody(t, s.owner.base)
	bank := "/api/v1/webhooks/vfd/" + secrets.VfdWebhookSecret
	for name, c := range map[string]struct {
		path, body, signature string
		status                int
	}{
		"with spaces":            {cardHook, string(spaced), signature, 403},
		"in another order":       {cardHook, string(sorted), signature, 403},
		"a line feed behind":     {cardHook, body + "\n", signature, 403},
		"a signature cut short":  {cardHook, body, signature[:126], 403},
		"a signature of nothing": {cardHook, body, signed("", body), 403},
		"ten megabytes, signed":  {cardHook, huge, signed(secrets.SandboxPaystackKey, huge), 413},
		"ten megabytes":          {bank, huge, "", 413},
		"a refund, unsigned":     {cardHook, `{"event":"refund.processed","data":{"transaction_reference":"x"}}`, signature, 403},
	} {
		r, err := gateway.try("POST", c.path, c.body, "X-Paystack-Signature", c.signature)
		require.NoError(t, err, name)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
	}
	refund := `{"event":"refund.processed","data":{"transaction_reference":"` + payment["transactionRef"].(string) + `","amount":517767}}`
	require.Equal(t, 200, gateway.ask("POST", cardHook, refund, "X-Paystack-Signature", signed(secrets.SandboxPaystackKey, refund)).status, "the gateway knows of none")
	require.Equal(t, before, s.state(t))
}

func TestWhatTheGatewayTakesBackTheWalletGivesBackAndTheHouseBearsTheRest(t *testing.T) {
	t.Parallel()
	i := own(t)
	desk := books{t, i, staff(t, i, "Femi", people.RoleFinanceOps)}
	c := found(t, i)
	payment := must[object](c.member, "POST", fund, object{"amount": 5000, "email": c.member.email, "channel": "CARD"})
	c.member.paysWith(payment, "5000.00")
	reference := payment["transactionRef"].(string)
	require.NoError(t, i.Bank.TakeBack(context.Background(), sandbox.Takeback{Reference: reference, Amount: 1_000 * money.Naira, Twice: true}))
	c.member.holds("4000.00")
	sub := c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	require.Equal(t, 200, c.member.pays(sub, 3000).status)
	c.member.holds("1000.00")
	require.NoError(t, i.Bank.TakeBack(context.Background(), sandbox.Takeback{Reference: reference, Dispute: true, Twice: true}))
	c.member.holds("0.00")
	c.member.told("payment_reversed")
	require.Equal(t, "REVERSED", must[object](c.member, "GET", "/api/Payment/verify-transaction/"+reference, nil)["status"])
	var reversals int
	require.NoError(t, i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE type = 'naira.v1.PaymentReversedV3'").Scan(&reversals))
	require.Equal(t, 2, reversals)
	result := desk.finds(true, "0.00")
	require.Equal(t, "3000.00", naira(t, result["reserves"].(object)["owed"]), "the group keeps what it was paid")
	require.Equal(t, false, result["reserves"].(object)["covered"], "and everybody sees that the house is short of it")
}

// tempest is a bank and a gateway that tell of a lot, in any order, more than once, and not only the truth.
type tempest struct {
	testing.TB
	i       *boot.Instance
	secrets config.Generated
	sent    []telling
}

// telling is a webhook. genuine ones are sent again until they are accepted, as gateways do.
type telling struct {
	path, body, signature string
	genuine               bool
}

func (s *tempest) bank(reference, amount, session string, announced, genuine bool) {
	s.sent = append(s.sent, telling{
		path: "/api/v1/webhooks/vfd/" + s.secrets.VfdWebhookSecret, genuine: genuine,
		body: fmt.Sprintf(`{"reference":%q,"amount":%q,"session_id":%q,"initialCreditRequest":%t}`, reference, amount, session, announced),
	})
}

func (s *tempest) card(reference string, kobo int, currency string, genuine bool) {
	body := cardWebhook(reference, kobo, currency)
	s.sent = append(s.sent, telling{cardHook, body, signed(s.secrets.SandboxPaystackKey, body), genuine})
}

// happens has members start payments, and the bank receive money for them: the right, another amount, late, twice,
// none.
func (s *tempest) happens(members []*person) {
	ctx := context.Background()
	send := func(account any, amount money.Kobo) {
		require.NoError(s, s.i.Bank.Transfer(ctx, sandbox.Transfer{Account: account.(string), Amount: amount, Sender: "Payer", Loose: true, Telling: sandbox.Telling{Silent: true}}))
	}
	for n := range 160 {
		p, amount := members[n%len(members)], 100+rand.IntN(20_000)
		due := money.Kobo(amount) * money.Naira
		if n%4 == 0 {
			payment := must[object](p, "POST", fund, object{"amount": amount, "email": p.email, "channel": "CARD"})
			if n%8 == 0 {
				require.NoError(s, s.i.Bank.PayCard(ctx, payment["transactionRef"].(string), time.Time{}))
			}
			continue
		}
		account := must[object](p, "POST", fund, object{"amount": amount, "email": p.email})["accountNumber"]
		switch rand.IntN(6) {
		case 0: // Nobody pays.
		case 1:
			send(account, due+money.Kobo(1+rand.IntN(9999)))
		case 2:
			send(account, due)
			send(account, due)
		case 3:
			send(account, due-1)
			send(account, due)
		default:
			send(account, due)
		}
	}
	for range 20 {
		stray(s, s.i, money.Kobo(1+rand.IntN(5_000_000)), true)
	}
}

// tells makes up to so many webhooks of what happened, and of what did not.
func (s *tempest) tells(count int) {
	ctx := context.Background()
	type fact struct {
		reference, session string
		amount             int64
	}
	var moved, charged []fact
	rows, err := s.i.Pool.Query(ctx, `SELECT coalesce(nullif(t.reference, ''), a.reference), t.session_id, t.amount FROM sandbox_transfers t JOIN sandbox_accounts a USING (account_number)`)
	require.NoError(s, err)
	for rows.Next() {
		var f fact
		require.NoError(s, rows.Scan(&f.reference, &f.session, &f.amount))
		moved = append(moved, f)
	}
	rows, err = s.i.Pool.Query(ctx, `SELECT reference, amount FROM sandbox_charges`)
	require.NoError(s, err)
	for rows.Next() {
		var f fact
		require.NoError(s, rows.Scan(&f.reference, &f.amount))
		charged = append(charged, f)
	}
	for _, f := range moved {
		s.bank(f.reference, money.Kobo(f.amount).Decimal().StringFixed(2), f.session, false, true)
	}
	for len(s.sent) < count {
		m, other, c := moved[rand.IntN(len(moved))], moved[rand.IntN(len(moved))], charged[rand.IntN(len(charged))]
		amount := money.Kobo(m.amount).Decimal().StringFixed(2)
		switch rand.IntN(12) {
		case 0:
			s.bank(m.reference, money.Kobo(m.amount+int64(1+rand.IntN(500))).Decimal().StringFixed(2), m.session, false, false)
		case 1:
			s.bank(uuid.NewString(), amount, m.session, false, false)
		case 2:
			s.bank("VFD"+letters(20), amount, letters(20), false, false)
		case 3:
			s.bank(m.reference, amount, other.session, false, false)
		case 4:
			s.bank(m.reference, amount, "", true, false)
		case 5:
			s.bank(c.reference, amount, m.session, false, false)
		case 6:
			s.card(c.reference, int(c.amount)+rand.IntN(3)-1, []string{"NGN", "USD", ""}[rand.IntN(3)], false)
		case 7:
			s.card(m.reference, int(m.amount), "NGN", false)
		case 8:
			s.card(c.reference, int(c.amount), "NGN", false)
			s.sent[len(s.sent)-1].signature = signed("another key", "x")
		default:
			s.bank(m.reference, amount, m.session, false, true) // Again.
		}
	}
	rand.Shuffle(len(s.sent), func(a, b int) { s.sent[a], s.sent[b] = s.sent[b], s.sent[a] })
}

// arrive delivers them, many at a time.
func (s *tempest) arrive() {
	work := make(chan telling)
	var all sync.WaitGroup
	for range 12 {
		all.Go(func() {
			gateway := nobody(s.TB, s.i.Address)
			for w := range work {
				for try := 0; ; try++ {
					r, err := gateway.try("POST", w.path, w.body, "X-Paystack-Signature", w.signature)
					if !w.genuine || err == nil && r.status == 200 {
						break
					}
					if try == 50 {
						s.Errorf("never accepted: %s: %v %d %s", w.body, err, r.status, r.Message)
						break
					}
				}
			}
		})
	}
	for _, w := range s.sent {
		work <- w
	}
	close(work)
	all.Wait()
}

func TestThousandsOfWebhooksLeaveEveryNairaAccountedFor(t *testing.T) {
	t.Parallel()
	i := own(t)
	secrets, err := i.Config.Secrets()
	require.NoError(t, err)
	s := &tempest{TB: t, i: i, secrets: secrets}
	desk := books{t, i, staff(t, i, "Femi", people.RoleFinanceOps)}
	club := found(t, i)
	require.Equal(t, 200, club.member.funded(6000).pays(club.sub, 5000).status)
	members := []*person{club.owner, club.member}
	for n := range 8 {
		members = append(members, somebody(t, i, fmt.Sprintf("Member%c", 'a'+n)))
	}
	s.happens(members)
	s.tells(3_000)
	s.arrive()
	ctx := context.Background()
	figure := func(sql string) (n int64) {
		require.NoError(t, i.Pool.QueryRow(ctx, sql).Scan(&n))
		return n
	}
	pool := figure(`SELECT (SELECT sum(amount) FROM sandbox_transfers) + (SELECT coalesce(sum(amount - fees), 0) FROM sandbox_charges WHERE status = 'success')`)
	require.Eventually(t, func() bool { // The gateway's own webhooks come by themselves.
		figure("SELECT ledger_settle()")
		return pool == figure("SELECT sum(balance) FROM ledger_accounts WHERE split_part(account, ':', 1) IN ('wallet', 'pool', 'held', 'suspense')")
	}, 60*time.Second, 100*time.Millisecond, "what we owe is what the sandbox holds for us")

	// Each arrival is in the ledger once, credited or parked.
	arrived := figure("SELECT (SELECT count(*) FROM sandbox_transfers) + (SELECT count(*) FROM sandbox_charges WHERE status = 'success')")
	require.Equal(t, arrived, figure("SELECT count(*) FROM events WHERE type IN ('naira.v1.PaymentConfirmedV2', 'naira.v1.UnmatchedMoneyReceivedV2')"))
	require.Equal(t, arrived, figure("SELECT count(DISTINCT (provider, provider_ref)) FROM rm_bank_lines"))
	credited := figure("SELECT count(*) FROM events WHERE type = 'naira.v1.PaymentConfirmedV2'")
	require.Positive(t, credited)

	parked := figure("SELECT balance FROM ledger_accounts WHERE account = 'suspense:unmatched'")
	require.Positive(t, parked)
	var listed money.Kobo
	page := desk.desk.waiting(int(arrived - credited))
	for count := 0; ; {
		for _, a := range arrivals(page) {
			k, err := json.Marshal(a["amount"])
			require.NoError(t, err)
			var kobo float64
			require.NoError(t, json.Unmarshal(k, &kobo))
			listed += money.Kobo(kobo*100 + 0.5)
			count++
		}
		next, more := page["next"].(string)
		if !more {
			require.EqualValues(t, arrived-credited, count)
			break
		}
		page = must[object](desk.desk, "GET", "/api/v1/finance/unmatched?before="+next, nil)
	}
	require.EqualValues(t, parked, listed, "the unmatched are listed")
	desk.finds(true, "0.00")
	given := "/api/v1/finance/unmatched/" + arrivals(desk.desk.waiting(int(arrived - credited)))[0]["id"].(string)
	proposed := must[object](desk.desk, "POST", given+"/propose", object{"email": members[0].email, "reason": "She showed the slip."})
	must[object](staff(t, i, "Sade", people.RoleFinanceOps), "POST", given+"/decide", object{"approve": true, "seen": versionOf(proposed)})
	require.NotZero(t, verified(t, i, i.Config.Data))
	modelsEqualFreshFold(t, i)
}
