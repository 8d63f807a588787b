package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhoPaidAllAheadIsNotChargedWhenTheirAjoEndsEarly(t *testing.T) {
	t.Parallel()
	c := joined(t, 0)
	c.begins()
	c.byWallet(c.ada, 1)
	c.byCard(c.chi, 1)
	c.byCard(c.deji, 1)
	c.ready(1)
	c.collects(1)
	me := c.sees(c.bola)["me"].(object)
	ahead := me["prepay"]
	require.Equal(t, "24000.00", naira(t, ahead))
	paid := c.bola.ask("POST", "/api/v1/ajo/"+c.id+"/pay", object{"what": "ALL", "amount": ahead, "seat": me["seats"].([]any)[0], "userId": c.bola.id})
	require.Equal(t, http.StatusOK, paid.status, paid.Message)
	c.bola.holds("99680.00")

	motion := must[object](c.ada, "POST", "/api/v1/ajo/"+c.id+"/motions", object{"kind": "TERMINATE", "reason": "We move to another market"})["motions"].([]any)[0].(object)["id"].(string)
	for _, p := range []*person{c.bola, c.chi, c.deji} {
		p.ask("POST", "/api/v1/ajo/"+c.id+"/motions/"+motion+"/vote", object{"agrees": true}) // It may be carried before the last.
	}
	require.Eventually(t, func() bool {
		return c.i.App.Ajo.Keep(context.Background()) == nil && c.sees(c.bola)["status"] == "TERMINATED"
	}, time.Minute, 20*time.Millisecond)
	require.Empty(t, c.sees(c.bola)["debts"])
	c.bola.holds("99680.00")
	for cycle := 2; cycle <= 4; cycle++ { // What she paid ahead is for those who collect then, who pay no more.
		c.collected(cycle, weekly)
		require.Equal(t, float64(weekly), c.sees(c.ada)["cycles"].([]any)[cycle-1].(object)["expected"])
	}
	c.owes(c.bola, "none")
}
