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

// Its bank does not say whose return it is, so that two of the desk do.
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
