package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestAPlaceThatCollectsIsNotForSaleAndADepositIsAskedForOnce(t *testing.T) {
	t.Parallel()
	c := joined(t, 1)
	asked := func(p *person, want int) {
		require.Eventually(t, func() bool {
			return len(must[object](p, "GET", "/api/v1/ajo/dues", nil)["deposits"].([]any)) == want
		}, time.Minute, 20*time.Millisecond)
	}
	asked(c.ada, 1)
	c.byWallet(c.ada, 0)
	asked(c.ada, 0)
	again := c.ada.ask("POST", "/api/v1/ajo/"+c.id+"/pay", object{"what": "DEPOSIT", "amount": weekly, "userId": c.ada.id})
	require.Equal(t, http.StatusConflict, again.status)
	c.byWallet(c.bola, 0)
	for _, p := range []*person{c.chi, c.deji} {
		c.byCard(p, 0)
		c.deposited(p, weekly)
	}
	c.deposited(c.bola, weekly)
	c.begins()

	// Bola collects first. She offers her place before, and it is nobody's to take once her pot is ready.
	seat := c.sees(c.bola)["me"].(object)["seats"].([]any)[0]
	offered := c.bola.ask("POST", "/api/v1/ajo/"+c.id+"/places/open", object{"seat": seat})
	require.Equal(t, http.StatusOK, offered.status, offered.Message)
	efe := somebody(t, c.i, "Efe")
	efe.banked(c.i, "Efe")
	efe.funded(100_000)
	code := c.i.App.Ajo.InvitationCode(c.id)
	place := func() object {
		return must[object](efe, "GET", "/api/Ajo/GetAjoDataById/"+c.id+"?code="+code, nil)
	}
	takes := object{"seat": seat, "fromUserId": c.bola.id, "price": 0, "code": code, "termsHash": place()["termsHash"], "email": efe.email}
	require.NotEmpty(t, place()["openPlaces"], "until then it is")
	c.byCard(c.chi, 1)
	c.byCard(c.deji, 1)
	c.byWallet(c.ada, 1)
	c.ready(1)
	refused := efe.ask("POST", "/api/v1/ajo/"+c.id+"/places/take", takes)
	require.Equal(t, http.StatusConflict, refused.status, refused.Message)
	require.Eventually(t, func() bool { return len(place()["openPlaces"].([]any)) == 0 }, time.Minute, 20*time.Millisecond)
	efe.holds("100000.00")
}
