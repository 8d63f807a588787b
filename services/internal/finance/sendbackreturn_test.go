package finance_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	rules "adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/sandbox"
)

// Money that we sent back returns as a transfer without a webhook: the desk says so, and a reversal of that transfer
// leaves suspense.
func TestTheDeskSaysWhatIsTheReturnOfMoneyThatWentBack(t *testing.T) {
	t.Parallel()
	w := sentByAStranger(t, nil)
	w.Follows()
	back := w.agreed()
	w.sends(sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer, Tells: sandbox.TellsNoReturn})
	w.stands(0, 0, 0)
	var row int64
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT max(id) FROM sandbox_payouts").Scan(&row))
	require.NoError(t, w.Bank.SendBack(w.ctx, row))
	w.Reconciled(t)
	w.stands(sum, 0, 0)
	again := w.arrival("OPEN")
	require.NotEqual(t, w.ref, *again.ProviderRef)

	form := contract.ProposeReturnRequest{PayoutId: back, Reason: "The bank's letter says so"}
	_, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, w.id, form)
	w.refused(err, fault.Conflict, "sent back already")
	_, _, err = w.App.Finance.ProposeReturn(w.ctx, w.Outsider, again.Id, form)
	w.refused(err, fault.Forbidden, "Nobody decides about money for themselves")
	proposed, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, again.Id, form)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	_, _, err = w.App.Finance.ProposeSendBack(w.ctx, w.Owner, again.Id, contract.ProposeSendBackRequest{Reason: "Nobody here knows the sender"})
	w.refused(err, fault.Conflict, "proposed already")
	agreed, _, err := w.App.Finance.DecideUnmatched(w.ctx, w.Approver, again.Id, contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version})
	require.NoError(t, err)
	require.Equal(t, []any{contract.UnmatchedStatusMATCHED, back}, []any{agreed.Status, *agreed.PayoutId})
	w.stands(sum, 0, 0)
	first := w.arrival("OPEN")
	require.Equal(t, []any{w.id, "RETURNED"}, []any{first.Id, string(first.SendBack.State)})
	require.Equal(t, w.beyond, w.Beyond(t))

	view, err := w.proposes(w.Validator)
	require.NoError(t, err)
	_, _, err = w.App.Finance.ProposeReturn(w.ctx, w.Owner, w.id, form)
	w.refused(err, fault.Conflict, "proposed already")
	require.NotEqual(t, back, view.SendBack.Id)
	var transfer string
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT reference FROM sandbox_transfers ORDER BY id DESC LIMIT 1").Scan(&transfer))
	require.NoError(t, w.Bank.Recall(w.ctx, transfer))
	w.Reconciled(t)
	w.stands(0, 0, 0)
	require.Equal(t, w.id, w.arrival("RETURNED").Id)
	require.Equal(t, w.beyond, w.Beyond(t))
	require.True(t, w.Reconciled(t).Balanced)
}

// A bank takes a transfer back while we send it back, and the transfer turns out to be the return of a payout once that
// payout failed.
func TestWhatWasTakenBackOfAReturnWhileItWasSentBackIsTakenFromWhoHasTheReturn(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]money.Kobo{"all of it": 989_25, "a part": 500_00} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := withdraws(t, event.Vfd)
			id := w.comesBackByTransfer()
			w.arrives()
			of, back := payout.SentMoney{Provider: event.Vfd, ProviderRef: w.transfer()[len("VFD"):]}, uuid.NewString()
			w.Gives(
				payout.ProposeSendBack{SentMoney: of, ID: back, By: w.Validator.User, Reason: "Nobody here knows the sender"},
				payout.DecideSendBack{SentMoney: of, ID: back, By: w.Approver.User, Approve: true},
				payout.SendMoneyBack(of, back, "Adashi-back"),
			)
			require.NoError(t, w.Bank.RecallPart(w.ctx, w.transfer(), part))
			w.Reconciled(t)
			require.Equal(t, -part, w.BalanceOf(posting.Losses))
			w.Gives(payout.FailMoneyBack(of, back, "Adashi-back", "Refused"))
			require.Equal(t, []money.Kobo{989_25 - part, 0}, []money.Kobo{w.suspense(), w.BalanceOf(posting.Losses)})
			require.Equal(t, payout.Reversed, w.asked(id))
			w.Reconciled(t)
			w.later()
			w.agrees()
			require.Equal(t, []money.Kobo{0, w.wallet - part}, []money.Kobo{w.suspense(), w.BalanceOf(posting.Wallet(w.Member.User))})
			w.later()
			w.explained()
			w.agrees()
		})
	}
}

// The receiving bank keeps ₦4,000 of the money that we sent back, and the sender's bank recalls the transfer. A part
// that comes back reduces the loss, whichever comes first, and so does the rest once it comes.
func TestWhatComesBackInPartsOfMoneySentBackMakesTheLossOfItsRecallGood(t *testing.T) {
	t.Parallel()
	part := 1_000 * money.Naira
	comesBack := func(w *stranger) {
		w.BankSays("UPDATE sandbox_payouts SET reversed_at = now() - interval '1 hour'")
		w.Reconciled(w)
	}
	for name, play := range map[string]func(w *stranger){
		"the recall comes first": func(w *stranger) {
			w.recalled()
			w.stands(0, 0, sum)
			comesBack(w)
		},
		"the part comes first": func(w *stranger) {
			comesBack(w)
			w.stands(part, 0, 0)
			w.recalled()
		},
		"the part is to go back too": func(w *stranger) {
			comesBack(w)
			w.id = w.arrival("OPEN").Id
			w.agreed()
			w.stands(0, part, 0)
			w.recalled()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sentByAStranger(t, nil)
			w.Follows()
			w.agreed()
			w.sends(sandbox.Manner{Keeps: sum - part})
			play(w)
			w.stands(0, 0, sum-part)
			require.Equal(t, w.beyond, w.Beyond(t))
			require.True(t, w.Reconciled(t).Balanced, "%+v", w.Reconciled(t))
			require.Equal(t, apptest.Naira(1_000), w.arrival("RETURNED").Amount)
			w.BankSays("UPDATE sandbox_payouts SET rest_after_ms = 1000")
			w.Reconciled(t)
			w.stands(0, 0, 0)
			require.Equal(t, w.beyond, w.Beyond(t))
			last := w.Reconciled(t)
			require.True(t, last.Balanced, "%+v", last)
			for _, item := range last.Items {
				require.Equal(t, apptest.Naira(9_000), item.Amount, "what the town began with: %s", item.Words)
			}
		})
	}
}

// Money that we sent back returns as a transfer, the desk says that this is the return, and the money turns out to be a
// payment's. The bank takes the transfer back, before or after we know that: the member who has the money gives it up.
func TestTheTransferOfAReturnThatBecameAPaymentsIsTakenFromTheMember(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]struct{ early, asRefund bool }{
		"after it was the payment's": {}, "before": {early: true}, "by a line that names what it takes back": {asRefund: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := sentByAStranger(t, nil)
			w.Follows()
			back := w.agreed()
			w.sends(sandbox.Manner{ReturnAs: sandbox.ReturnAsTransfer, Tells: sandbox.TellsNoReturn})
			var row int64
			require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT max(id) FROM sandbox_payouts").Scan(&row))
			require.NoError(t, w.Bank.SendBack(w.ctx, row))
			w.Reconciled(t)
			again := w.arrival("OPEN")
			proposed, _, err := w.App.Finance.ProposeReturn(w.ctx, w.Validator, again.Id, contract.ProposeReturnRequest{PayoutId: back, Reason: "The bank's letter says so"})
			require.NoError(t, err)
			require.NoError(t, w.Engine.CatchUp(w.ctx))
			_, _, err = w.App.Finance.DecideUnmatched(w.ctx, w.Approver, again.Id, contract.DecideUnmatchedRequest{Approve: true, Seen: &proposed.Proposal.Version})
			require.NoError(t, err)
			w.stands(sum, 0, 0)

			payment := uuid.NewString()
			w.Gives(rules.StartPayment{
				PaymentID: payment, User: w.Outsider.User, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Provider: event.Vfd, Tariff: rules.Free, Amount: sum, ExpiresAt: time.Now().Add(time.Hour),
			})
			wallet := w.holds(posting.Wallet(w.Outsider.User))
			turnsOut := rules.ConfirmPayment{
				PaymentID: payment, User: w.Outsider.User, Provider: event.Vfd, Gross: sum, ProviderRef: w.ref, PaidAt: time.Now(),
			}
			var transfer string
			require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT reference FROM sandbox_transfers ORDER BY id DESC LIMIT 1").Scan(&transfer))
			if !how.early {
				w.Gives(turnsOut)
				require.Equal(t, wallet+sum, w.holds(posting.Wallet(w.Outsider.User)))
			}
			if how.asRefund {
				line := rails.Line{ProviderRef: "refund", Of: *again.ProviderRef, Out: true, Amount: sum, At: time.Now()}
				for range 2 {
					_, err = w.App.Payments.LineTakenBack(w.ctx, payments.BankLine{Provider: event.Vfd, Line: line})
					require.NoError(t, err)
				}
				require.Equal(t, wallet, w.holds(posting.Wallet(w.Outsider.User)))
				return
			}
			require.NoError(t, w.Bank.Recall(w.ctx, transfer))
			w.Reconciled(t)
			w.Reconciled(t)
			w.stands(0, 0, 0)
			require.Equal(t, wallet, w.holds(posting.Wallet(w.Outsider.User)))
			require.Equal(t, w.beyond, w.Beyond(t))
			last := w.Reconciled(t)
			require.True(t, last.Balanced, "%+v", last)
		})
	}
}
