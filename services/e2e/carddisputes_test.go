package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

// disputesOf are a member's disputes that a card's bank has.
func disputesOf(p *person) (all []object) {
	p.Helper()
	for _, row := range must[object](p, "GET", "/api/v1/disputes", nil)["disputes"].([]any) {
		if d := row.(object); d["kind"] == "CARD" {
			all = append(all, d)
		}
	}
	return all
}

func TestTheBankOfACardOpensADisputeAndEndsIt(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	desk := staff(t, i, "Sade", people.RoleSupport)
	c := found(t, i)
	paid := func(holds string) string {
		payment := must[object](c.member, "POST", fund, object{"amount": 5000, "email": c.member.email, "channel": "CARD"})
		c.member.paysWith(payment, holds)
		return payment["transactionRef"].(string)
	}
	first := paid("5000.00")
	id, err := i.Bank.Disputes(ctx, sandbox.CardDispute{Reference: first, Category: "fraud", Twice: true})
	require.NoError(t, err)
	c.member.told("card_disputed")
	all := disputesOf(c.member)
	require.Len(t, all, 1, "two webhooks tell of one dispute")
	d := must[object](c.member, "GET", "/api/v1/disputes/"+all[0]["id"].(string), nil)
	require.Equal(t, []any{"OPEN", "5177.67", false, "fraud"}, []any{d["status"], naira(t, d["amount"]), d["mayWithdraw"], d["bankReason"]})
	require.NotEmpty(t, d["movementId"], "the payment can be opened from it")
	step := d["steps"].([]any)[0].(object)
	require.Equal(t, []any{"BANK_OPENED", "BANK"}, []any{step["kind"], step["by"]})
	require.NotEmpty(t, step["until"])
	c.member.holds("5000.00")
	require.Equal(t, http.StatusConflict, c.member.ask("POST", "/api/v1/disputes/"+d["id"].(string)+"/withdraw", object{}).status, "the bank's is not the member's to take back")
	require.Equal(t, http.StatusNotFound, c.owner.ask("GET", "/api/v1/disputes/"+d["id"].(string), nil).status)

	// Support takes it like any other, and asks the member.
	kase := "/api/v1/support/cases/" + d["id"].(string)
	require.Equal(t, 200, desk.ask("POST", kase+"/take", object{}).status)
	require.Equal(t, 200, desk.ask("POST", kase+"/ask", object{"words": "Was it you who paid by this card?"}).status)
	require.Equal(t, 200, c.member.ask("POST", "/api/v1/disputes/"+d["id"].(string)+"/answer", object{"words": "Yes, my brother used it for me."}).status)

	// The bank takes the money back: the wallet gives it back once, and the case is over for good.
	require.NoError(t, i.Bank.EndDispute(ctx, id, true))
	c.member.told("card_dispute_ended")
	c.member.told("payment_reversed")
	c.member.holds("0.00")
	d = must[object](c.member, "GET", "/api/v1/disputes/"+d["id"].(string), nil)
	require.Equal(t, []any{"RESOLVED_UPHELD", false}, []any{d["status"], d["mayReopen"]})
	require.Equal(t, http.StatusConflict, desk.ask("POST", kase+"/resolve", object{"upheld": true, "words": "It was decided by the bank."}).status)

	// One that no webhook told of is found by asking; the other's end lets the payment stand.
	second := paid("5000.00")
	id, err = i.Bank.Disputes(ctx, sandbox.CardDispute{Reference: second, Category: "chargeback", Silent: true})
	require.NoError(t, err)
	require.Len(t, disputesOf(c.member), 1)
	require.NoError(t, i.App.Disputes.FollowCards(ctx))
	require.NoError(t, i.App.Disputes.FollowCards(ctx))
	require.Eventually(t, func() bool { return len(disputesOf(c.member)) == 2 }, time.Minute, 20*time.Millisecond)
	require.NoError(t, i.Bank.EndDispute(ctx, id, false))
	require.Eventually(t, func() bool { return disputesOf(c.member)[0]["status"] == "RESOLVED_REJECTED" }, time.Minute, 20*time.Millisecond)
	c.member.holds("5000.00")

	// What began and ended before we heard of it is both at once.
	third := paid("10000.00")
	require.NoError(t, i.Bank.TakeBack(ctx, sandbox.Takeback{Reference: third, Dispute: true, Twice: true}))
	require.Eventually(t, func() bool {
		all := disputesOf(c.member)
		return len(all) == 3 && all[0]["status"] == "RESOLVED_UPHELD"
	}, time.Minute, 20*time.Millisecond)
	c.member.holds("5000.00")
	var told, ended int
	require.NoError(t, i.Pool.QueryRow(ctx, "SELECT count(*) FILTER (WHERE type = 'naira.v1.CardDisputeTold'), count(*) FILTER (WHERE type = 'naira.v1.CardDisputeEnded') FROM events").Scan(&told, &ended))
	require.Equal(t, []int{3, 3}, []int{told, ended})
	decidedAgain(t, i)
	require.Equal(t, 200, c.member.ask("GET", "/api/v1/disputes/"+d["id"].(string)+"/bundle", nil).status, "its evidence verifies")
	_, err = i.Bank.Disputes(ctx, sandbox.CardDispute{Reference: "of-somebody-else"})
	require.Error(t, err)
}

// A member pays a due of their group by card, and the card's bank disputes that payment.
func TestACardsDisputeAboutADueIsNotTakenByWhoIsInTheGroup(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	desk := staff(t, i, "Sade", people.RoleSupport)
	c := found(t, i)
	c.admitsAll(desk)
	payment := must[object](c.member, "POST", rail, object{"amount": 5000, "subAccountId": c.sub, "userId": c.member.id, "monthId": lagosMonth(), "channel": "CARD"})
	c.member.paysWith(payment, "0.00")
	require.Eventually(t, func() bool {
		var kobo int64
		err := i.Pool.QueryRow(ctx, "SELECT coalesce(sum(kobo), 0) FROM rm_contributions WHERE group_id = $1", c.group).Scan(&kobo)
		return err == nil && kobo == 500_000
	}, time.Minute, 20*time.Millisecond, "the card paid the group")
	_, err := i.Bank.Disputes(ctx, sandbox.CardDispute{Reference: payment["transactionRef"].(string), Category: "fraud"})
	require.NoError(t, err)
	c.member.told("card_disputed")
	kase := "/api/v1/support/cases/" + disputesOf(c.member)[0]["id"].(string)
	taken := desk.ask("POST", kase+"/take", object{})
	require.Equal(t, http.StatusForbidden, taken.status, "she is a member of the group that the payment paid")
}
