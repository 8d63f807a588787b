package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/rails/sandbox"
)

// One of two senders that overlap hears that there is no such account, and the other one's order is paid: the bank
// denies the account to the first who asks, and takes its time about it.
func TestAWithdrawalThatTheBankPaysIsNotRefundedWhereTwoSendersOverlap(t *testing.T) {
	t.Parallel()
	for _, rail := range []config.PayoutRail{config.PayoutVfd, config.PayoutPaystack} {
		t.Run(string(rail), func(t *testing.T) {
			t.Parallel()
			b, p := payer(t, rail)
			ctx := context.Background()
			id := p.withdraws(1_000).id(t) // Which has the bank asked about the account too.
			require.NoError(t, b.i.Bank.Behave(ctx, sandbox.Manner{Account: p.at.Account, FirstMissing: 2 * time.Second}))
			require.Eventually(t, func() (there bool) {
				require.NoError(t, b.i.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM rm_payouts WHERE withdrawal_id = $1)", id).Scan(&there))
				return there
			}, time.Minute, 5*time.Millisecond)
			var sending sync.WaitGroup
			for range 2 {
				sending.Go(func() { require.NoError(t, b.i.App.Payouts.SendPayouts(ctx)) })
			}
			sending.Wait()
			var orders int
			require.NoError(t, b.i.Pool.QueryRow(ctx, "SELECT count(*) FROM sandbox_payouts WHERE reference = $1", p.reference(id)).Scan(&orders))
			if status := must[object](p.person, "GET", withdrawals+"/"+id, nil)["status"]; orders == 0 {
				p.becomes(id, "FAILED")
				p.holds("20000.00")
			} else {
				require.NotEqual(t, "FAILED", status, "the bank pays it")
				p.becomes(id, "PAID")
				p.holds("19000.00")
			}
			b.finds(true, "0.00")
			soundLedger(t, b.i.Pool)
		})
	}
}
