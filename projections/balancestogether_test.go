package projections_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/balances"
)

func TestBalancesReadTogetherAreEachTheirOwnersAndNeverOlderThanTheQuestion(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.exec("INSERT INTO rm_savings (user_id, sub_account_id, group_id, kobo) SELECT 'user-' || n, 's' || i, 'g', n * i FROM generate_series(0, 31) n, generate_series(1, 2) i")
	together := balances.NewTogether(h.pool)
	var wg sync.WaitGroup
	for n := range 32 {
		user := fmt.Sprint("user-", n)
		wg.Go(func() {
			for i := range 20 {
				kobo := int64(1000*n + i)
				if _, err := h.pool.Exec(context.Background(), "INSERT INTO rm_wallets VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET kobo = excluded.kobo", user, kobo); err != nil {
					t.Error(err)
					return
				}
				b, err := together.Of(context.Background(), user)
				if want := (balances.Balances{Wallet: money.Kobo(kobo), Savings: money.Kobo(3 * n)}); err != nil || b != want {
					t.Errorf("%s has %v (%v), not %v", user, b, err, want)
					return
				}
			}
		})
	}
	wg.Wait()
	nobody, err := together.Of(context.Background(), "nobody")
	require.NoError(t, err)
	require.Zero(t, nobody)
}

func TestAReaderWhoGivesUpLeavesTheOthersTheirBalances(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.exec("INSERT INTO rm_wallets VALUES ('ada', 7)")
	together := balances.NewTogether(h.pool)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			if n%2 == 0 {
				_, _ = together.Of(gone, "bisi")
				return
			}
			if b, err := together.Of(context.Background(), "ada"); err != nil || b.Wallet != 7 {
				t.Errorf("ada has %v (%v)", b, err)
			}
		})
	}
	wg.Wait()
}
