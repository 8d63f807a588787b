package e2e

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/people"
)

// disputes is a dispute of a payout that is asked for, of which so much is to be held.
func (c chest) disputes(p *person, id string, naira int) reply {
	return p.ask("POST", disputesPath, object{"kind": "WRONG_AMOUNT", "words": "We agreed on half of this in June.", "requestId": id, "amount": naira, "hold": true})
}

// sends has the job that pays out run, and answers how a request stands then.
func (c chest) sends(id string) any {
	c.owner.Helper()
	require.NoError(c.owner, c.i.App.Payouts.SendPayouts(context.Background()))
	return c.stands(id)["status"]
}

func TestAMemberHoldsWhatTheyDisputeOfAPayoutUntilTheirDisputeIsOver(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	id := c.owner.ask("POST", asksFor, c.baked(c.owner, 50_000)).id(t) // Of ₦60,000: ₦10,000 stay.
	seen := must[object](c.member, "GET", liquidations+"/"+id, nil)
	require.Equal(t, []any{[]any{"OBJECT", "DISPUTE"}, 40_000.0}, []any{seen["may"], seen["holdable"]})
	require.Equal(t, 404, c.disputes(c.outsider, id, 100).status)
	require.Equal(t, 403, c.disputes(c.owner, id, 100).status, "who asked cancels it")
	require.Equal(t, 403, c.disputes(c.approver, id, 100).status, "who saved nothing there")
	require.Equal(t, 400, c.disputes(c.member, id, 40_001).status)
	require.Equal(t, 404, c.disputes(c.member, uuid.NewString(), 100).status)
	require.Equal(t, 400, c.member.ask("POST", disputesPath, claims(100, object{"hold": true})).status, "nothing that waits")
	require.Empty(t, must[object](c.member, "GET", disputesPath, nil)["disputes"], "what is refused leaves no dispute")

	small := c.disputes(c.eve, id, 10_000).object(t)
	require.Equal(t, "HELD", small["hold"].(object)["status"])
	held := c.disputes(c.member, id, 15_000).object(t)
	require.Equal(t, []any{15_000.0, "HELD", id}, []any{held["hold"].(object)["amount"], held["hold"].(object)["status"], held["requestId"]})
	c.approver.told("liquidation_on_hold")
	require.Equal(t, 25_000.0, c.stands(id)["disputed"])
	own := c.member.ask("POST", asksFor, c.savings(c.member, 25_001))
	require.Equal(t, 422, own.status, "of her ₦40,000 she holds ₦15,000: %s", own.Message)
	c.approved(id)
	require.Equal(t, "APPROVED", c.sends(id), "₦10,000 would stay, and ₦25,000 are disputed")

	sade, kase := staff(t, c.i, "Sade", people.RoleSupport), casesPath+"/"+small["id"].(string)
	require.Equal(t, 403, c.eve.ask("POST", kase+"/hold", nil).status)
	require.Equal(t, 409, sade.ask("POST", kase+"/hold", nil).status, "she has to take the case first")
	must[object](sade, "POST", kase+"/take", nil)
	require.Equal(t, "EXTENDED", must[object](sade, "POST", kase+"/hold", nil)["hold"].(object)["status"])
	require.Equal(t, 409, sade.ask("POST", kase+"/hold", nil).status, "once")
	c.eve.told("dispute_hold")
	over := must[object](sade, "POST", kase+"/resolve", object{"upheld": false, "words": "All of it was agreed, as the minutes of June say."})
	require.Equal(t, "OVER", over["hold"].(object)["status"])
	require.Equal(t, 15_000.0, c.stands(id)["disputed"])
	require.Equal(t, "APPROVED", c.sends(id), "₦15,000 are disputed still")
	must[object](c.member, "POST", disputesPath+"/"+held["id"].(string)+"/withdraw", nil)
	paid := c.becomes(id, "PAID")
	require.NotContains(t, paid, "disputed")
	var steps []any
	for _, step := range paid["story"].([]any) {
		steps = append(steps, step.(object)["step"])
	}
	require.Subset(t, steps, []any{"DISPUTED", "UNDISPUTED"})
	orders, _ := atTheBank(t, c.i.Pool, c.baker.Account)
	require.Equal(t, 1, orders)
	require.Equal(t, 409, c.disputes(c.member, id, 100).status, "the bank has it")
}

func TestAPayoutThatACaseFoundWrongWaitsForTheApprovers(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	id := c.owner.ask("POST", asksFor, c.baked(c.owner, 50_000)).id(t)
	held := c.disputes(c.member, id, 15_000).object(t)
	c.approved(id)
	require.Equal(t, "APPROVED", c.sends(id))
	sade, kase := staff(t, c.i, "Sade", people.RoleSupport), casesPath+"/"+held["id"].(string)
	must[object](sade, "POST", kase+"/take", nil)
	must[object](sade, "POST", kase+"/resolve", object{"upheld": true, "words": "Half of it was agreed, and the owner is told."})
	require.Equal(t, "ON_HOLD", c.sends(id), "the hold is over, and it does not go to the bank")
	seen := c.stands(id)
	require.NotContains(t, fmt.Sprint(seen["story"]), c.member.id)
	require.Contains(t, fmt.Sprint(seen["story"]), "Adashi objected: Adashi looked into a dispute about this payment and found for the member.")
	require.Zero(t, seen["objections"])
	c.approver.told("liquidation_on_hold")
	answered := must[object](c.approver.stepsUp(), "POST", liquidations+"/"+id+"/answer", object{"reason": "We have agreed on it again."})
	require.Equal(t, "APPROVED", answered["status"], "as many answered as it needs approvals")
	require.Equal(t, "APPROVED", c.sends(id), "it waits for another notice")
}
