package finance_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/finance"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/sandbox/acts"
)

// Payouts on the banks' statements, together with the banks' answers about them.

// withdrawing is a town whose member withdraws ₦1,000 at a time, of which ₦989.25 arrive.
type withdrawing struct {
	*apptest.Town
	ctx     context.Context
	account string
	beyond  map[event.Provider]money.Kobo // The money that the banks hold beyond the ledger; none of it comes from the payouts.
	wallet  money.Kobo
}

func withdraws(t *testing.T, by event.Provider) withdrawing {
	t.Helper()
	w := withdrawing{Town: apptest.Setup(t, true, false), ctx: context.Background()}
	w.PaysOut()
	w.Follows()
	at, err := w.App.Options.Payees.Payee(w.ctx, "")
	require.NoError(t, err)
	w.account, w.App.Payouts.Provider = at.Number, by
	w.beyond, w.wallet = w.Beyond(t), w.BalanceOf(posting.Wallet(w.Member.User))
	return w
}

func bothProviders(t *testing.T, test func(t *testing.T, w withdrawing)) {
	t.Helper()
	for _, by := range []event.Provider{event.Vfd, event.Paystack} {
		t.Run(string(by), func(t *testing.T) {
			t.Parallel()
			test(t, withdraws(t, by))
		})
	}
}

// sends requests a withdrawal of ₦1,000 and sends the order to the bank, which behaves as given.
func (w withdrawing) sends(m sandbox.Manner) (id string) {
	w.Helper()
	m.Account = w.account
	require.NoError(w, w.Bank.Behave(w.ctx, m))
	made, _, err := w.App.Payouts.Withdraw(w.ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(w, err)
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	require.NoError(w, w.App.Payouts.SendPayouts(w.ctx))
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	return made.Id
}

func (w withdrawing) stands(id string) payout.Status {
	w.Helper()
	state, err := w.App.WithdrawalState(w.ctx, id)
	require.NoError(w, err)
	return state.Status
}

// asked asks the bank about a payout, and returns its status.
func (w withdrawing) asked(id string) payout.Status {
	w.Helper()
	_, err := w.App.At(time.Now().Add(time.Minute)).Payouts.AskPayout(w.ctx, id)
	require.NoError(w, err)
	return w.stands(id)
}

// explained reconciles, and checks that no difference is about a payout of ₦989.25.
func (w withdrawing) explained() {
	w.Helper()
	w.Reconciled(w)
	for _, item := range w.Reconciled(w).Items {
		require.NotContains(w, []string{"989.25", "37.50", "1026.75", "939.25"}, item.Amount.StringFixed(2), "%s: %s", item.Kind, item.Words)
	}
}

// agrees checks that the banks hold as much beyond the ledger as before.
func (w withdrawing) agrees() {
	w.Helper()
	require.Equal(w, w.beyond, w.Beyond(w), "what the banks hold beyond the ledger")
}

func (w withdrawing) posted() (count int) {
	w.Helper()
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT count(*) FROM events WHERE type = 'naira.v1.BankChargePosted'").Scan(&count))
	return count
}

const sentBackNow = "UPDATE sandbox_payouts SET reversed_at = now()"

func TestWhatABankTookForAPayoutIsInTheLedgerWhereverItTells(t *testing.T) {
	t.Parallel()
	bothProviders(t, func(t *testing.T, w withdrawing) {
		told := acts.FeesTold
		if w.App.Payouts.Provider == event.Paystack {
			told = told[:2] // The gateway has no lines of fees.
		}
		for n, where := range told {
			id := w.sends(sandbox.Manner{Fee: 37_50, FeeTold: where})
			require.Equal(t, payout.Paid, w.asked(id))
			w.explained()
			w.agrees()
			require.Equal(t, n, w.posted(), "%q: only what no answer said is posted, and once", where)
			require.Equal(t, money.Kobo(-(n+1)*37_50), w.BalanceOf(posting.FeesGateway))
		}
	})
}

func TestWhatABankTookForAPayoutThatCameBackIsAdashis(t *testing.T) {
	t.Parallel()
	bothProviders(t, func(t *testing.T, w withdrawing) {
		id := w.sends(sandbox.Manner{Fee: 37_50, FeeTold: sandbox.FeeOnLine})
		require.Equal(t, payout.Paid, w.asked(id))
		w.BankSays(sentBackNow)
		w.explained()
		w.agrees()
		require.Equal(t, payout.Reversed, w.stands(id))
		require.Equal(t, []money.Kobo{w.wallet, -37_50}, []money.Kobo{w.BalanceOf(posting.Wallet(w.Member.User)), w.BalanceOf(posting.FeesGateway)})
	})
}

// The bank fails most payouts by booking them out and in again, and may keep its fee.
func TestAPayoutThatTheBankBookedOutAndInAgainHasFailedAndNothingElse(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{Code: "91", BookedBack: true})
	require.Equal(t, payout.Failed, w.stands(id))
	w.explained()
	w.agrees()
	require.Zero(t, w.posted())

	w.BankSays(`UPDATE sandbox_payouts SET code = '00', fee = 3750, reversed_at = now()`)
	w.explained()
	w.agrees()
	require.Equal(t, []any{payout.Failed, 1, money.Kobo(-37_50)}, []any{w.stands(id), w.posted(), w.BalanceOf(posting.FeesGateway)})
}

// The bank may still be working on it for a day; after that its own books decide.
func TestAPayoutThatIsOutAndInAgainOnTheStatementDoesNotStayInTransit(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{Code: "09", BookedBack: true})
	w.explainedInTransit()
	require.Equal(t, payout.Sent, w.stands(id))
	w.BankSays("UPDATE sandbox_payouts SET sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours'")
	w.explained()
	w.agrees()
	require.Equal(t, payout.Reversed, w.stands(id))
	require.Equal(t, w.wallet, w.BalanceOf(posting.Wallet(w.Member.User)))
}

func (w withdrawing) explainedInTransit() {
	w.Helper()
	kinds := map[finance.ReconciliationItemKind]int{}
	for _, item := range w.Reconciled(w).Items {
		if item.Amount.StringFixed(2) == "989.25" {
			kinds[item.Kind]++
		}
	}
	require.Equal(w, map[finance.ReconciliationItemKind]int{finance.INTRANSIT: 2}, kinds)
}

func TestAReturnThatOnlyTheStatementTellsOfIsAReturn(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{Tells: sandbox.TellsNoReturn})
	require.Equal(t, payout.Paid, w.asked(id))
	w.BankSays(sentBackNow)
	require.Equal(t, payout.Paid, w.asked(id))
	w.explained()
	w.agrees()
	require.Equal(t, payout.Reversed, w.stands(id))
	require.Equal(t, w.wallet, w.BalanceOf(posting.Wallet(w.Member.User)))
}

// A receiving bank keeps ₦50 of a return. We do not record a part on the bank's answer alone; we record its statement's
// line.
func TestThePartOfAPayoutThatCameBackIsTakenInAndTheRestIsTheDesks(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{Keeps: 50 * money.Naira})
	require.Equal(t, payout.Paid, w.asked(id))
	w.BankSays(sentBackNow)
	require.Equal(t, payout.Paid, w.asked(id))
	w.explained()
	w.agrees()
	require.Equal(t, []any{payout.Paid, money.Kobo(939_25)}, []any{w.stands(id), w.BalanceOf(posting.Unmatched)})
	page, err := w.App.Finance.Unmatched(w.ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Arrivals, 1)
	require.Contains(t, page.Arrivals[0].Reason, "₦939.25 came back of a payout of ₦989.25")

	w.BankSays("UPDATE sandbox_payouts SET kept = 0") // Now it says that the whole came back.
	require.Equal(t, payout.Paid, w.asked(id))
	require.Equal(t, money.Kobo(939_25), w.BalanceOf(posting.Unmatched), "it is taken in once")
}

// arrives delivers the bank's last webhook to the product.
func (w withdrawing) arrives() {
	w.Helper()
	var body []byte
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT body FROM sandbox_webhooks ORDER BY id DESC LIMIT 1").Scan(&body))
	bank := as[rails.PaymentHook](w, event.Vfd)
	notice, err := bank.ParseWebhook(nil, body)
	require.NoError(w, err)
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	require.NoError(w, w.App.Payments.Webhook(w.ctx, event.Vfd, notice))
	require.NoError(w, w.Engine.CatchUp(w.ctx))
}

func as[C any](w withdrawing, id event.Provider) C {
	w.Helper()
	can, err := rails.As[C](w.App.Finance.Rails, id)
	require.NoError(w, err)
	return can
}

// comesBackByTransfer makes a payout come back as a transfer to our own account, with a webhook that names no payout.
func (w withdrawing) comesBackByTransfer() (id string) {
	w.Helper()
	id = w.sends(sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer})
	require.Equal(w, payout.Paid, w.asked(id))
	var row int64
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT max(id) FROM sandbox_payouts").Scan(&row))
	require.NoError(w, w.Bank.SendBack(w.ctx, row))
	return id
}

// suspense is the sum of money in suspense.
func (w withdrawing) suspense() (sum money.Kobo) {
	w.Helper()
	_, err := w.Pool.Exec(w.ctx, "SELECT ledger_settle()")
	require.NoError(w, err)
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT coalesce(sum(balance), 0)::bigint FROM ledger_accounts WHERE account = $1", posting.Unmatched).Scan(&sum))
	return sum
}

func TestAReturnThatComesAsATransferIsTakenInOnce(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]func(w withdrawing, id string){
		"the transfer is told first": func(w withdrawing, id string) { w.arrives(); w.asked(id) },
		"the return is told first":   func(w withdrawing, id string) { w.asked(id); w.arrives() },
		"only the return is told":    func(w withdrawing, id string) { w.asked(id) },
		"the statement tells of it":  func(w withdrawing, id string) { w.Reconciled(w); w.asked(id); w.asked(id) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withdraws(t, event.Vfd)
			id := w.comesBackByTransfer()
			told(w, id)
			require.NoError(t, w.Engine.CatchUp(w.ctx))
			require.Equal(t, payout.Reversed, w.stands(id))
			for range 2 { // The first reconciliation learns of a transfer that had no webhook, and the second that it is the return.
				w.Reconciled(w)
			}
			require.Equal(t, []money.Kobo{w.wallet, 0}, []money.Kobo{w.BalanceOf(posting.Wallet(w.Member.User)), w.suspense()})
			w.agrees()
			w.arrives() // Again.
			w.explained()
			w.agrees()
			require.Zero(t, w.suspense())
		})
	}
}

func TestMoneyOfAnotherAmountOrOneOfTwoIsNoReturn(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	stray := func(amount money.Kobo) {
		require.NoError(t, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: amount, Sender: "Ada Obi", At: time.Now()}))
		w.arrives()
	}
	id := w.comesBackByTransfer()
	w.arrives()
	stray(989_26)
	stray(989_25)
	require.Equal(t, payout.Reversed, w.asked(id))
	require.Equal(t, money.Kobo(2*989_25+989_26), w.suspense(), "a person says which of the two it is")
	stray(989_25) // It may just as well be a fourth person's.
	require.Equal(t, money.Kobo(3*989_25+989_26), w.suspense())
}

// The bank says that a payout failed, so its money goes back to the wallet; then it pays the payout all the same.
func TestAPayoutThatIsPaidAfterItFailedIsAdashisLossUntilItComesBack(t *testing.T) {
	t.Parallel()
	bothProviders(t, func(t *testing.T, w withdrawing) {
		took := map[event.Provider]money.Kobo{event.Paystack: 10_00}[w.App.Payouts.Provider] // The gateway's fee, which does not come back.
		id := w.sends(sandbox.Manner{Code: "51"})
		require.Equal(t, payout.Failed, w.asked(id))
		w.BankSays("UPDATE sandbox_payouts SET code = '00', sent_at = now() - interval '3 hours', settles_at = now() - interval '2 hours'")
		w.Reconciled(w)
		require.Zero(t, w.BalanceOf(posting.Losses), "it may be booked in again for a day")

		w.BankSays("UPDATE sandbox_payouts SET sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours'")
		w.explained()
		w.agrees()
		require.Equal(t, []any{payout.Failed, -989_25 - took, w.wallet}, []any{w.stands(id), w.BalanceOf(posting.Losses), w.BalanceOf(posting.Wallet(w.Member.User))})

		w.BankSays(sentBackNow)
		w.explained()
		w.agrees()
		require.Equal(t, []any{payout.Failed, -took, w.wallet}, []any{w.stands(id), w.BalanceOf(posting.Losses), w.BalanceOf(posting.Wallet(w.Member.User))})
	})
}

// Money of a failed group payment is still set aside. When the statement shows it as paid, it is paid, before an
// approver sends it again or releases it; an order that was sent again is Adashi's loss.
func TestAGroupsPaymentThatIsPaidAfterItFailedIsPaid(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.pays(ofGroup, sandbox.Manner{Code: "51"})
	require.Equal(t, liquidation.PayoutFailed, w.groupPayout(id))
	w.BankSays("UPDATE sandbox_payouts SET code = '00', says = '{51}', sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours'")
	w.explained()
	w.agrees()
	require.Equal(t, []any{liquidation.Paid, money.Kobo(0)}, []any{w.groupPayout(id), w.BalanceOf(posting.Losses)})
}
