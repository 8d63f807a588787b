package finance_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/rails/sandbox"
)

// twins makes a payout come back as a transfer while somebody else sends the same amount: nothing distinguishes the
// two. It returns the payout, and the return as the desk has it.
func (w withdrawing) twins() (id, arrival string) {
	w.Helper()
	id = w.comesBackByTransfer()
	w.arrives()
	session := w.transfer()[len("VFD"):]
	require.NoError(w, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 989_25, Sender: "Ada Obi", At: time.Now()}))
	w.arrives()
	return id, w.parkedAs(session).Id
}

func (w withdrawing) parkedAs(session string) (found contract.Unmatched) {
	w.Helper()
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	page, err := w.App.Finance.Unmatched(w.ctx, w.Owner.User, nil, nil, 10)
	require.NoError(w, err)
	for _, a := range page.Arrivals {
		if *a.ProviderRef == session {
			return a
		}
	}
	require.Fail(w, "it does not wait")
	return found
}

func TestTheDeskSaysWhichMoneyIsTheReturnOfAPayout(t *testing.T) {
	t.Parallel()
	for name, told := range map[string]bool{"the bank says that it came back": true, "nobody says that it came back": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withdraws(t, event.Vfd)
			id, arrival := w.twins()
			if told {
				require.Equal(t, payout.Reversed, w.asked(id))
			} else {
				require.NoError(t, w.Bank.Behave(w.ctx, sandbox.Manner{Account: w.account, Tells: sandbox.TellsNoReturn}))
			}
			form := contract.ProposeReturnRequest{PayoutId: id, Reason: "The bank's letter says so"}
			if told {
				require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT reference FROM sandbox_payouts").Scan(&form.PayoutId))
			}
			_, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Member, arrival, form)
			require.ErrorContains(t, err, "Nobody decides about money for themselves")
			proposed, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, arrival, form)
			require.NoError(t, err)
			require.Equal(t, id, *proposed.Proposal.PayoutId)
			require.NoError(t, w.Engine.CatchUp(w.ctx))
			agree := contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version}
			_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Validator, arrival, agree)
			require.ErrorContains(t, err, "A second person must agree")
			_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Member, arrival, agree)
			require.ErrorContains(t, err, "Nobody decides about money for themselves")
			other := "another"
			_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Approver, arrival, contract.DecideUnmatchedRequest{Approve: true, Seen: &other})
			require.ErrorContains(t, err, "has changed since you looked")
			require.Equal(t, money.Kobo(2*989_25), w.suspense(), "a refusal moves nothing")

			agreed, _, err := w.App.Finance.DecideUnmatched(w.ctx, w.Approver, arrival, agree)
			require.NoError(t, err)
			require.Equal(t, []any{contract.UnmatchedStatusMATCHED, id}, []any{agreed.Status, *agreed.PayoutId})
			if !told { // A crash between the two would leave money both in the wallet and at the desk.
				var commands int
				require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT count(DISTINCT command) FROM events WHERE type IN ('naira.v1.WithdrawalReversedV2', 'naira.v1.ReturnAgreed')").Scan(&commands))
				require.Equal(t, 1, commands, "the payout is put back by the agreement itself")
			}
			require.NoError(t, w.Engine.CatchUp(w.ctx))
			payment, err := bankbook.PaymentOf(w.ctx, w.Pool, event.Vfd, *agreed.ProviderRef)
			require.NoError(t, err)
			require.Empty(t, payment, "a payout is no payment")
			likely, err := bankbook.LikelyFor(w.ctx, w.Pool, event.Vfd, 989_25, time.Now(), 24*time.Hour)
			require.NoError(t, err)
			require.Empty(t, likely, "nobody paid that")
			require.Equal(t, []any{payout.Reversed, w.wallet, money.Kobo(989_25)}, []any{w.stands(id), w.BalanceOf(posting.Wallet(w.Member.User)), w.suspense()})
			w.explained()
			w.agrees()
			require.Equal(t, money.Kobo(989_25), w.suspense(), "the other is somebody else's")
		})
	}
}

func TestAProposedReturnIsDeclinedAndIsOfAPayoutOfThatAmount(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id, arrival := w.twins()
	paid := w.sends(sandbox.Manner{Code: "91"})
	for _, wrong := range []string{"", "x", paid, arrival} {
		_, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, arrival, contract.ProposeReturnRequest{PayoutId: wrong, Reason: "The bank's letter says so"})
		require.ErrorContains(t, err, "payout", wrong)
	}
	require.NoError(t, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 989_24, Sender: "Ada Obi", At: time.Now()}))
	w.arrives()
	form := contract.ProposeReturnRequest{PayoutId: id, Reason: "The bank's letter says so"}
	_, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, w.parkedAs(w.transfer()[len("VFD"):]).Id, form)
	require.ErrorContains(t, err, "this amount")

	for range 2 {
		_, _, err = w.App.Finance.ProposeReturn(w.ctx, w.Validator, arrival, form)
		require.NoError(t, err)
		require.NoError(t, w.Engine.CatchUp(w.ctx))
		_, _, err = w.App.Finance.ProposeUnmatched(w.ctx, w.Approver, arrival, contract.ProposeUnmatchedRequest{Email: w.Outsider.Email, Reason: "Her slip"})
		require.ErrorContains(t, err, "proposed already")
		why := "It is hers"
		declined, _, err := w.App.Finance.DecideUnmatched(w.ctx, w.Approver, arrival, contract.DecideUnmatchedRequest{Reason: &why})
		require.NoError(t, err)
		require.Equal(t, contract.UnmatchedStatusOPEN, declined.Status)
		require.Nil(t, declined.Proposal)
		require.NoError(t, w.Engine.CatchUp(w.ctx))
	}
	require.Equal(t, payout.Paid, w.stands(id))
}
