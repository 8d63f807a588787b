package finance_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/rails/sandbox"
)

// Money in suspense that came too late under a member's payment belongs to that member or has no known owner, and is
// never the return of another member's payout.
func TestMoneyThatCameUnderAPaymentIsNoReturn(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{})
	require.Equal(t, payout.Paid, w.asked(id))
	payment := uuid.NewString()
	w.Gives(
		wallet.StartPayment{PaymentID: payment, User: w.Outsider.User, Channel: apptest.Transfer, Provider: event.Vfd, Amount: 989_25, ExpiresAt: time.Now().Add(time.Hour)},
		wallet.EndPayment{PaymentID: payment, To: wallet.Failed, Reason: "Declined"},
		wallet.ReceiveUnmatched{ProviderRef: "her session", Provider: event.Vfd, Channel: apptest.Transfer, Amount: 989_25, Reference: payment, Reason: "This payment is failed already.", PaidAt: time.Now()},
	)
	w.BankSays(sentBackNow)
	require.Equal(t, payout.Reversed, w.asked(id))
	require.Equal(t, money.Kobo(989_25), w.suspense(), "it came under her payment")
}

// The statement shows a return under the payout's reference, and the books agree. Money that a stranger sends the day
// after is the stranger's.
func TestAStrangersMoneyIsNoReturnWhereTheStatementHasThatUnderOurReference(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.sends(sandbox.Manner{})
	require.Equal(t, payout.Paid, w.asked(id))
	w.BankSays(sentBackNow)
	require.Equal(t, payout.Reversed, w.asked(id))
	w.explained()
	w.agrees()
	require.NoError(t, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 989_25, Sender: "Ada Obi", At: time.Now()}))
	w.arrives()
	// An hour later no line counts as moved during the reconciliation.
	_, err := w.App.At(time.Now().Add(time.Hour)).Finance.Reconcile(w.ctx, contract.ReconciliationTriggerONDEMAND)
	require.NoError(t, err)
	require.Equal(t, money.Kobo(989_25), w.suspense(), "it is a stranger's")
	w.agrees()
}

// Of two equal transfers the desk gives one to the member who sent it. The other is the return, which the wallet has
// already.
func TestTheTransferThatIsLeftOfTwoIsTheReturn(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.comesBackByTransfer()
	w.arrives()
	require.NoError(t, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 989_25, Sender: "Ada Obi", At: time.Now()}))
	w.arrives()
	require.Equal(t, payout.Reversed, w.asked(id))
	require.Equal(t, money.Kobo(2*989_25), w.suspense())
	page, err := w.App.Finance.Unmatched(w.ctx, w.Owner.User, nil, nil, 10)
	require.NoError(t, err)
	require.Len(t, page.Arrivals, 2)
	hers := page.Arrivals[1].Id
	proposed, _, err := w.App.Finance.ProposeUnmatched(w.ctx, w.Validator, hers, contract.ProposeUnmatchedRequest{Email: w.Outsider.Email, Reason: "She showed the slip"})
	require.NoError(t, err)
	_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Approver, hers, contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version})
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	for range 2 {
		w.Reconciled(t)
	}
	require.Zero(t, w.suspense())
	w.agrees()
}
