package e2e

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
)

// Whichever comes first decides: what is held is not paid, and of what is paid nothing is held.
func TestAHoldAndThePayoutThatItDisputesNeverBothHappen(t *testing.T) {
	t.Parallel()
	i := product(t)
	for _, later := range []int{0, 1, 2, 4} {
		c := newChest(t, i)
		id := c.owner.ask("POST", asksFor, c.baked(c.owner, 50_000)).id(t) // Of ₦60,000: ₦10,000 stay.
		c.approved(id)
		var (
			both sync.WaitGroup
			hold reply
		)
		both.Go(func() { hold = c.disputes(c.member, id, 15_000) })
		both.Go(func() {
			for range later { // So that now this comes first, and now that.
				c.stands(id)
			}
			_ = i.App.Payouts.SendPayouts(context.Background())
		})
		both.Wait()
		orders, _ := atTheBank(t, i.Pool, c.baker.Account)
		if hold.status != 200 {
			require.Equal(t, 409, hold.status, hold.Message)
			require.Empty(t, must[object](c.member, "GET", disputesPath, nil)["disputes"], "what is refused leaves no dispute")
			c.becomes(id, "PAID")
			continue
		}
		require.Zero(t, orders, "₦15,000 are held, and ₦10,000 would stay")
		require.Equal(t, "APPROVED", c.sends(id))
		must[object](c.member, "POST", disputesPath+"/"+hold.object(t)["id"].(string)+"/withdraw", nil)
		require.NoError(t, i.App.Payouts.SendPayouts(context.Background()))
		c.becomes(id, "PAID")
		orders, _ = atTheBank(t, i.Pool, c.baker.Account)
		require.Equal(t, 1, orders)
	}
}

// A validator marks as many payments as go at once while one of them is taken back: both are recorded, and what was
// taken back waits for a mark of its own.
func TestFiveHundredMarksRaceAReversal(t *testing.T) {
	t.Parallel()
	const many = 500
	i := product(t)
	c := newChest(t, i)
	c.eve.funded(many * 100)
	for range many {
		require.Equal(t, 200, c.eve.pays(c.sub, 100).status)
	}
	var (
		ids       []string
		positions []int64
	)
	require.Eventually(t, func() bool {
		ids, positions = c.paymentsOf(c.eve)
		return len(ids) == many+1 // And the first ₦20,000.
	}, time.Minute, 20*time.Millisecond)
	taken, err := history.ReadAt(context.Background(), i.Pool, positions[many/2:many/2+1])
	require.NoError(t, err)
	reverses := dues.ReverseContribution{Original: taken[0], By: c.owner.id, ApprovedBy: c.approver.id, Reason: "It was taken twice.", At: time.Now()}

	var (
		both  sync.WaitGroup
		marks reply
	)
	both.Go(func() { marks = c.marks(c.validator, "VALIDATED", "", ids[1:]...) })
	both.Go(func() {
		_, err = i.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: c.owner.id, Command: reverses})
	})
	both.Wait()
	require.NoError(t, err)
	require.Equal(t, 200, marks.status, marks.Message)
	var page object
	require.Eventually(t, func() bool {
		page = c.audits(c.validator, "?state=UNREVIEWED")
		return len(page["payments"].([]any)) == 3
	}, time.Minute, 20*time.Millisecond, "the two that newChest paid, and what was taken back")
	kinds := []string{}
	for _, p := range page["payments"].([]any) {
		kinds = append(kinds, p.(object)["kind"].(string))
	}
	slices.Sort(kinds)
	require.Equal(t, []string{"CONTRIBUTION", "CONTRIBUTION", "REVERSAL"}, kinds)
	_, err = i.App.Ledger.Append(context.Background(), store.Command{ID: uuid.New(), Actor: c.owner.id, Command: reverses})
	require.ErrorContains(t, err, "reversed already")
}

// paymentsOf are what somebody paid into the group, and where in the ledger, the oldest first.
func (c chest) paymentsOf(p *person) (ids []string, positions []int64) {
	c.owner.Helper()
	require.NoError(c.owner, c.i.Pool.QueryRow(context.Background(), `SELECT coalesce(array_agg(id::text ORDER BY pos), '{}'), coalesce(array_agg(pos ORDER BY pos), '{}')
		FROM rm_contributions WHERE group_id = $1 AND user_id = $2`, c.group, p.id).Scan(&ids, &positions))
	return ids, positions
}
