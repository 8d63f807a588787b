package e2e

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/vault"
)

const (
	asksFor      = "/api/GroupSavings/group-savings-liquidation-vfd"
	liquidations = "/api/v1/savings/liquidations"
	decides      = "/api/GroupSavings/validate-liquidation-request/"
	askedOf      = "/api/GroupSavings/get-savings-liquidation-request-list/"
)

// chest is a club whose member has saved ₦40,000, has a bank account of their own and has stepped up; another saved
// ₦20,000.
type chest struct {
	scene
	at    sandbox.Person // The member's account.
	eve   *person        // A member who holds no office.
	baker sandbox.Person // Whom the group owes.
}

func newChest(t testing.TB, i *boot.Instance) chest {
	t.Helper()
	c := chest{scene: scene{club: settled(t, i), i: i, outsider: somebody(t, i, "Eve")}, eve: somebody(t, i, "Eve")}
	c.admitsAll(c.eve)
	c.sub = c.opens("Welfare", "FLEXIBLE", "MONTHLY", 100)
	_, c.at = c.member.banked(i, "Bisi")
	_, _ = c.eve.banked(i, "Eve")
	var err error
	c.baker, err = i.Bank.AddPerson(context.Background(), sandbox.Person{FirstName: "Iya", LastName: "Baker", BankCode: "082"})
	require.NoError(t, err)
	require.Equal(t, 200, c.member.funded(40_000).pays(c.sub, 40_000).status)
	require.Equal(t, 200, c.eve.funded(20_000).pays(c.sub, 20_000).status)
	for _, p := range []*person{c.owner, c.approver, c.validator, c.member, c.eve} {
		p.stepsUp()
	}
	return c
}

// savings is a request for the asker's own money.
func (c chest) savings(p *person, naira int) object {
	return object{"groupId": c.group, "subAccountId": c.sub, "amount": naira, "net": netOf(naira), "kind": "MEMBER_WITHDRAWAL", "reason": "School fees", "userId": p.id}
}

// baked is a request that the group pays the baker.
func (c chest) baked(p *person, naira int) object {
	return merge(c.savings(p, naira), object{"kind": "GROUP_DISBURSEMENT", "reason": "Bread for the meeting", "bankCode": c.baker.BankCode, "accountNumber": c.baker.Account})
}

func (c chest) decided(p *person, id, verdict string) reply {
	return p.ask("POST", decides+c.group+"/"+id+"/"+verdict, object{"reason": "Not this month"})
}

// approved has a request validated and approved as far as it needs.
func (c chest) approved(id string) {
	c.owner.Helper()
	require.Equal(c.owner, 200, c.decided(c.validator, id, "approve").status)
	for _, p := range []*person{c.approver, c.owner} {
		if view := c.stands(id); view["status"] == "VALIDATED" && view["requestedBy"] != p.id {
			require.Equal(c.owner, 200, c.decided(p, id, "approve").status)
		}
	}
}

func (c chest) stands(id string) object {
	return must[object](c.owner, "GET", liquidations+"/"+id, nil)
}

// becomes waits until a request stands so.
func (c chest) becomes(id, status string) (view object) {
	c.owner.Helper()
	require.Eventually(c.owner, func() bool { view = c.stands(id); return view["status"] == status }, time.Minute, 20*time.Millisecond, "it never became %s", status)
	return view
}

// pool is what the ledger has in the sub-account, and of it set aside, in kobo.
func (c chest) pool() (free, held int64) {
	c.owner.Helper()
	_, err := c.i.Pool.Exec(context.Background(), "SELECT ledger_settle()")
	require.NoError(c.owner, err)
	require.NoError(c.owner, c.i.Pool.QueryRow(context.Background(), `SELECT coalesce(sum(balance) FILTER (WHERE account = 'pool:' || $1), 0)::bigint,
		coalesce(sum(balance) FILTER (WHERE account = 'held:pool:' || $1), 0)::bigint FROM ledger_accounts WHERE account IN ('pool:' || $1, 'held:pool:' || $1)`, c.sub).Scan(&free, &held))
	return free, held
}

func (p *person) saves(naira float64) {
	p.Helper()
	require.Eventually(p, func() bool {
		return must[object](p, "GET", "/api/Wallet/get-user-balance?email="+p.email, nil)["savingsBalance"] == naira
	}, time.Minute, 20*time.Millisecond, "their savings were never %v", naira)
}

func TestSavingsGoFromRequestToPaidAndEverybodyConcernedFollows(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	quote := must[object](c.member, "POST", liquidations+"/quote", object{"subAccountId": c.sub, "amount": 30_000, "kind": "MEMBER_WITHDRAWAL"})
	for name, want := range map[string]any{"net": netOf(30_000), "stampDuty": 50.0, "accountNumber": c.at.Account[6:], "accountName": "TEST BISI", "available": 40_000.0} {
		require.Equal(t, want, quote[name], name)
	}
	id := c.member.ask("POST", asksFor, c.savings(c.member, 30_000), "Idempotency-Key", "asks once").id(t)
	require.Equal(t, id, c.member.ask("POST", asksFor, c.savings(c.member, 30_000), "Idempotency-Key", "asks once").id(t))
	free, held := c.pool()
	require.Equal(t, []int64{30_000_00, 30_000_00}, []int64{free, held})
	c.member.saves(10_000)
	c.validator.told("liquidation_requested")

	require.Equal(t, 403, c.decided(c.member, id, "approve").status)
	require.Equal(t, 404, c.decided(c.eve, id, "approve").status, "not hers to know")
	require.Equal(t, 404, c.decided(c.outsider.stepsUp(), id, "approve").status)
	require.Equal(t, 409, c.decided(c.approver, id, "approve").status)
	require.Equal(t, []any{"VALIDATE", "REJECT"}, must[object](c.validator, "GET", liquidations+"/"+id, nil)["may"])
	require.Equal(t, 200, c.decided(c.validator, id, "approve").status)
	require.Equal(t, 409, c.decided(c.validator, id, "approve").status)
	c.approver.told("liquidation_validated")
	first := c.decided(c.approver, id, "approve").object(t)
	require.Equal(t, []any{"VALIDATED", 1.0, 2.0}, []any{first["status"], first["approvals"], first["approvalsNeeded"]})
	require.Equal(t, 409, c.decided(c.approver, id, "approve").status)
	require.Equal(t, "APPROVED", c.decided(c.owner, id, "approve").object(t)["status"])
	paid := c.becomes(id, "PAID")
	orders, kobo := atTheBank(t, c.i.Pool, c.at.Account)
	require.Equal(t, []any{1, int64(netOf(30_000) * 100)}, []any{orders, kobo})
	free, held = c.pool()
	require.Equal(t, []int64{30_000_00, 0}, []int64{free, held})
	c.member.told("liquidation_paid")
	c.member.saves(10_000)
	var steps []string
	for _, step := range paid["story"].([]any) {
		steps = append(steps, step.(object)["step"].(string))
	}
	require.Equal(t, []string{"INITIATED", "VALIDATED", "APPROVED", "APPROVED", "SENT", "CONFIRMED"}, steps)
	require.Empty(t, must[object](c.eve, "GET", askedOf+c.group, nil)["requests"])
	moved := c.member.moves("?kind=SAVINGS_PAID_OUT")
	require.Len(t, moved, 1)
	require.NotContains(t, moved[0], "balanceAfter")
	told := must[object](c.member, "GET", "/api/v1/activity/"+moved[0]["id"].(string), nil)["story"].([]any)
	require.Len(t, told, len(steps)+1, "its story, and that it was posted")
	c.member.holds("0.00")
	require.Len(t, must[object](c.member, "GET", askedOf+c.group+"?status=PAID", nil)["requests"], 1)
	require.Equal(t, 404, c.outsider.ask("GET", askedOf+c.group, nil).status)
}

func TestTheGroupPaysItsBakerAndWhatIsRejectedIsFreeAgain(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	require.Eventually(t, func() bool {
		quote := must[object](c.eve, "POST", liquidations+"/quote", object{"subAccountId": c.sub, "amount": 5_000, "kind": "GROUP_DISBURSEMENT", "bankCode": c.baker.BankCode, "accountNumber": c.baker.Account})
		require.Equal(t, "BAKER IYA", quote["accountName"])
		return quote["available"] == 60_000.0
	}, time.Minute, 20*time.Millisecond, "both payments are in the pool")
	id := c.eve.ask("POST", asksFor, c.baked(c.eve, 5_000)).id(t)
	require.Equal(t, 409, c.eve.ask("POST", asksFor, c.baked(c.eve, 1_000)).status, "one at a time")
	require.Equal(t, 200, c.decided(c.validator, id, "approve").status)
	rejected := c.decided(c.owner, id, "reject").object(t)
	require.Equal(t, []any{"APPROVAL_REJECTED", "Not this month"}, []any{rejected["status"], rejected["endReason"]})
	free, held := c.pool()
	require.Equal(t, []int64{60_000_00, 0}, []int64{free, held})
	c.eve.told("liquidation_rejected")

	own := c.approver.ask("POST", asksFor, c.baked(c.approver, 5_000)).id(t)
	require.Equal(t, 403, c.decided(c.approver, own, "approve").status)
	c.approved(own)
	c.becomes(own, "PAID")
	orders, _ := atTheBank(t, c.i.Pool, c.baker.Account)
	require.Equal(t, 1, orders)
	require.Len(t, must[object](c.member, "GET", askedOf+c.group, nil)["requests"], 2, "they see the total, so they see these")

	info := must[object](c.owner, "GET", "/api/Account/GetUserInfoById/"+c.owner.id, nil)
	mine := merge(c.baked(c.eve, 2_000), object{"bankCode": info["bankCode"], "accountNumber": info["bankAccountNumber"]})
	toOwner := c.eve.ask("POST", asksFor, mine)
	require.Equal(t, 409, toOwner.status)
	require.Contains(t, toOwner.Message, "Another approver must be appointed first", "the owner may not decide on it, and one approval is too few")
}

func TestARequestThatIsTriedAgainNeverGoesWhereItWouldHaveGoneBefore(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	command := store.CommandID(c.eve.id, "request liquidation", "tried before")
	require.NoError(t, c.i.App.Vault.Begin(context.Background(), c.eve.id))
	require.NoError(t, c.i.App.Vault.SealPayee(context.Background(), c.eve.id, event.DeriveID(command, "liquidation").String(),
		vault.Payee{BankCode: c.at.BankCode, Number: c.at.Account, AccountName: "TEST BISI"}, time.Now())) // And then the process died.
	r := c.eve.ask("POST", asksFor, c.baked(c.eve, 1_000), "Idempotency-Key", "tried before")
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "to go elsewhere")
	_, held := c.pool()
	require.Zero(t, held)
	require.Equal(t, 200, c.eve.ask("POST", asksFor, c.baked(c.eve, 1_000), "Idempotency-Key", "tried anew").status)
}

func TestALinkThatDecidesAnswersOnlyWhoOpensItAndTheSameTwice(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	id := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	link := decides + c.group + "/" + id + "/approve"
	for _, ahead := range [][]string{
		{"Sec-Purpose", "prefetch"},
		{"Sec-Purpose", "prefetch;prerender"},
		{"Purpose", "prefetch"},
		{"X-Moz", "prefetch"},
		{"X-Purpose", "preview"},
		{"Sec-Fetch-Dest", "image"},
		{"Sec-Fetch-Mode", "no-cors"},
	} {
		require.Equal(t, 403, c.validator.ask("GET", link, nil, ahead...).status, ahead)
	}
	request, err := http.NewRequest(http.MethodHead, c.validator.base+link, nil)
	require.NoError(t, err)
	c.validator.shows(request)
	head, err := client.Do(request)
	require.NoError(t, err)
	require.NoError(t, head.Body.Close())
	require.Equal(t, 403, head.StatusCode)
	require.Equal(t, "REQUESTED", c.stands(id)["status"])
	require.Equal(t, "STEP_UP", c.validator.again().ask("GET", link, nil).ReturnedCode)
	for range 2 {
		r := c.validator.ask("GET", link, nil, "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty")
		require.Equal(t, []any{200, "VALIDATED"}, []any{r.status, r.object(t)["status"]})
	}
	require.Equal(t, 1, eventsOf(t, c.i.Pool, id, "LiquidationValidated"))
	require.Equal(t, 404, c.validator.ask("GET", decides+c.group+"/"+id+"/perhaps", nil).status/100*100+4, "not 200")
	require.Equal(t, 200, c.owner.ask("GET", decides+c.group+"/"+id+"/reject", nil).status)
	require.Equal(t, "APPROVAL_REJECTED", c.stands(id)["status"])
}

func TestARequestThatTheBankRefusesWaitsForAnApproverAndIsSentUnderAnotherReference(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	ctx := context.Background()
	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account, Code: "91"}))
	id := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(id)
	require.NotEmpty(t, c.becomes(id, "PAYOUT_FAILED")["endReason"])
	c.approver.told("liquidation_failed")
	_, held := c.pool()
	require.EqualValues(t, 1_000_00, held)
	require.Equal(t, 409, c.member.ask("POST", liquidations+"/"+id+"/cancel", nil).status)
	require.Equal(t, 403, c.member.ask("POST", liquidations+"/"+id+"/retry", nil).status)
	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account, Code: "00"}))
	require.Equal(t, "APPROVED", must[object](c.approver, "POST", liquidations+"/"+id+"/retry", nil)["status"])
	c.becomes(id, "PAID")
	var references, orders int
	require.NoError(t, c.i.Pool.QueryRow(ctx, `SELECT count(DISTINCT reference), max(orders) FROM sandbox_payouts WHERE account_number = $1`, c.at.Account).Scan(&references, &orders))
	require.Equal(t, []int{2, 1}, []int{references, orders})

	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account, Code: "91"}))
	id = c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(id)
	c.becomes(id, "PAYOUT_FAILED")
	require.Equal(t, "RELEASED", must[object](c.owner, "POST", liquidations+"/"+id+"/release", object{"reason": "Their account is closed"})["status"])
	free, held := c.pool()
	require.Equal(t, []int64{59_000_00, 0}, []int64{free, held})
	c.member.saves(39_000)
}

func TestWhatComesBackIsSavedAgainAndWhatIsInDoubtIsNeverSentAgain(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	ctx, after := context.Background(), time.Duration(0)
	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account, Reverse: &after}))
	id := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(t)
	c.approved(id)
	require.Eventually(t, func() bool {
		_, err := c.i.App.Payouts.AskPayout(ctx, id)
		require.NoError(t, err)
		return c.stands(id)["status"] == "REVERSED"
	}, time.Minute, 50*time.Millisecond)
	c.member.saves(40_000)
	free, held := c.pool()
	require.Equal(t, []int64{60_000_00, 0}, []int64{free, held})

	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.baker.Account, Code: "96"}))
	id = c.eve.ask("POST", asksFor, c.baked(c.eve, 2_000)).id(t)
	c.approved(id)
	c.becomes(id, "PAYOUT_PENDING")
	desk := c.staff(t, "Femi", people.RoleFinanceOps)
	view := must[object](desk, "POST", payoutsDesk+"/"+id+"/query", object{})
	require.Equal(t, []any{"SENT", "LIQUIDATION"}, []any{view["status"], view["kind"]})
	require.Equal(t, 409, c.approver.ask("POST", liquidations+"/"+id+"/retry", nil).status)
	require.Equal(t, 409, c.approver.ask("POST", liquidations+"/"+id+"/release", object{"reason": "Enough"}).status)
	for _, later := range []time.Duration{5 * time.Minute, 16 * time.Minute} {
		_, err := c.i.App.At(time.Now().Add(later)).Payouts.AskPayout(ctx, id)
		require.NoError(t, err)
		require.NoError(t, c.i.App.Payouts.SendPayouts(ctx))
	}
	orders, _ := atTheBank(t, c.i.Pool, c.baker.Account)
	require.Equal(t, 1, orders)
	require.Equal(t, "PAYOUT_PENDING", c.stands(id)["status"])
}

func TestAHiddenTotalIsToldByNothingOfRequestsAndAudits(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	must[any](c.owner, "POST", "/api/GroupSavings/update-balance-display", object{"groupId": c.group, "showTotalBalance": false})
	id := c.owner.ask("POST", asksFor, c.baked(c.owner, 55_000)).id(t) // ₦5,000 of 60,000 is left.
	require.Eventually(t, func() bool {
		return must[object](c.eve, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)["totalHidden"] == true
	}, time.Minute, 20*time.Millisecond)
	require.Equal(t, 403, c.eve.ask("POST", asksFor, c.baked(c.eve, 100)).status)
	before := c.eve.again()
	for _, naira := range []int{20_000, 5_001, 5_000, 4_999} { // The same whatever there is.
		require.Equal(t, "STEP_UP", before.ask("POST", asksFor, c.savings(c.eve, naira)).ReturnedCode, "nothing is said before they showed again who they are")
		view := c.eve.ask("POST", asksFor, c.savings(c.eve, naira)).object(t)
		require.Equal(t, []any{"REQUESTED", float64(naira)}, []any{view["status"], view["amount"]})
		require.NotContains(t, fmt.Sprint(view["story"]), "set aside")
		require.EqualValues(t, naira, must[object](c.eve, "GET", askedOf+c.group, nil)["held"])
		require.Equal(t, 200, c.eve.ask("POST", liquidations+"/"+view["id"].(string)+"/cancel", nil).status)
	}
	quote := must[object](c.eve, "POST", liquidations+"/quote", object{"subAccountId": c.sub, "amount": 20_000, "kind": "MEMBER_WITHDRAWAL"}, "Idempotency-Key", "a quote of hers")
	require.Equal(t, 20_000.0, quote["available"], "her own")
	page := must[object](c.eve, "GET", askedOf+c.group+"?status=OPEN", nil)
	require.Equal(t, 0.0, page["held"])
	require.Len(t, page["requests"], 1, "every member sees that the group is to pay somebody")
	for _, view := range []object{must[object](c.eve, "GET", liquidations+"/"+id, nil), page["requests"].([]any)[0].(object)} {
		require.Equal(t, []any{true, 0.0, 0.0, 0.0}, []any{view["amountHidden"], view["amount"], view["net"], view["charges"]}, "and no amount")
		require.NotRegexp(t, "55,000|5,000|54,9", fmt.Sprint(view["story"]))
	}
	c.eve.told("liquidation_requested")
	for _, told := range must[object](c.eve, "GET", "/api/Notification/all", nil)["notifications"].([]any) {
		if told.(object)["type"] == "liquidation_requested" {
			require.NotContains(t, told.(object)["data"], "amount")
			require.NotRegexp(t, "55,000", fmt.Sprint(told))
		}
	}
	require.Equal(t, 403, c.eve.ask("GET", "/api/v1/savings/groups/"+c.group+"/audit", nil).status)
	require.Equal(t, 403, c.eve.ask("GET", "/api/v1/savings/groups/"+c.group+"/audit.csv", nil).status)
	info := must[object](c.eve, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)
	for _, field := range []string{"audit", "activeBalance", "bookBalance"} {
		require.NotContains(t, info, field)
	}
	seen := must[object](c.owner, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)
	require.Equal(t, []any{5_000.0, 60_000.0}, []any{seen["activeBalance"], seen["bookBalance"]})
	for _, row := range must[[]object](c.owner, "GET", "/api/v1/savings/search?q="+url.QueryEscape(seen["name"].(string)), nil) {
		if row["id"] == c.group {
			require.Equal(t, 5_000.0, row["totalSaved"], "the search says what the group's page says")
		}
	}
}
