package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/rails/sandbox"
)

// circle is an ajo of four that lives by the product's clock: all is done over HTTP, and jobs run when they are told.
// Bola collects first; Chi and Deji have nothing in their wallets and pay by card.
type circle struct {
	testing.TB
	i                    *boot.Instance
	id                   string
	ada, bola, chi, deji *person
	ahead                *atomic.Int64 // How far the product's clock is ahead of the machine's, in ns.
}

func (c *circle) all() []*person { return []*person{c.ada, c.bola, c.chi, c.deji} }

// passes moves the product's clock on by days, runs the jobs of ajo, and has everybody log in again.
func (c *circle) passes(days int) {
	c.Helper()
	followed(c, c.i) // Jobs go by the read models, and run once here.
	c.ahead.Add(int64(days) * int64(24*time.Hour))
	for _, job := range []func(context.Context) error{c.i.App.Ajo.Judge, c.i.App.Ajo.Keep} {
		require.NoError(c, job(context.Background()))
	}
	for _, p := range c.all() {
		p.logIn()
	}
}

// joined is the circle with all who take part, the first due in four days. They deposit so many dues.
func joined(t *testing.T, deposit int) *circle {
	t.Helper()
	c, cfg := &circle{TB: t, ahead: &atomic.Int64{}}, settings(t.TempDir())
	c.ahead.Store(-int64(30 * 24 * time.Hour))
	cfg.Clock = func() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }
	var err error
	c.i, err = boot.Start(context.Background(), cfg, boot.Roles{API: true, Relay: true, Projector: true})
	require.NoError(t, err)
	t.Cleanup(c.i.Stop)
	for at, name := range []string{"Ada", "Bola", "Chi", "Deji"} {
		p := somebody(t, c.i, name)
		p.banked(c.i, name)
		*[]**person{&c.ada, &c.bola, &c.chi, &c.deji}[at] = p
	}
	c.ada.funded(100_000)
	c.bola.funded(100_000)
	first := cfg.Clock().AddDate(0, 0, 4).In(lagos.Zone)
	view := must[object](c.ada, "POST", "/api/Ajo/CreateExistingGroupAjo", object{
		"name": "Balogun weekly", "description": "Four hands", "type": "GROUP", "amount": weekly, "duration": 4, "memberCapacity": 4, "order": "JOIN_ORDER", "deposit": deposit,
		"startMonthId": int(first.Month()), "year": first.Year(), "frequency": "WEEKLY", "dueDay": first.Day(), "email": c.ada.email,
	})
	c.id = view["id"].(string)
	code := c.i.App.Ajo.InvitationCode(c.id)
	for n, p := range c.all()[1:] {
		terms := must[object](p, "GET", "/api/Ajo/GetAjoDataById/"+c.id+"?code="+code, nil)["termsHash"]
		must[object](p, "POST", "/api/Ajo/JoinAjoGroup", object{"ajoId": c.id, "code": code, "hands": "1", "termsHash": terms, "nonce": fmt.Sprintf("%032x", n+1), "email": p.email})
	}
	return c
}

// begins has Ada close the list, and the order is that in which they joined.
func (c *circle) begins() {
	c.Helper()
	closed := c.ada.ask("POST", "/api/v1/ajo/"+c.id+"/close", object{})
	require.Equal(c, http.StatusOK, closed.status, closed.Message)
}

func (c *circle) sees(p *person) object {
	c.Helper()
	return must[object](p, "GET", "/api/Ajo/GetAjoById/"+c.id, nil)
}

// byCard pays a due of a cycle by card, the deposit where it is 0, and answers the payment's reference.
func (c *circle) byCard(p *person, cycle int) string {
	c.Helper()
	payment := c.starts(p, cycle)
	p.paysWith(payment, p.balance())
	return payment["transactionRef"].(string)
}

// starts does so until the card is asked for.
func (c *circle) starts(p *person, cycle int) object {
	c.Helper()
	form := object{"amount": weekly, "channel": "CARD", "ajoId": c.id}
	if cycle > 0 {
		form["cycle"], form["seat"] = cycle, c.sees(p)["me"].(object)["seats"].([]any)[0]
	}
	started := must[object](p, "POST", generate, form)
	return must[object](p, "POST", makePay, object{"transactionRef": started["transactionRef"], "amount": started["total"]})
}

// byWallet pays the same from the wallet.
func (c *circle) byWallet(p *person, cycle int) {
	c.Helper()
	form := object{"what": "DEPOSIT", "amount": weekly, "userId": p.id}
	if cycle > 0 {
		form["what"], form["cycle"], form["seat"] = "DUE", cycle, c.sees(p)["me"].(object)["seats"].([]any)[0]
	}
	r := p.ask("POST", "/api/v1/ajo/"+c.id+"/pay", form)
	require.Equal(c, http.StatusOK, r.status, r.Message)
}

// shows waits until somebody's page shows something.
func (c *circle) shows(p *person, why string, is func(page object) bool) {
	c.Helper()
	require.Eventually(c, func() bool { return is(c.sees(p)) }, time.Minute, 20*time.Millisecond, why)
}

func (c *circle) deposited(p *person, want float64) {
	c.Helper()
	c.shows(p, "deposited", func(page object) bool { return page["me"].(object)["deposited"] == want })
}

func (c *circle) collected(cycle int, want float64) {
	c.Helper()
	c.shows(c.ada, "collected", func(page object) bool { return page["cycles"].([]any)[cycle-1].(object)["collected"] == want })
}

func (c *circle) ready(cycle int) {
	c.Helper()
	c.shows(c.ada, "ready", func(page object) bool { return page["cycles"].([]any)[cycle-1].(object)["status"] == "READY" })
}

// takesBack has the gateway take a payment back and tell of it twice, and its payer hear of it.
func (c *circle) takesBack(p *person, reference string) {
	c.Helper()
	before := p.tellings("payment_reversed")
	require.NoError(c, c.i.Bank.TakeBack(context.Background(), sandbox.Takeback{Reference: reference, Twice: true}))
	require.Eventually(c, func() bool { return p.tellings("payment_reversed") > before }, time.Minute, 20*time.Millisecond)
}

func TestWhatABankTakesBackOfAnAjoLeavesItWhereverItIs(t *testing.T) {
	t.Parallel()
	c := joined(t, 1)

	// A deposit goes out again, and its payer owes nothing.
	deposit := c.byCard(c.chi, 0)
	c.deposited(c.chi, weekly)
	c.takesBack(c.chi, deposit)
	c.deposited(c.chi, 0)
	c.owes(c.chi, "none")
	c.byCard(c.chi, 0)
	c.byCard(c.deji, 0)
	c.byWallet(c.ada, 0)
	c.byWallet(c.bola, 0)
	c.deposited(c.deji, weekly)
	c.deposited(c.bola, weekly)
	c.begins()

	// A due of a pot that is not ready is open again, and is paid again.
	due := c.byCard(c.chi, 1)
	c.collected(1, weekly)
	c.takesBack(c.chi, due)
	c.collected(1, 0)
	c.owes(c.chi, "none")
	due = c.byCard(c.chi, 1)
	other := c.byCard(c.deji, 1)
	c.byWallet(c.ada, 1)
	c.ready(1)

	// Of a pot that is ready it is missing, and the payer's deposit makes it good.
	c.takesBack(c.chi, due)
	c.deposited(c.chi, 0)
	c.collected(1, 3*weekly)
	c.owes(c.chi, "none")
	c.collects(1)

	// Of a pot that is paid its payer owes it to Adashi, and money that comes in pays that first.
	c.takesBack(c.deji, other)
	c.owes(c.deji, "8000.00")
	c.deposited(c.deji, weekly)
	started := must[object](c.deji, "POST", fund, object{"amount": 10_000, "email": c.deji.email})
	c.deji.sends(started, "10000")
	c.deji.holds("2000.00")
	c.owes(c.deji, "none")
}

func TestMoneyInTimeThatIsToldLateIsOwedAgainWhenTheBankTakesItBack(t *testing.T) {
	t.Parallel()
	c, ctx := joined(t, 0), context.Background()
	c.begins()
	c.byWallet(c.ada, 1)
	c.byCard(c.deji, 1)
	late := c.starts(c.chi, 1)["transactionRef"].(string)
	require.NoError(t, c.i.Bank.PayCardAnd(ctx, late, time.Time{}, sandbox.Telling{Silent: true}))
	debts := func() (owed []string) {
		for _, d := range c.sees(c.chi)["debts"].([]any) {
			if d := d.(object); d["iOwe"] == true && d["left"] != 0.0 {
				owed = append(owed, naira(t, d["left"]))
			}
		}
		return owed
	}

	// The week is over and no webhook came: Chi owes her due to Bola, who collects, with 5 %.
	c.passes(11)
	require.Eventually(t, func() bool { return slices.Equal(debts(), []string{"8400.00"}) }, time.Minute, 20*time.Millisecond, "%v", debts())

	// The gateway answers that it was there in time, so it pays the debt without the 5 %.
	must[object](c.chi, "GET", "/api/Payment/verify-transaction/"+late, nil)
	require.Eventually(t, func() bool { return len(debts()) == 0 }, time.Minute, 20*time.Millisecond, "%v", debts())
	c.owes(c.chi, "none")
	c.takesBack(c.chi, late)
	c.owes(c.chi, "8000.00")
}

// owes waits until somebody owes so much to Adashi.
func (c *circle) owes(p *person, want string) {
	c.Helper()
	require.Eventually(c, func() bool {
		return naira(c, must[object](p, "GET", "/api/Wallet/GetWalletBalance/?email="+url.QueryEscape(p.email), nil)["owed"]) == want
	}, time.Minute, 20*time.Millisecond, "nothing says that they owe %s", want)
}

// collects has Bola ask for the pot of a cycle into her wallet, and the others approve it until it is paid.
func (c *circle) collects(cycle int) {
	c.Helper()
	at := fmt.Sprintf("/api/v1/ajo/%s/payouts/%d", c.id, cycle)
	pot := must[object](c.bola, "GET", at, nil)
	must[any](c.bola, "POST", stepUp, object{"password": password})
	asked := c.bola.ask("POST", "/api/Payment/ajo-liquidation-request", object{"ajoId": c.id, "cycle": cycle, "amount": pot["mine"], "destination": "WALLET", "userId": c.bola.id})
	require.Equal(c, http.StatusOK, asked.status, asked.Message)
	for _, p := range c.all() {
		if must[object](p, "GET", at, nil)["mayApprove"] == true && p != c.bola {
			must[any](p, "POST", stepUp, object{"password": password})
			must[object](p, "POST", at+"/approve", nil)
		}
	}
	require.Equal(c, "PAID", must[object](c.bola, "GET", at, nil)["status"])
}
