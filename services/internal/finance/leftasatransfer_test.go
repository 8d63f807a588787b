package finance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/rails/sandbox"
)

// The bank does not say which payout the return belongs to, so two members of the desk decide.
func TestWhatLeftAfterItFailedAndComesBackAsATransferMakesTheLossGood(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{Code: "51"})
	w.asked(id)
	w.BankSays("UPDATE sandbox_payouts SET code = '00', sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours'")
	w.explained()
	require.Equal(t, money.Kobo(-989_25), w.BalanceOf(posting.Losses))
	w.BankSays("UPDATE sandbox_payouts SET return_as = $1", sandbox.ReturnAsTransfer)
	var row int64
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT max(id) FROM sandbox_payouts").Scan(&row))
	require.NoError(t, w.Bank.SendBack(w.ctx, row))
	w.arrives()
	w.Reconciled(w)
	page, err := w.App.Finance.Unmatched(w.ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	arrival := page.Arrivals[0].Id
	proposed, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, arrival, contract.ProposeReturnRequest{PayoutId: id, Reason: "The bank's letter says so"})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Approver, arrival, contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	w.explained()
	w.agrees()
	require.Equal(t, []money.Kobo{0, 0, w.wallet}, []money.Kobo{w.BalanceOf(posting.Losses), w.BalanceOf(posting.Unmatched), w.BalanceOf(posting.Wallet(w.Member.User))})
}

// The bank pays a payout that it had reported as failed, gets it back, and pays it once more under the same reference,
// in another session or in the same one.
func TestWhatLeavesAgainAfterItCameBackIsAdashisLossAgain(t *testing.T) {
	t.Parallel()
	for _, session := range []string{"session_id || '2'", "session_id"} {
		leavesAgain(t, session)
	}
}

func leavesAgain(t *testing.T, session string) {
	t.Helper()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{Code: "51"})
	w.asked(id)
	w.BankSays("UPDATE sandbox_payouts SET code = '00', sent_at = now() - interval '50 hours', settles_at = now() - interval '49 hours'")
	w.explained()
	w.BankSays("UPDATE sandbox_payouts SET reversed_at = now() - interval '40 hours'")
	w.explained()
	require.Zero(t, w.BalanceOf(posting.Losses))

	w.BankSays("ALTER TABLE sandbox_payouts DROP CONSTRAINT sandbox_payouts_rail_reference_key, DROP CONSTRAINT sandbox_payouts_session_id_key")
	w.BankSays(`INSERT INTO sandbox_payouts (rail, reference, session_id, account_number, bank_code, account_name, amount, fee, code, sent_at, settles_at)
		SELECT rail, reference, ` + session + `, account_number, bank_code, account_name, amount, fee, code, now() - interval '26 hours', now() - interval '25 hours' FROM sandbox_payouts`)
	for range 2 {
		w.explained()
		w.agrees()
		require.Equal(t, []money.Kobo{-989_25, w.wallet}, []money.Kobo{w.BalanceOf(posting.Losses), w.BalanceOf(posting.Wallet(w.Member.User))})
	}
	w.BankSays("UPDATE sandbox_payouts SET reversed_at = now() WHERE reversed_at IS NULL")
	w.explained()
	w.agrees()
	require.Zero(t, w.BalanceOf(posting.Losses))
}
