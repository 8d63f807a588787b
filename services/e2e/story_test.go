package e2e

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var tokenInMail = regexp.MustCompile(`/verifyMail\?token=([A-Za-z0-9_-]+)`)

// signedUp signs up, reads the mail, verifies and logs in.
func signedUp(t *testing.T, base, name string) *person {
	t.Helper()
	p := &person{TB: t, base: base, email: fmt.Sprintf("%s-%d@example.com", strings.ToLower(name), serial.Add(1))}
	signUp := object{"email": p.email, "password": password, "firstName": name, "lastName": "Story", "phone": "08031234567", "dateOfBirth": "1990-01-01"}
	require.Contains(t, p.ask("POST", "/api/Account/Register", signUp).Message, "verification link")
	early := p.ask("POST", "/api/Account/GetToken", object{"email": p.email, "password": password})
	require.Equal(t, 403, early.status, "nobody logs in before the mail is verified")
	link := tokenInMail.FindStringSubmatch(p.page("/dev/inbox?to=" + url.QueryEscape(p.email)))
	require.NotNil(t, link, "the mail is in the inbox")
	must[any](p, "POST", "/api/v1/account/verify-email", object{"token": link[1], "password": password})
	again := p.ask("POST", "/api/v1/account/verify-email", object{"token": link[1], "password": password})
	require.Equal(t, 400, again.status, "a link works once")
	p.logIn()
	return p
}

func TestOneNairaGoesAllTheWayRound(t *testing.T) {
	t.Parallel()
	base := product(t).Address
	a, b, c, d := signedUp(t, base, "Ada"), signedUp(t, base, "Bisi"), signedUp(t, base, "Chidi"), signedUp(t, base, "Dayo")
	b.fundsBothWays()
	club := club{owner: a, member: b, validator: c, approver: d, group: a.founds("Balogun Story")}
	club.admits()
	club.sub = club.opens("Monthly dues", "FIXED", "MONTHLY", 5000)
	paid := must[object](b, "POST", "/api/Wallet/make-payment-with-wallet",
		object{"amount": 5000, "subAccountId": club.sub, "userId": b.id, "monthId": lagosMonth()}, "Idempotency-Key", "story-"+b.id)
	require.Equal(t, "5000.00", naira(t, paid["amount"]))
	b.holds("20000.00")
	club.showsThePayment()
	b.readsTheStory(paid["id"].(string))
	b.logsOut()
}

// fundsBothWays brings ₦20,000 by transfer and ₦5,000 by card into the wallet, by webhook alone.
func (p *person) fundsBothWays() {
	p.Helper()
	transfer := must[object](p, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 20000, "email": p.email})
	require.Equal(p, "0.00", naira(p, transfer["extraCharges"]))
	require.Equal(p, 422, p.sends(transfer, "19999.99").StatusCode, "the bank takes the exact amount only")
	require.Equal(p, 303, p.sends(transfer, "20,000").StatusCode)
	p.holds("20000.00")
	card := must[object](p, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 5000, "email": p.email, "channel": "CARD"})
	require.Equal(p, "177.67", naira(p, card["extraCharges"]))
	require.Equal(p, "5177.67", naira(p, card["total"]))
	checkout, err := url.Parse(card["checkoutUrl"].(string))
	require.NoError(p, err)
	require.Contains(p, p.page(checkout.Path), "₦5,177.67")
	back := p.form(checkout.Path, url.Values{"action": {"pay"}, "twice": {"1"}})
	require.Equal(p, 303, back.StatusCode)
	require.Contains(p, back.Header.Get("Location"), "reference="+card["transactionRef"].(string))
	p.holds("25000.00")
	confirmed := must[object](p, "POST", "/api/Payment/verifyFirstTransaction", object{"transactionRef": card["transactionRef"]})
	require.Equal(p, "CONFIRMED", confirmed["status"])
	require.Equal(p, "25000.00", p.balance(), "webhook, its twin and verification credit once")
}

// admits lets everybody in by the link and gives the offices; the group becomes active as its owner's BVN is verified.
func (c club) admits() {
	c.owner.Helper()
	code := c.owner.code(c.group)
	invitation := must[object](nobody(c.owner, c.owner.base), "GET", "/api/v1/savings/invitations/"+c.group+"?code="+code, nil)
	require.Equal(c.owner, "Ada Story", invitation["invitedBy"])
	for _, p := range []*person{c.member, c.validator, c.approver} {
		joined := p.ask("POST", "/api/GroupSavings/JoinGroupSavings", object{"groupId": c.group, "code": code, "email": p.email})
		require.Equal(p, 200, joined.status, joined.Message)
		waiting := must[object](p, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil, "X-Min-Position", joined.header.Get("X-Position"))
		require.Equal(p, "PENDING", waiting["memberStatus"])
		must[any](c.owner, "PATCH", "/api/GroupSavings/ApproveGroupMember", object{"groupId": c.group, "memberId": p.id})
	}
	c.appoints()
	read := func() object {
		return must[object](c.owner, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)
	}
	require.Eventually(c.owner, func() bool { return len(read()["missing"].([]any)) == 1 }, time.Minute, 10*time.Millisecond)
	waits := read()
	require.Equal(c.owner, []any{"PENDING_APPROVAL", []any{"The owner's BVN: the owner verifies it in their profile."}}, []any{waits["status"], waits["missing"]})
	c.owner.known()
	require.Eventually(c.owner, func() bool { return read()["status"] == "ACTIVE" }, time.Minute, 10*time.Millisecond)
}

// showsThePayment is what the owner sees: total, tick, notification, and the row in the search drawer.
func (c club) showsThePayment() {
	c.owner.Helper()
	require.Eventually(c.owner, func() bool {
		info := must[object](c.owner, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)
		return naira(c.owner, info["bookBalance"]) == "5000.00" && info["paidThisMonth"] == 1.0
	}, time.Minute, 10*time.Millisecond)
	subs := must[object](c.member, "GET", "/api/GroupSavings/GetGroupSubAccounts/"+c.group, nil)["SubAccounts"].([]any)
	sub := subs[0].(object)
	require.Equal(c.owner, "5000.00", naira(c.owner, sub["totalAmountContributed"]))
	require.Equal(c.owner, "PAID", sub["dues"].([]any)[0].(object)["status"])
	require.Eventually(c.owner, func() bool {
		told := must[object](c.owner, "GET", "/api/Notification/all", nil)["notifications"].([]any)
		first := told[0].(object)
		return first["type"] == "payment_received" && first["data"].(object)["body"] == "Bisi Story paid ₦5,000.00 to Balogun Story · Monthly dues."
	}, time.Minute, 10*time.Millisecond)
	rows := must[[]object](c.validator, "GET", "/api/v1/savings/search?q=balogun+story", nil)
	require.Equal(c.owner, c.group, rows[0]["id"])
	require.Equal(c.owner, "5000.00", naira(c.owner, rows[0]["totalSaved"]))
}

// readsTheStory opens the movement: initiated, confirmed, posted, and a double entry that sums to nothing.
func (p *person) readsTheStory(id string) {
	p.Helper()
	var detail object
	require.Eventually(p, func() bool {
		r := p.ask("GET", "/api/v1/activity/"+id, nil)
		if r.status == 200 {
			detail = must[object](p, "GET", "/api/v1/activity/"+id, nil)
		}
		return r.status == 200
	}, time.Minute, 10*time.Millisecond)
	var steps []string
	for _, step := range detail["story"].([]any) {
		steps = append(steps, step.(object)["step"].(string))
	}
	require.Equal(p, []string{"INITIATED", "CONFIRMED", "POSTED", "WAITING"}, steps)
	require.Len(p, detail["leafHash"], 64)
	moves := must[object](p, "GET", "/api/v1/activity", nil)["transactions"].([]any)
	require.Len(p, moves, 3)
	require.Equal(p, id, moves[0].(object)["id"])
	for _, move := range moves {
		one := must[object](p, "GET", "/api/v1/activity/"+move.(object)["id"].(string), nil)
		sum := 0.0
		for _, entry := range one["entries"].([]any) {
			e := entry.(object)
			require.NotEmpty(p, e["words"])
			if e["side"] == "DEBIT" {
				sum -= e["amount"].(float64)
			} else {
				sum += e["amount"].(float64)
			}
		}
		require.InDelta(p, 0, sum, 0.001, "%v", one["entries"])
	}
}

func (p *person) logsOut() {
	p.Helper()
	must[any](p, "POST", "/api/v1/account/logout", nil)
	require.Equal(p, 401, p.ask("GET", "/api/v1/activity", nil).status)
}
