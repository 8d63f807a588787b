package finance_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/proto/wire"
	"adashi.ng/services/internal/apptest"
	"adashi.ng/services/internal/rails/sandbox"
)

// Money of exactly a return's amount that comes days later is a stranger's.
func TestMoneyThatComesDaysAfterAReturnIsNotTheReturn(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	now, past := w.App, w.App.At(time.Now().Add(-5*24*time.Hour))
	w.App = past
	require.NoError(t, w.Bank.Behave(w.ctx, sandbox.Manner{Account: w.account}))
	made, _, err := w.App.Payouts.Withdraw(w.ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.NoError(t, w.App.Payouts.SendPayouts(w.ctx))
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	w.BankSays("UPDATE sandbox_payouts SET sent_at = sent_at - interval '5 days', settles_at = settles_at - interval '5 days', reversed_at = now() - interval '5 days', line_late_ms = 864000000") // The bank books it late.
	_, err = w.App.At(time.Now().Add(-5*24*time.Hour+time.Minute)).Payouts.AskPayout(w.ctx, made.Id)
	require.NoError(t, err)
	w.App = now
	_, err = w.App.Payouts.AskPayout(w.ctx, made.Id)
	require.NoError(t, err)
	require.NoError(t, w.Engine.CatchUp(w.ctx))
	require.Equal(t, payout.Reversed, w.stands(made.Id))
	var at time.Time
	require.NoError(t, w.Pool.QueryRow(w.ctx, "SELECT at FROM rm_bank_lines WHERE about = $1 AND kobo > 0", made.Id).Scan(&at))
	t.Log("the return counts from", at)
	require.NoError(t, w.Bank.Transfer(w.ctx, sandbox.Transfer{Account: sandbox.OwnAccount, Amount: 989_25, Sender: "Ada Obi", At: time.Now()}))
	w.arrives()
	require.Equal(t, money.Kobo(989_25), w.suspense())
	w.Reconciled(t)
	require.Equal(t, money.Kobo(989_25), w.suspense(), "it is a stranger's")
}
