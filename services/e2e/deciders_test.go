package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// mine is a request that the group pays a person's own bank account.
func (c chest) mine(p *person, naira int) object {
	info := must[object](p, "GET", "/api/Account/GetUserInfoById/"+p.id, nil)
	return merge(c.baked(p, naira), object{"bankCode": info["bankCode"], "accountNumber": info["bankAccountNumber"]})
}

func TestAnOwnerWithTwoPuppetsDoesNotEmptyTheGroup(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	puppet := c.eve // Whose BVN is known.
	id := c.owner.ask("POST", asksFor, c.mine(c.owner, 60_000)).id(t)
	second := somebody(t, c.i, "Obi")
	c.admitsAll(second)
	second.known()
	second.stepsUp()
	must[any](c.owner, "PATCH", "/api/GroupSavings/SetGroupValidator", object{"groupId": c.group, "memberId": puppet.id})
	c.owner.acts("POST", c.club.at("/approvers"), object{"memberId": second.id})
	c.owner.acts("DELETE", c.club.at("/approvers/"+c.approver.id), nil)
	require.Equal(t, 403, c.decided(puppet, id, "approve").status, "a validator of since the request")
	require.Equal(t, 403, c.decided(second, id, "approve").status)
	require.NoError(t, c.i.App.Payouts.SendPayouts(context.Background()))
	require.Equal(t, "REQUESTED", c.stands(id)["status"])
	for _, told := range []string{"liquidation_requested", "role_changed"} {
		c.member.told(told) // A plain member: of the payment, and of each office.
	}
	must[object](c.owner, "POST", liquidations+"/"+id+"/cancel", nil)
	r := c.owner.ask("POST", asksFor, c.mine(c.owner, 60_000))
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "three days after it began")
	free, held := c.pool()
	require.Equal(t, []int64{60_000_00, 0}, []int64{free, held})
}

func TestTwoMembersHoldAPaymentAndItsApproversAnswerThem(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	ctx := context.Background()
	_, err := c.i.App.Groups.SetNotice(ctx, usecase.Who{User: c.owner.id}, c.group, 24)
	require.NoError(t, err)
	id := c.owner.ask("POST", asksFor, c.baked(c.owner, 5_000)).id(t)
	c.approved(id)
	require.NoError(t, c.i.App.Payouts.SendPayouts(ctx))
	view := c.stands(id)
	require.Equal(t, "APPROVED", view["status"], "it waits for its notice")
	require.NotEmpty(t, view["payableFrom"])
	orders, _ := atTheBank(t, c.i.Pool, c.baker.Account)
	require.Zero(t, orders)

	object := func(p *person, says string) reply {
		return p.ask("POST", liquidations+"/"+id+"/object", map[string]any{"reason": says})
	}
	require.Equal(t, []any{"OBJECT", "DISPUTE"}, must[map[string]any](c.member, "GET", liquidations+"/"+id, nil)["may"])
	require.Equal(t, 403, object(c.owner, "It is mine").status)
	require.Equal(t, 404, object(c.outsider, "I only look").status)
	require.Equal(t, 200, object(c.member, "We have bread").status)
	require.Equal(t, 409, object(c.member, "We have bread").status)
	require.Equal(t, "ON_HOLD", object(c.eve, "Nobody asked us").object(t)["status"])
	c.approver.told("liquidation_on_hold")
	c.member.told("liquidation_on_hold")
	answer := func(p *person) reply {
		return p.ask("POST", liquidations+"/"+id+"/answer", map[string]any{"reason": "It was agreed in June"})
	}
	require.Equal(t, "STEP_UP", answer(c.approver.again()).ReturnedCode)
	require.Equal(t, 403, answer(c.owner).status)
	require.Equal(t, 403, answer(c.validator).status)
	goesOn := answer(c.approver).object(t)
	require.Equal(t, "APPROVED", goesOn["status"])
	require.Equal(t, 409, object(c.member, "Again").status)
	require.NoError(t, c.i.App.Payouts.SendPayouts(ctx))
	require.Equal(t, "APPROVED", c.stands(id)["status"], "and waits for another day")
	later := c.i.App.At(time.Now().Add(25 * time.Hour))
	require.NoError(t, later.Payouts.SendPayouts(ctx))
	c.becomes(id, "PAID")
	c.eve.told("liquidation_paid")
}

func TestWhoSharesABankAccountWithTheAskerDoesNotDecide(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	ctx := context.Background()
	own, err := c.i.App.Vault.Read(ctx, c.member.id)
	require.NoError(t, err)
	shared := func(p *person, share bool) {
		_, err := c.i.App.Vault.Set(ctx, p.id, func(r *vault.Record) {
			if r.Bank.Number = "1" + digits(9); share {
				r.Bank = own.Bank
			}
		})
		require.NoError(t, err)
	}
	shared(c.validator, true) // Whose account is paid would validate it.
	view := c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).object(t)
	require.ElementsMatch(t, []any{"Ada Test", "Femi Test"}, view["deciders"].(object)["validators"])
	id := view["id"].(string)
	require.Equal(t, 403, c.decided(c.validator, id, "approve").status)
	shared(c.owner, true) // Only now: they were fixed as one who decides.
	r := c.decided(c.owner, id, "approve")
	require.Equal(t, 403, r.status)
	require.Contains(t, r.Message, "bank account")
	shared(c.owner, false)
	require.Equal(t, 403, c.decided(c.owner, id, "approve").status, "it was theirs")
}
