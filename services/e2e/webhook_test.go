package e2e

import (
	"crypto/hmac"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

const cardHook = "/api/v1/webhooks/paystack"

// cardWebhook is a charge.success as the gateway would word it.
func cardWebhook(reference string, kobo int, currency string) string {
	return fmt.Sprintf(`{"event":"charge.success","data":{"id":77,"status":"success","reference":%q,"amount":%d,"fees":100,"currency":%q,"paid_at":"2026-11-15T10:00:00Z"}}`, reference, kobo, currency)
}

func signed(key, body string) string {
	mac := hmac.New(sha512.New, []byte(key))
	mac.Write([]byte(body))
	return hex.EncodeToString(mac.Sum(nil))
}

func TestAWebhookIsBelievedOnlyAsFarAsItIsSignedAndTrue(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	secrets, err := s.i.Config.Secrets()
	require.NoError(t, err)
	payment := must[object](s.member, "POST", fund, object{"amount": 5000, "email": s.member.email, "channel": "CARD"})
	reference := payment["transactionRef"].(string)
	before, gateway := s.state(t), nobody(t, s.owner.base)
	for name, c := range map[string]struct {
		body, key, code string
		status          int
	}{
		"no signature":              {cardWebhook(reference, 517767, "NGN"), "", "FORBIDDEN", 403},
		"somebody else's signature": {cardWebhook(reference, 517767, "NGN"), "another key", "FORBIDDEN", 403},
		"a kobo too little":         {cardWebhook(reference, 517766, "NGN"), secrets.SandboxPaystackKey, "CONFLICT", 409},
		"the net alone":             {cardWebhook(reference, 500000, "NGN"), secrets.SandboxPaystackKey, "CONFLICT", 409},
		"dollars":                   {cardWebhook(reference, 517767, "USD"), secrets.SandboxPaystackKey, "CONFLICT", 409},
		"a payment we do not know":  {cardWebhook(uuid.NewString(), 517767, "NGN"), secrets.SandboxPaystackKey, "NOT_FOUND", 404},
		"a reference that is no id": {cardWebhook("'; DROP TABLE events", 517767, "NGN"), secrets.SandboxPaystackKey, "NOT_FOUND", 404},
		"no JSON":                   {`{`, secrets.SandboxPaystackKey, "INVALID", 400},
		"no amount":                 {cardWebhook(reference, 0, "NGN"), secrets.SandboxPaystackKey, "INVALID", 400},
	} {
		signature := ""
		if c.key != "" {
			signature = signed(c.key, c.body)
		}
		r := gateway.ask("POST", cardHook, c.body, "X-Paystack-Signature", signature)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
		require.Equal(t, c.code, r.ReturnedCode, name)
	}
	// Right in every way, but the gateway itself says that nobody has paid: nothing is credited.
	body := cardWebhook(reference, 517767, "NGN")
	require.Equal(t, 200, gateway.ask("POST", cardHook, body, "X-Paystack-Signature", signed(secrets.SandboxPaystackKey, body)).status)
	require.Equal(t, before, s.state(t))
	require.Equal(t, "6000.00", s.member.balance())
	s.member.paysByCard(payment)
	for range 3 { // Sent again after it was credited.
		require.Equal(t, 200, gateway.ask("POST", cardHook, body, "X-Paystack-Signature", signed(secrets.SandboxPaystackKey, body)).status)
	}
	require.Equal(t, "11000.00", s.member.balance())
}

func (p *person) paysByCard(payment object) {
	p.Helper()
	checkout, err := url.Parse(payment["checkoutUrl"].(string))
	require.NoError(p, err)
	require.Equal(p, 303, p.form(checkout.Path, url.Values{"action": {"pay"}, "twice": {"1"}}).StatusCode)
	require.Equal(p, 303, p.form(checkout.Path, url.Values{"action": {"pay"}}).StatusCode, "paid before: back to the shop")
	p.holds("11000.00")
}

func TestTheBanksWebhookNeedsItsSecretPathAndTheTruth(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	secrets, err := s.i.Config.Secrets()
	require.NoError(t, err)
	payment := must[object](s.member, "POST", fund, object{"amount": 4000, "email": s.member.email})
	reference := payment["transactionRef"].(string)
	word := func(reference, amount string) string {
		return fmt.Sprintf(`{"reference":%q,"amount":%q,"session_id":"s","initialCreditRequest":false}`, reference, amount)
	}
	before, gateway := s.state(t), nobody(t, s.owner.base)
	right := "/api/v1/webhooks/vfd/" + secrets.VfdWebhookSecret
	for name, c := range map[string]struct {
		path, body string
		status     int
	}{
		"a guessed path":           {"/api/v1/webhooks/vfd/guess", word(reference, "4000"), 404},
		"almost the path":          {strings.TrimSuffix(right, right[len(right)-1:]), word(reference, "4000"), 404},
		"a wrong amount":           {right, word(reference, "4000.01"), 409},
		"a payment we do not know": {right, word(uuid.NewString(), "4000"), 404},
		"a negative amount":        {right, word(reference, "-4000"), 400},
		"no reference":             {right, word("", "4000"), 404}, // The bank knows of no such session either.
		"nothing to ask about":     {right, `{"amount":"4000"}`, 400},
		"no JSON":                  {right, "amount=4000", 400},
		"a word before the money":  {right, word(reference, "4000"), 200}, // Asked, the bank knows of none.
		"a credit only announced":  {right, `{"reference":"` + reference + `","amount":"4000","initialCreditRequest":true}`, 200},
	} {
		r := gateway.ask("POST", c.path, c.body)
		require.Equal(t, c.status, r.status, "%s: %s", name, r.Message)
	}
	require.Equal(t, before, s.state(t))
	require.Equal(t, 303, s.member.sends(payment, "4000").StatusCode)
	s.member.holds("10000.00")
	for range 3 {
		require.Equal(t, 200, gateway.ask("POST", right, word(reference, "4000")).status)
	}
	require.Equal(t, "10000.00", s.member.balance())
	require.Equal(t, 422, s.member.sends(payment, "4000").StatusCode, "the account has had its money")
}

func TestADeclinedCardTakesNothingAndSaysSo(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	payment := must[object](s.member, "POST", fund, object{"amount": 5000, "email": s.member.email, "channel": "CARD"})
	checkout, err := url.Parse(payment["checkoutUrl"].(string))
	require.NoError(t, err)
	s.member.form(checkout.Path, url.Values{"action": {"decline"}})
	failed := must[object](s.member, "POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": payment["transactionRef"]})
	require.Equal(t, "FAILED", failed["status"])
	require.NotEmpty(t, failed["reason"])
	require.Equal(t, "6000.00", s.member.balance())
	theirs := s.outsider.ask("POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": payment["transactionRef"]})
	require.Equal(t, 404, theirs.status, "nobody asks after another's payment")
}
