package e2e

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Two people use one key on three routes with two bodies each, a hundred times at once.
func TestOfOneKeyEachPersonHasOneWishOnEachRoute(t *testing.T) {
	t.Parallel()
	i := own(t) // Its ledger is judged by the lines that this test alone records.
	c := newChest(t, i)
	people := []*person{c.member.funded(20_000), c.eve.funded(20_000)}
	for _, p := range people {
		p.stepsUp()
	}
	key := "one key for everything"
	asks := func(p *person, n int) {
		amount := 100 + n%2
		switch n % 3 {
		case 0:
			_, _ = p.try("POST", pay, object{"amount": amount, "subAccountId": c.sub, "userId": p.id}, "Idempotency-Key", key)
		case 1:
			_, _ = p.try("POST", "/api/v1/wallet/make-payments-with-wallet", object{"userId": p.id, "payments": []object{{"amount": amount, "subAccountId": c.sub}}}, "Idempotency-Key", key)
		case 2:
			_, _ = p.try("POST", withdrawals, object{"amount": 1000 + n%2, "net": netOf(1000 + n%2)}, "Idempotency-Key", key)
		}
	}
	var all sync.WaitGroup
	for n := range 100 {
		for _, p := range people {
			all.Go(func() { asks(p, n) })
		}
	}
	all.Wait()
	for n := range 6 { // Of a route on which all were told to try again, one is taken now.
		for _, p := range people {
			asks(p, n)
		}
	}
	for _, p := range people {
		require.Eventually(t, func() bool { // What was taken of each route, once it is shown.
			return slices.Contains([]string{"18800.00", "18799.00", "18798.00", "18797.00"}, p.balance())
		}, time.Minute, 10*time.Millisecond)
	}
	soundLedger(t, i.Pool)
}
