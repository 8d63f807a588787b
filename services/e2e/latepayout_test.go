package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// neverArrives has a request of the member's approved and sent to a bank that loses the order, and that says twice, 15
// minutes apart, that it knows of none.
func (c chest) neverArrives() (id string) {
	c.owner.Helper()
	ctx := context.Background()
	require.NoError(c.owner, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account, Answer: sandbox.AnswersLost}))
	id = c.member.ask("POST", asksFor, c.savings(c.member, 1_000)).id(c.owner)
	c.approved(id)
	require.Eventually(c.owner, func() bool {
		require.NoError(c.owner, c.i.App.Payouts.SendPayouts(ctx))
		return eventsOf(c.owner, c.i.Pool, id, "LiquidationSent") == 1
	}, time.Minute, 20*time.Millisecond)
	for _, later := range []time.Duration{time.Minute, 20 * time.Minute} {
		_, err := c.i.App.At(time.Now().Add(later)).Payouts.AskPayout(ctx, id)
		require.NoError(c.owner, err)
	}
	c.becomes(id, "PAYOUT_FAILED")
	require.NoError(c.owner, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account}))
	return id
}

// vfdReference is what the bank knows a payout by.
func (c chest) vfdReference(id string) string {
	return as[rails.Payer](c.owner, c.i, event.Vfd).Reference(id)
}

// turnsUp has the bank find an order that was lost, with an outcome.
func (c chest) turnsUp(id, code string) {
	c.owner.Helper()
	reference := c.vfdReference(id)
	_, err := c.i.Pool.Exec(context.Background(), `INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, code, sent_at, settles_at)
		VALUES ('vfd', $1, $2, $3, '082', 'Bisi Obi', 98925, $4, now() - interval '3 hours', now() - interval '3 hours')`, reference, id, c.at.Account, code)
	require.NoError(c.owner, err)
}

// ordered is how many payouts to the member the bank has.
func (c chest) ordered() (count int) {
	c.owner.Helper()
	require.NoError(c.owner, c.i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM sandbox_payouts WHERE account_number = $1", c.at.Account).Scan(&count))
	return count
}

func TestWhatTheBankPaysAfterAllIsFoundByEveryDoorAndSentNoMore(t *testing.T) {
	t.Parallel()
	c := newChest(t, own(t))
	ctx := context.Background()
	desk := c.staff(t, "Femi", people.RoleFinanceOps)
	doors := []struct {
		name string
		open func(id string)
	}{
		{"sending it anew", func(id string) {
			must[object](c.approver, "POST", liquidations+"/"+id+"/retry", nil)
		}},
		{"giving it up", func(id string) {
			r := c.approver.ask("POST", liquidations+"/"+id+"/release", object{"reason": "It never came"})
			require.Equal(t, 409, r.status)
			require.Contains(t, r.Message, "is paid, so it cannot be released")
		}},
		{"the desk's question", func(id string) {
			require.Equal(t, "PAID", must[object](desk, "POST", payoutsDesk+"/"+id+"/query", object{})["status"])
		}},
		{"a webhook", func(id string) {
			reference := c.vfdReference(id)
			require.NoError(t, c.i.App.Payouts.PayoutNotice(ctx, event.Vfd, rails.PayoutNotice{Reference: reference, Amount: 989_25, Currency: rails.Naira}))
		}},
		{"the reconciliation", func(string) {
			_, err := c.i.App.Finance.Reconcile(ctx, contract.ReconciliationTriggerONDEMAND)
			require.NoError(t, err)
		}},
	}
	for n, door := range doors {
		id := c.neverArrives()
		c.turnsUp(id, "00")
		door.open(id)
		require.NoError(t, c.i.App.Payouts.SendPayouts(ctx))
		require.Equal(t, id, c.becomes(id, "PAID")["providerRef"], door.name)
		require.Equal(t, 409, c.approver.ask("POST", liquidations+"/"+id+"/retry", nil).status)
		require.NoError(t, c.i.App.Payouts.SendPayouts(ctx))
		require.Equal(t, n+1, c.ordered(), door.name)
		require.Equal(t, 1, eventsOf(t, c.i.Pool, id, "LiquidationPaidV2"), door.name)
		free, held := c.pool()
		require.Equal(t, []int64{60_000_00 - int64(n+1)*1_000_00, 0}, []int64{free, held}, door.name)
	}
	agreed, err := c.i.App.Finance.Reconcile(ctx, contract.ReconciliationTriggerONDEMAND)
	require.NoError(t, err)
	require.True(t, agreed.Balanced, "%+v", agreed.Items)
	soundLedger(t, c.i.Pool)
}

func TestNothingIsSentAnewWhileTheBankMayStillPayTheFirst(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	ctx := context.Background()
	anew := func(later time.Duration) {
		require.NoError(t, c.i.App.At(time.Now().Add(later)).Payouts.SendPayouts(ctx))
	}
	id := c.neverArrives()
	c.turnsUp(id, "09")
	r := c.approver.ask("POST", liquidations+"/"+id+"/release", object{"reason": "It never came"})
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "at work on it after all")
	must[object](c.approver, "POST", liquidations+"/"+id+"/retry", nil)
	anew(time.Hour)
	anew(2 * time.Hour)
	require.Equal(t, []any{"APPROVED", 1}, []any{c.stands(id)["status"], c.ordered()}, "the bank is at work on it")
	_, err := c.i.Pool.Exec(ctx, "UPDATE sandbox_payouts SET code = '00' WHERE session_id = $1", id)
	require.NoError(t, err)
	anew(3 * time.Hour)
	require.Equal(t, id, c.becomes(id, "PAID")["providerRef"])
	require.Equal(t, 1, c.ordered())

	id = c.neverArrives()
	c.turnsUp(id, "09")
	must[object](c.approver, "POST", liquidations+"/"+id+"/retry", nil)
	anew(time.Hour)
	_, err = c.i.Pool.Exec(ctx, "DELETE FROM sandbox_payouts WHERE session_id = $1", id) // Now the bank knows of it, and now it does not.
	require.NoError(t, err)
	anew(2 * time.Hour)
	require.Equal(t, []any{"APPROVED", 1}, []any{c.stands(id)["status"], c.ordered()}, "not upon the first such answer")
	anew(3 * time.Hour)
	require.Equal(t, 2, c.ordered())
	require.Equal(t, 1, eventsOf(t, c.i.Pool, id, "LiquidationRetried"))
	paid := c.becomes(id, "PAID")
	require.NotEqual(t, id, paid["providerRef"])

	before := c.ordered()
	id = c.neverArrives()
	c.turnsUp(id, "51")
	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account, Tells: sandbox.TellsAnother}))
	require.Equal(t, 409, c.approver.ask("POST", liquidations+"/"+id+"/release", object{"reason": "It never came"}).status)
	must[object](c.approver, "POST", liquidations+"/"+id+"/retry", nil)
	anew(time.Hour)
	anew(2 * time.Hour)
	require.Equal(t, []any{"APPROVED", before + 1}, []any{c.stands(id)["status"], c.ordered()}, "what it says of another payout is nothing")
	require.NoError(t, c.i.Bank.Behave(ctx, sandbox.Manner{Account: c.at.Account}))
	anew(3 * time.Hour)
	require.Equal(t, before+2, c.ordered(), "it failed ours for certain")
	require.NotEqual(t, id, c.becomes(id, "PAID")["providerRef"])
}
