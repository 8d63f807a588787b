package finance_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

func (w withdrawing) retries(id string) {
	w.Helper()
	_, _, err := w.App.Liquidations.RetryLiquidation(w.ctx, usecase.Who{User: w.Approver.User, Email: w.Approver.Email}, id, func() error { return nil })
	require.NoError(w, err)
	require.NoError(w, w.Engine.CatchUp(w.ctx))
	w.send()
}

func (w withdrawing) ref(id string, n int) string {
	w.Helper()
	state, err := w.App.LiquidationState(w.ctx, id)
	require.NoError(w, err)
	return state.References[n]
}

// A and B both failed; A is paid after all, and then comes back.
func TestTheFirstOfTwoFailedOrdersIsPaidAfterAllAndComesBack(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.pays(ofGroup, sandbox.Manner{Code: "51"})
	require.Equal(t, liquidation.PayoutFailed, w.groupPayout(id))
	w.retries(id)
	require.Equal(t, liquidation.PayoutFailed, w.groupPayout(id))
	w.BankSays("UPDATE sandbox_payouts SET code = '00', says = '{51}', sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours' WHERE reference = $1", w.ref(id, 0))
	w.explained()
	w.agrees()
	require.Equal(t, liquidation.Paid, w.groupPayout(id))
	w.BankSays("UPDATE sandbox_payouts SET reversed_at = now() WHERE reference = $1", w.ref(id, 0))
	w.Reconciled(w)
	_, err := w.App.At(time.Now().Add(time.Minute)).Payouts.AskPayout(w.ctx, id)
	require.NoError(t, err)
	items := w.Reconciled(w).Items
	for _, i := range items {
		t.Log(i.Kind, i.Amount, i.Words)
	}
	w.agrees()
}

// A failed, and B is in progress when A is paid after all; B is paid too.
func TestTheSecondOfTwoOrdersThatAreBothPaidIsAdashisLoss(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.pays(ofGroup, sandbox.Manner{Code: "51"})
	require.NoError(t, w.Bank.Behave(w.ctx, sandbox.Manner{Account: w.account, Delay: time.Hour}))
	w.retries(id)
	require.Equal(t, liquidation.PayoutPending, w.groupPayout(id))
	w.BankSays("UPDATE sandbox_payouts SET code = '00', sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours' WHERE reference = $1", w.ref(id, 0))
	_, err := w.App.At(time.Now().Add(time.Minute)).Payouts.AskPayout(w.ctx, id)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.Equal(t, liquidation.Paid, w.groupPayout(id))
	w.BankSays("UPDATE sandbox_payouts SET sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours' WHERE reference = $1", w.ref(id, 1))
	w.Reconciled(w)
	_, err = w.App.At(time.Now().Add(time.Minute)).Payouts.AskPayout(w.ctx, id)
	require.NoError(t, err)
	for _, i := range w.Reconciled(w).Items {
		t.Log(i.Kind, i.Amount, i.Words)
	}
	w.agrees()
	require.Equal(t, money.Kobo(-989_25), w.BalanceOf(posting.Losses))
}

// The statement shows A going out while B is in progress, and then the bank says so too.
func TestAnOrderThatItsStatementHasAsPaidIsPaidOnce(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	id := w.pays(ofGroup, sandbox.Manner{Code: "51"})
	require.NoError(t, w.Bank.Behave(w.ctx, sandbox.Manner{Account: w.account, Delay: time.Hour}))
	w.retries(id)
	require.Equal(t, liquidation.PayoutPending, w.groupPayout(id))
	w.BankSays("UPDATE sandbox_payouts SET code = '00', says = '{51}', sent_at = now() - interval '26 hours', settles_at = now() - interval '25 hours' WHERE reference = $1", w.ref(id, 0))
	w.explained()
	w.agrees()
	w.BankSays("UPDATE sandbox_payouts SET says = '{}' WHERE reference = $1", w.ref(id, 0)) // Now the bank also says so when we ask.
	w.BankSays("UPDATE sandbox_payouts SET code = '51', settles_at = now() WHERE reference = $1", w.ref(id, 1))
	_, err := w.App.At(time.Now().Add(time.Minute)).Payouts.AskPayout(w.ctx, id)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	for _, i := range w.Reconciled(w).Items {
		t.Log(i.Kind, i.Amount, i.Words)
	}
	w.agrees()
}
