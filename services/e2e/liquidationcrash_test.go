package e2e

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
)

// treasury is a group in a run's product whose members have saved ₦5,000 each and have a bank account of their own.
func (r *run) treasury(count int) (c chest, members []*person) {
	r.Helper()
	r.killsTheBank("ADASHI_SANDBOX_CLOCK=-80h") // So that the officials' offices count for money by now.
	sign := func(name string) *person { return signedUp(r.T, r.api.base, name) }
	c.owner, c.validator, c.approver = sign("Ada"), sign("Chidi"), sign("Femi")
	for _, p := range []*person{c.owner, c.validator, c.approver} {
		p.known()
	}
	c.group = c.owner.founds("Balogun Traders")
	c.admitsAll(c.validator, c.approver)
	c.appoints()
	c.sub = c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	for n := range count {
		p := sign(fmt.Sprintf("Bisi%c", 'a'+n))
		p.known()
		c.admitsAll(p)
		require.Equal(r, 200, p.funded(5_000).stepsUp().pays(c.sub, 5_000).status)
		members = append(members, p)
	}
	r.killsTheBank()
	for _, p := range append([]*person{c.owner, c.validator, c.approver}, members...) {
		p.logIn() // Their sessions ended in these days.
		p.stepsUp()
	}
	return c, members
}

// afresh connects again to a product that was started anew.
func (c chest) afresh() {
	client.Transport.(interface{ CloseIdleConnections() }).CloseIdleConnections()
}

func TestKilledInTheMiddleOfAGroupsPayoutsNoneIsPaidTwiceAndTheFailedAreSentAnewOnce(t *testing.T) {
	t.Parallel()
	r, ctx := newRun(t), context.Background()
	c, members := r.treasury(6)
	var ids []string
	for _, p := range members {
		asked := merge(c.savings(p, 1_000), object{})
		id := p.ask("POST", asksFor, asked).id(t)
		c.approved(id)
		ids = append(ids, id)
	}
	require.Zero(t, r.count(ordered), "nobody sends yet")
	_, err := r.pool.Exec(ctx, `INSERT INTO sandbox_manners (account_number, hold_ms) VALUES ('', 250)`)
	require.NoError(t, err)
	const pending = `SELECT (SELECT count(*) FROM events WHERE type = 'naira.v1.LiquidationSent') - (SELECT count(*) FROM events WHERE type IN ('naira.v1.LiquidationPaidV2', 'naira.v1.LiquidationFailed'))`
	until := func(orders int) {
		require.Eventually(t, func() bool { return r.count(ordered) >= orders && r.count(pending) > 0 }, 60*time.Second, 2*time.Millisecond, "%d orders", orders)
	}

	ours := r.spawn("jobs", "ADASHI_PORT="+port(t))
	until(2)
	require.NoError(t, ours.Process.Kill()) // Between the record of having sent and the bank's answer.
	require.Equal(t, -1, ours.exit(t))
	require.Positive(t, r.count(pending), "it was killed in the middle of one")

	i := r.jobs()
	var sending sync.WaitGroup
	for range 3 { // As many processes would.
		sending.Go(func() {
			assert.Eventually(t, func() bool {
				_ = i.App.Payouts.SendPayouts(ctx)
				return r.count(`SELECT count(DISTINCT stream) FROM events WHERE type = 'naira.v1.LiquidationSent'`) >= len(ids)
			}, 3*time.Minute, 10*time.Millisecond, "not all are sent")
		})
	}
	until(4)
	r.killsTheBank()
	c.afresh()
	sending.Wait()
	for _, later := range []time.Duration{time.Minute, 17 * time.Minute} {
		require.NoError(t, i.App.At(time.Now().Add(later)).Payouts.AskPayouts(ctx))
	}
	failed := 0
	for _, id := range ids {
		var view object
		require.Eventually(t, func() bool {
			view = c.stands(id)
			return view["status"] == "PAID" || view["status"] == "PAYOUT_FAILED"
		}, time.Minute, 20*time.Millisecond, "%v", view["status"])
		if view["status"] == "PAYOUT_FAILED" {
			failed++
			must[object](c.approver, "POST", liquidations+"/"+id+"/retry", nil)
		}
	}
	_, err = r.pool.Exec(ctx, `DELETE FROM sandbox_manners`)
	require.NoError(t, err)
	for _, id := range ids {
		require.Eventually(t, func() bool {
			_ = i.App.At(time.Now().Add(40 * time.Minute)).Payouts.SendPayouts(ctx) // The bank is asked about the first again.
			_, _ = i.App.Payouts.AskPayout(ctx, id)
			return c.stands(id)["status"] == "PAID"
		}, time.Minute, 50*time.Millisecond)
	}
	t.Logf("%d were never received and sent anew", failed)
	r.eachAccountOnce(len(members))
	for _, p := range members {
		p.saves(4_000)
	}
	agreed, err := i.App.Finance.Reconcile(ctx, contract.ReconciliationTriggerONDEMAND)
	require.NoError(t, err)
	require.True(t, agreed.Balanced, "%+v", agreed.Items)
	soundLedger(t, r.pool)
}

// eachAccountOnce holds that the bank paid each account once, and was told of each reference once.
func (r *run) eachAccountOnce(count int) {
	r.Helper()
	rows, err := r.pool.Query(context.Background(), `SELECT account_number, max(orders), count(*) FILTER (WHERE code IN ('00', '26')), sum(amount) FILTER (WHERE code IN ('00', '26')) FROM sandbox_payouts GROUP BY 1`)
	require.NoError(r, err)
	var (
		account      string
		orders, paid int
		kobo         int64
		accounts     int
	)
	_, err = pgx.ForEachRow(rows, []any{&account, &orders, &paid, &kobo}, func() error {
		accounts++
		require.Equal(r, []any{1, 1, int64(989_25)}, []any{orders, paid, kobo}, "%s was paid again", account)
		return nil
	})
	require.NoError(r, err)
	require.Equal(r, count, accounts)
}
