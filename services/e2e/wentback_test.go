package e2e

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

// byCard is a payment of ₦5,000 by card that nobody has paid yet, by its reference.
func byCard(p *person) string {
	p.Helper()
	return must[object](p, "POST", fund, object{"amount": 5000, "email": p.email, "channel": "CARD"})["transactionRef"].(string)
}

// strays has the money of a card payment come after the payment failed, and answers the arrival as the desk sees it.
func strays(desk *person, i *boot.Instance, p *person) (payment string, arrival object) {
	p.Helper()
	payment = byCard(p)
	_, err := i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: "system", Command: wallet.EndPayment{PaymentID: payment, To: wallet.Failed, Reason: "Declined"}})
	require.NoError(p, err)
	require.NoError(p, i.Bank.PayCard(context.Background(), payment, time.Time{}))
	return payment, arrivals(desk.waiting(1))[0]
}

func TestParkedAndAssignedMoneyThatTheGatewayTakesBackIsNobodysAndNoMembers(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	femi, sade, member := staff(t, i, "Femi", people.RoleFinanceOps), staff(t, i, "Sade", people.RoleAdmin), somebody(t, i, "Bisi")
	b := books{t, i, femi}
	proposal := object{"email": member.email, "reason": "She showed the slip of it."}

	// It goes back while it is proposed: the proposal ends, and nobody can be given it.
	payment, arrival := strays(femi, i, member)
	at := "/api/v1/finance/unmatched/" + arrival["id"].(string)
	proposed := must[object](femi, "POST", at+"/propose", proposal)["proposal"].(object)
	agrees := object{"approve": true, "seen": proposed["version"]}
	require.NoError(t, i.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment, Twice: true}))
	femi.waiting(0)
	require.Equal(t, http.StatusConflict, sade.ask("POST", at+"/decide", agrees).status)
	require.Equal(t, http.StatusConflict, sade.ask("POST", at+"/propose", proposal).status)
	require.Equal(t, at, "/api/v1/finance/unmatched/"+arrivals(must[object](femi, "GET", "/api/v1/finance/unmatched?status=RETURNED", nil))[0]["id"].(string))
	b.finds(true, "0.00")
	member.holds("0.00")

	// It goes back once it is the member's.
	payment, arrival = strays(femi, i, member)
	at = "/api/v1/finance/unmatched/" + arrival["id"].(string)
	proposed = must[object](femi, "POST", at+"/propose", proposal)["proposal"].(object)
	must[object](sade, "POST", at+"/decide", object{"approve": true, "seen": proposed["version"]})
	member.holds("5000.00")
	require.NoError(t, i.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment, Dispute: true, Twice: true}))
	member.holds("0.00")
	member.told("payment_reversed")
	b.finds(true, "0.00")
	decidedAgain(t, i)
}

func TestWordOfABankThatComesOutOfOrderIsNotForgotten(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ctx, i := context.Background(), s.i
	secrets, err := i.Config.Secrets()
	require.NoError(t, err)
	member, gateway := somebody(t, i, "Bisi"), nobody(t, s.owner.base)
	tells := func(payment string) int {
		word := `{"event":"refund.processed","data":{"transaction_reference":"` + payment + `","amount":517767}}`
		return gateway.ask("POST", cardHook, word, "X-Paystack-Signature", signed(secrets.SandboxPaystackKey, word)).status
	}
	// The gateway tells of a refund before its payment: we refuse the webhook, so that it sends it again.
	early := byCard(member)
	require.NoError(t, i.Bank.PayCardAnd(ctx, early, time.Time{}, sandbox.Telling{Silent: true, AskedLate: time.Hour}))
	require.NoError(t, i.Bank.TakeBack(ctx, sandbox.Takeback{Reference: early, Silent: true}))
	require.Equal(t, http.StatusNotFound, tells(early))
	_, err = i.Pool.Exec(ctx, "UPDATE sandbox_charges SET asked_at = NULL WHERE reference = $1", early)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, tells(early))
	require.Equal(t, "REVERSED", must[object](member, "GET", "/api/Payment/verify-transaction/"+early, nil)["status"])
	member.holds("0.00")

	// A part went back before anybody told, and the gateway calls the payment reversed.
	part := byCard(member)
	require.NoError(t, i.Bank.PayCardAnd(ctx, part, time.Time{}, sandbox.Telling{Silent: true}))
	require.NoError(t, i.Bank.TakeBack(ctx, sandbox.Takeback{Reference: part, Amount: 1_000 * money.Naira, Turns: true, Silent: true}))
	require.Equal(t, "REVERSED", must[object](member, "GET", "/api/Payment/verify-transaction/"+part, nil)["status"])
	member.holds("4000.00")
	require.Equal(t, http.StatusOK, tells(part))
	member.holds("4000.00")
}

func TestWhatGoesBackTwiceIsAdashisLossAndSupportGivesNothingBackTwice(t *testing.T) {
	t.Parallel()
	a := answers(t)
	ctx := context.Background()
	b := books{t, a.i, staff(t, a.i, "Femi", people.RoleFinanceOps)}
	a.disputed(t)
	a.sade.stepsUp()
	a.uche.stepsUp()
	accepted := object{"accept": true, "amount": 5177.67, "words": "Our customer says that it was not them."}
	now := must[object](a.sade, "POST", a.path, accepted)

	// A refund comes between the proposal and the agreement, and no webhook tells of it.
	var payment string
	require.NoError(t, a.i.Pool.QueryRow(ctx, "SELECT reference FROM sandbox_charges ORDER BY id DESC LIMIT 1").Scan(&payment))
	require.NoError(t, a.i.Bank.TakeBack(ctx, sandbox.Takeback{Reference: payment, Silent: true}))
	refused := a.uche.ask("POST", a.path+"/agree", object{"answerId": now["answerId"]})
	require.Equal(t, http.StatusConflict, refused.status, refused.Message)
	require.Contains(t, refused.Message, "All of this payment went back to its payer already.")
	a.c.member.holds("0.00")
	require.Equal(t, 200, a.sade.ask("POST", a.path+"/drop", object{"answerId": now["answerId"], "words": "It went back already."}).status)
	require.Equal(t, http.StatusConflict, a.sade.ask("POST", a.path, accepted).status)

	// The card's bank takes it a second time.
	require.NoError(t, a.i.Bank.EndDispute(ctx, a.id, true))
	a.c.member.told("card_dispute_ended")
	require.Eventually(t, func() bool {
		var lost int64
		_, _ = a.i.Pool.Exec(ctx, "SELECT ledger_settle()")
		return a.i.Pool.QueryRow(ctx, "SELECT -balance FROM ledger_accounts WHERE account = 'losses:reversals'").Scan(&lost) == nil && lost == 5_177_67
	}, time.Minute, 20*time.Millisecond, "Adashi bears it")
	a.c.member.holds("0.00")
	b.finds(true, "0.00")
	decidedAgain(t, a.i)
}

func TestATransferKeepsTheDueThatItNames(t *testing.T) {
	t.Parallel()
	i := own(t)
	c := found(t, i)
	sub := c.opens("Dues", "FIXED", "MONTHLY", 5000)
	year, month, _ := time.Now().In(lagos.Zone).Date()
	due := func(ahead time.Month) string {
		return time.Date(year, month+ahead, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
	}
	c.member.funded(5000)
	form := object{"amount": 5000, "subAccountId": sub, "userId": c.member.id, "period": due(0)}
	started := must[object](c.member, "POST", rail, form, "Idempotency-Key", "one and the same")
	other := object{"amount": 5000, "subAccountId": sub, "userId": c.member.id, "period": due(1)}
	require.Equal(t, http.StatusConflict, c.member.ask("POST", rail, other, "Idempotency-Key", "one and the same").status, "another due is another wish")
	require.Equal(t, started["transactionRef"], must[object](c.member, "POST", rail, form, "Idempotency-Key", "one and the same")["transactionRef"])

	paid := c.member.ask("POST", pay, form)
	require.Equal(t, 200, paid.status, paid.Message)
	c.member.holds("0.00")
	require.NoError(t, i.Bank.Transfer(context.Background(), sandbox.Transfer{Account: started["accountNumber"].(string), Amount: 5_000 * money.Naira, Sender: "Bisi"}))
	c.member.holds("5000.00")
	c.member.told("payment_failed")
	decidedAgain(t, i)
}
