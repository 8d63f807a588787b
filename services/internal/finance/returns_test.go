package finance_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/rails/sandbox"
)

// Payouts that come back by transfer, and transfers that banks take back.

// closes closes the member's account.
func (w withdrawing) closes() {
	w.Helper()
	w.Gives(ledgertest.Raw{event.On(account.Stream(w.Member.User), &nairav1.AccountClosed{UserId: w.Member.User})})
}

// transfer returns the bank's reference of the last transfer.
func (w withdrawing) transfer() (reference string) {
	w.Helper()
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT reference FROM sandbox_transfers ORDER BY id DESC LIMIT 1").Scan(&reference))
	return reference
}

func TestAReturnToAClosedAccountThatComesAsATransferIsTakenInOnce(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]func(w withdrawing, id string){
		"the transfer is told first": func(w withdrawing, id string) { w.arrives(); w.asked(id) },
		"the return is told first":   func(w withdrawing, id string) { w.asked(id); w.arrives() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withdraws(t, event.Vfd)
			id := w.comesBackByTransfer()
			w.closes()
			told(w, id)
			require.NoError(t, w.Engine.CatchUp(w.ctx))
			require.Equal(t, payout.Reversed, w.stands(id))
			w.explained()
			w.agrees()
			require.Equal(t, 1_000*money.Naira, w.suspense(), "the withdrawal with its charges, once")
			w.arrives() // Again.

			require.NoError(t, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 989_25, Sender: "Ada Obi", At: time.Now()}))
			w.arrives()
			w.explained()
			w.agrees()
			require.Equal(t, money.Kobo(1_989_25), w.suspense(), "another transfer of the same amount is somebody else's money")
		})
	}
}

func TestTheReturnOfSavingsToAClosedAccountThatComesAsATransferIsTakenInOnce(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.pays(ofOwn, sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer})
	w.sendsBack()
	pool := w.BalanceOf(posting.Pool(w.Open))
	w.closes()
	w.arrives()
	w.asked(id)
	w.explained()
	w.agrees()
	require.Equal(t, liquidation.Reversed, w.groupPayout(id))
	require.Equal(t, []money.Kobo{1_000_00, pool}, []money.Kobo{w.suspense(), w.BalanceOf(posting.Pool(w.Open))})
}

// Nothing tells the transfers apart, and nothing depends on which is which.
func TestAsManyTransfersAsReturnsOfOneAmountAreThoseReturns(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	var ids []string
	for range 2 {
		id := w.sends(sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer})
		require.Equal(t, payout.Paid, w.asked(id))
		ids = append(ids, id)
	}
	var rows []int64
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT array_agg(id) FROM sandbox_payouts").Scan(&rows))
	for _, row := range rows {
		require.NoError(t, w.Bank.SendBack(w.ctx, row))
		w.arrives()
	}
	for _, id := range ids {
		require.Equal(t, payout.Reversed, w.asked(id))
	}
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.Equal(t, money.Kobo(2*989_25), w.suspense())
	for range 3 {
		w.Reconciled(t)
	}
	w.explained()
	w.agrees()
	require.Equal(t, []money.Kobo{0, w.wallet}, []money.Kobo{w.suspense(), w.BalanceOf(posting.Wallet(w.Member.User))})
}

func TestAReturnToAClosedAccountThatItsBankTakesBackLeavesSuspense(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.comesBackByTransfer()
	w.closes()
	w.arrives()
	w.asked(id)
	w.explained()
	require.NoError(t, w.Bank.Recall(w.ctx, w.transfer()))
	w.explained()
	w.agrees()
	require.Equal(t, money.Kobo(10_75), w.suspense(), "the charges that Adashi gave back")
}

func TestAReturnThatItsBankTakesBackLeavesTheWalletThatHasIt(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.comesBackByTransfer()
	w.arrives()
	require.Equal(t, payout.Reversed, w.asked(id))
	w.explained()
	require.Zero(t, w.suspense())
	require.Equal(t, w.wallet, w.BalanceOf(posting.Wallet(w.Member.User)))

	require.NoError(t, w.Bank.Recall(w.ctx, w.transfer()))
	for range 2 {
		w.explained()
		w.agrees()
		require.Equal(t, w.wallet-989_25, w.BalanceOf(posting.Wallet(w.Member.User)))
	}
}

func TestAMemberOwesWhatItsBankTakesBackOfAReturnThatTheySpent(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.comesBackByTransfer()
	w.arrives()
	require.Equal(t, payout.Reversed, w.asked(id))
	w.explained()
	w.Gives(ledgertest.Raw{event.On("correction:x", &nairav1.AdjustmentPosted{UserId: w.Member.User, AmountKobo: int64(w.wallet), TakesBack: true})})
	require.NoError(t, w.Bank.RecallPart(w.ctx, w.transfer(), 500*money.Naira))
	w.explained()
	require.NoError(t, w.Bank.RecallPart(w.ctx, w.transfer(), 489_25))
	w.explained()
	w.agrees()
	require.Equal(t, []money.Kobo{0, -989_25}, []money.Kobo{w.BalanceOf(posting.Wallet(w.Member.User)), w.BalanceOf(posting.Owed(w.Member.User))})
}

// later runs two reconciliations two days later.
func (w withdrawing) later() {
	w.Helper()
	for range 2 {
		done, err := w.App.At(time.Now().Add(48*time.Hour)).Finance.Reconcile(w.ctx, contract.ReconciliationTriggerONDEMAND)
		require.NoError(w, err)
		require.Nil(w, done.Problem)
		require.NoError(w, w.Engine.CatchUp(w.ctx))
	}
}

// A bank may take a transfer back before we know that it is a payout's return.
func TestATransferThatWentBackBeforeItWasKnownToBeTheReturnIsTakenFromWhoHasTheReturn(t *testing.T) {
	t.Parallel()
	for name, back := range map[string]money.Kobo{"all of it": 989_25, "a part": 500_00} {
		for closed, holds := range map[string]money.Kobo{"": 1_000_00, ", of a closed account": 1_000_00} {
			t.Run(name+closed, func(t *testing.T) {
				t.Parallel()
				w := withdraws(t, event.Vfd)
				id := w.comesBackByTransfer()
				if closed != "" {
					w.closes()
				}
				w.arrives()
				require.NoError(t, w.Bank.RecallPart(w.ctx, w.transfer(), back))
				w.Reconciled(t)
				require.Equal(t, money.Kobo(989_25)-back, w.suspense())
				require.Equal(t, payout.Reversed, w.asked(id))
				w.Reconciled(t)
				if closed == "" {
					require.Equal(t, w.wallet, w.BalanceOf(posting.Wallet(w.Member.User)), "the statement may still have the return")
				}
				w.later()
				w.agrees()
				has := w.suspense()
				if closed == "" {
					require.Zero(t, has)
					has = w.BalanceOf(posting.Wallet(w.Member.User)) - w.wallet + holds
				}
				require.Equal(t, holds-back, has)
				w.later()
				w.explained()
				w.agrees()
			})
		}
	}
}

// sendsBack makes the receiving bank send the last payout back.
func (w withdrawing) sendsBack() {
	w.Helper()
	var row int64
	require.NoError(w, w.Pool.QueryRow(w.ctx, "SELECT max(id) FROM sandbox_payouts").Scan(&row))
	require.NoError(w, w.Bank.SendBack(w.ctx, row))
}

func TestWhatABankTakesBackOfTheReturnOfAGroupsPayoutIsAdashisAndOfSavingsTheirMembers(t *testing.T) {
	t.Parallel()
	for kind, bears := range map[nairav1.LiquidationKind]string{ofGroup: posting.Losses, ofOwn: ""} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			w := withdraws(t, event.Vfd)
			id := w.pays(kind, sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer})
			w.sendsBack()
			w.arrives()
			w.asked(id)
			w.explained()
			require.Equal(t, liquidation.Reversed, w.groupPayout(id))
			pool, has := w.BalanceOf(posting.Pool(w.Open)), money.Kobo(0)
			if bears == "" {
				bears = posting.Wallet(w.Member.User)
				has = w.BalanceOf(bears)
			}
			for _, part := range []money.Kobo{500 * money.Naira, 489_25} {
				has -= part
				require.NoError(t, w.Bank.RecallPart(w.ctx, w.transfer(), part))
				w.explained()
				w.agrees()
				require.Equal(t, []money.Kobo{pool, has, 0}, []money.Kobo{w.BalanceOf(posting.Pool(w.Open)), w.BalanceOf(bears), w.suspense()})
			}
		})
	}
}
