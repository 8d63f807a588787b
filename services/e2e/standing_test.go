package e2e

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
)

const standingOrders = "/api/v1/wallet/standing-orders"

// orders are a person's standing orders.
func (p *person) orders(least string) []object {
	p.Helper()
	return must[[]object](p, "GET", standingOrders, nil, "X-Min-Position", least)
}

func TestAStandingOrderIsSetRunRestedAndEnded(t *testing.T) {
	t.Parallel()
	i := product(t)
	c := found(t, i)
	p := c.member.funded(12_000)
	today := time.Now().In(lagos.Zone)
	form := object{"subAccountId": c.sub, "amount": 5000, "frequency": "WEEKLY", "firstDay": today.Format(time.DateOnly), "consent": true}
	for field, value := range map[string]any{"consent": false, "frequency": "DAILY", "firstDay": "soon", "amount": -1} {
		wrong := object{field: value}
		for name, right := range form {
			if name != field {
				wrong[name] = right
			}
		}
		require.Equal(t, 400, p.ask("POST", standingOrders, wrong).status, field)
	}
	require.Equal(t, 404, somebody(t, i, "Eve").ask("POST", standingOrders, form).status, "one who is not in the group")
	set := p.ask("POST", standingOrders, form, "Idempotency-Key", "standing-"+p.id)
	order := set.object(t)
	again := p.ask("POST", standingOrders, form, "Idempotency-Key", "standing-"+p.id).object(t)
	require.Equal(t, order["id"], again["id"])
	require.Equal(t, "Balogun Traders · Monthly dues", order["purpose"])
	require.Len(t, p.orders(set.header.Get("X-Position")), 1)

	// The job of the house and these come to it at once.
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() { require.NoError(t, i.App.StandingOrders.RunStandingOrders(context.Background())) })
	}
	all.Wait()
	p.holds("7000.00")
	require.Eventually(t, func() bool { return len(p.orders("0")[0]["runs"].([]any)) == 1 }, time.Minute, 10*time.Millisecond)
	run := p.orders("0")[0]
	require.Equal(t, today.AddDate(0, 0, 7).Format(time.DateOnly), run["nextDay"])
	day := run["runs"].([]any)[0].(object)
	require.Equal(t, []any{today.Format(time.DateOnly), "PAID"}, []any{day["day"], day["outcome"]})
	require.Eventually(t, func() bool { return p.ask("GET", "/api/v1/activity/"+day["activityId"].(string), nil).status == 200 }, time.Minute, 10*time.Millisecond)

	path := standingOrders + "/" + order["id"].(string)
	for _, change := range [][2]string{{"POST", path + "/pause"}, {"POST", path + "/resume"}, {"DELETE", path}} {
		require.Equal(t, 404, c.owner.ask(change[0], change[1], object{}).status, "another's order")
	}
	require.Equal(t, "PAUSED", must[object](p, "POST", path+"/pause", nil)["status"])
	require.Equal(t, 409, p.ask("POST", path+"/pause", nil).status)
	resumed := must[object](p, "POST", path+"/resume", nil)
	require.Equal(t, today.AddDate(0, 0, 7).Format(time.DateOnly), resumed["nextDay"], "today ran already")
	ended := p.ask("DELETE", path, nil)
	require.Equal(t, "ENDED", ended.object(t)["status"])
	require.Equal(t, 409, p.ask("POST", path+"/resume", nil).status)
	require.Equal(t, "ENDED", p.orders(ended.header.Get("X-Position"))[0]["status"])
	require.NoError(t, i.App.StandingOrders.RunStandingOrders(context.Background()))
	require.Equal(t, "7000.00", p.balance())
}
