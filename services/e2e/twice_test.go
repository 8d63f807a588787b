package e2e

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAMonthPaidInOneTabCannotBePaidInAnother(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b := s.member.toppedUp()
	first := b.ask("POST", pay, object{"amount": 5000, "subAccountId": s.sub, "userId": b.id, "monthId": lagosMonth()}, "Idempotency-Key", "first tab "+b.id)
	require.Equal(t, 200, first.status, first.Message)
	second := b.ask("POST", pay, object{"amount": 5000, "subAccountId": s.sub, "userId": b.id, "monthId": lagosMonth()}, "Idempotency-Key", "second tab "+b.id)
	require.Equal(t, 409, second.status)
	require.Equal(t, "CONFLICT", second.ReturnedCode)
	require.Contains(t, second.Message, "already paid")
	byCard := b.ask("POST", rail, object{"amount": 5000, "subAccountId": s.sub, "userId": b.id, "monthId": lagosMonth(), "channel": "CARD"})
	require.Equal(t, 409, byCard.status, "refused before anything is charged")
	b.holds("7000.00")
}

// toppedUp has twice the ₦6,000 of a scene's member.
func (p *person) toppedUp() *person {
	p.Helper()
	payment := must[object](p, "POST", fund, object{"amount": 6000, "email": p.email})
	require.Equal(p, 303, p.sends(payment, naira(p, payment["total"])).StatusCode)
	p.holds("12000.00")
	return p
}

func TestTheSameKeyIsPaidOnceHoweverOftenAndHoweverFastItIsSent(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b := s.member
	body := object{"amount": 700, "subAccountId": s.flexible, "userId": b.id}
	key := "same key " + b.id
	answers := make([]reply, 50)
	var wg sync.WaitGroup
	for n := range answers {
		wg.Go(func() {
			var err error
			if answers[n], err = b.try("POST", pay, body, "Idempotency-Key", key); err != nil {
				t.Errorf("%v", err)
			}
		})
	}
	wg.Wait()
	for _, r := range answers {
		require.Equal(t, 200, r.status, r.Message)
		require.JSONEq(t, string(answers[0].ReturnedObject), string(r.ReturnedObject), "everybody gets the same receipt")
		require.Equal(t, answers[0].header.Get("X-Position"), r.header.Get("X-Position"))
	}
	b.holds("5300.00")
	other := b.ask("POST", pay, merge(merge(object{}, body), object{"amount": 701}), "Idempotency-Key", key)
	require.Equal(t, 409, other.status, "the same key with another payload")
	require.Equal(t, "CONFLICT", other.ReturnedCode)
	b.holds("5300.00")
}

func TestManyPaymentsAtOnceAreAllMadeOrNone(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b := s.member
	many := func(amounts ...any) object {
		payments := []object{}
		for _, amount := range amounts {
			payments = append(payments, object{"amount": amount, "subAccountId": s.sub})
		}
		return object{"userId": b.id, "payments": payments}
	}
	const path = "/api/v1/wallet/make-payments-with-wallet"
	before := s.state(t)
	for name, body := range map[string]object{
		"more than there is":    many(100, 100, 4_900_000),
		"none":                  many(),
		"too many":              many(make([]any, 101)...),
		"a text for an amount":  many("100"),
		"an unknown field":      {"userId": b.id, "payments": []object{{"amount": 100, "subAccountId": s.sub, "colour": "red"}}},
		"another's wallet":      {"userId": s.owner.id, "payments": []object{{"amount": 100, "subAccountId": s.sub}}},
		"a sub-account nowhere": {"userId": b.id, "payments": []object{{"amount": 100, "subAccountId": b.id}}},
		"no list":               {"userId": b.id, "payments": 7},
	} {
		r := b.ask("POST", path, body)
		require.Contains(t, []int{400, 403, 404, 422}, r.status, "%s: %s", name, r.Message)
	}
	require.Equal(t, before, s.state(t), "a refused request changed something")
	for range 2 {
		r := b.ask("POST", path, many(100, 250), "Idempotency-Key", "many-"+b.id)
		require.Equal(t, 200, r.status, r.Message)
		require.Contains(t, string(r.ReturnedObject), "250.00")
	}
	require.NotEqual(t, before, s.state(t))
}

func TestTheSameKeyFoundsOneGroupAndStartsOnePayment(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	a := s.owner
	for path, body := range map[string]object{
		group: {"name": "Traders", "amount": 5000, "memberCapacity": 5, "startMonthId": 1, "userEmail": a.email},
		fund:  {"amount": 900, "email": a.email, "channel": "CARD"},
		open:  {"groupSavingsId": s.group, "name": "Levy", "paymentType": "FIXED", "paymentFrequency": "WEEKLY", "amountPayable": 500, "userId": a.id},
	} {
		key := "again " + path + a.id
		first := must[object](a, "POST", path, body, "Idempotency-Key", key)
		require.Equal(t, first, must[object](a, "POST", path, body, "Idempotency-Key", key), path)
		amount := "amount"
		if path == open {
			amount = "amountPayable"
		}
		changed := a.ask("POST", path, merge(merge(object{}, body), object{amount: 950}), "Idempotency-Key", key)
		require.Equal(t, 409, changed.status, path)
	}
}

func TestARefusedKeyStaysRefused(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	b := s.member
	key := "poor " + b.id
	refused := b.pays(s.flexible, 7000, "Idempotency-Key", key)
	require.Equal(t, 422, refused.status)
	b.toppedUp()
	again := b.pays(s.flexible, 7000, "Idempotency-Key", key)
	require.Equal(t, 422, again.status, "the same key hears the same answer")
	require.Equal(t, refused.Message, again.Message)
	require.Equal(t, 200, b.pays(s.flexible, 7000).status, "a new one goes through")
}

func TestABadKeyIsRefusedByName(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, key := range []string{"short", strings.Repeat("k", 129)} {
		r := s.member.pays(s.flexible, 100, "Idempotency-Key", key)
		require.Equal(t, 400, r.status)
		require.Contains(t, r.Message, "Idempotency-Key")
	}
	s.member.holds("6000.00")
}
