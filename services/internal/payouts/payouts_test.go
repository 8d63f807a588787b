package payouts_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/apptest"
)

// A sender that was delayed between its record and the bank must not send any more: the recorded payout may count as
// failed by now. Its ledger's clock is behind by the length of the delay.
func TestASenderThatWasHeldUpForAMinuteDoesNotSend(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		heldUp time.Duration
		orders int
	}{"at once": {0, 1}, "held up": {61 * time.Second, 0}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := apptest.SetupBy(t, true, false, func() time.Time { return time.Now().Add(-c.heldUp) })
			ctx := context.Background()
			w.PaysOut()
			before := w.BalanceOf(posting.Wallet(w.Member.User))
			made, _, err := w.App.Payouts.Withdraw(ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
			require.NoError(t, err)
			require.NoError(t, w.Engine.CatchUp(ctx))
			require.NoError(t, w.App.Payouts.SendPayouts(ctx))
			require.NoError(t, w.Engine.CatchUp(ctx))
			var sent, orders int
			require.NoError(t, w.Pool.QueryRow(ctx, `SELECT (SELECT count(*) FROM events WHERE type = 'naira.v1.WithdrawalSent'), (SELECT count(*) FROM sandbox_payouts)`).Scan(&sent, &orders))
			require.Equal(t, []int{1, c.orders}, []int{sent, orders})
			if c.orders > 0 {
				return
			}
			for _, later := range []time.Duration{time.Minute, 17 * time.Minute} { // We ask about it like any other.
				_, err = w.App.At(time.Now().Add(later)).Payouts.AskPayout(ctx, made.Id)
				require.NoError(t, err)
			}
			require.NoError(t, w.App.Payouts.SendPayouts(ctx))
			require.Equal(t, before, w.BalanceOf(posting.Wallet(w.Member.User)))
			require.NoError(t, w.Pool.QueryRow(ctx, `SELECT count(*) FROM sandbox_payouts`).Scan(&orders))
			require.Zero(t, orders)
		})
	}
}

// However many payouts the bank leaves pending, or wait for a group to resume, a new one is sent.
func TestThoseThatWaitForLongKeepNoPayoutFromItsTurn(t *testing.T) {
	t.Parallel()
	w := apptest.Setup(t, true, false)
	ctx := context.Background()
	w.PaysOut()
	for _, fill := range []string{
		`INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, provider, requested_at)
			SELECT gen_random_uuid(), 'x', n, gen_random_uuid(), 'SENT', 1, 0, 0, 0, 1, 'vfd', now() FROM generate_series(1, 250) AS n`,
		`INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, provider, requested_at)
			SELECT gen_random_uuid(), 'x', n, gen_random_uuid(), 'REQUESTED', 1, 0, 0, 0, 1, 'vfd', now() FROM generate_series(1, 250) AS n`,
	} {
		_, err := w.Pool.Exec(ctx, fill)
		require.NoError(t, err)
		made, _, err := w.App.Payouts.Withdraw(ctx, w.Member, apptest.Naira(1_000), wire.FromKobo(989_25), "")
		require.NoError(t, err)
		require.NoError(t, w.Engine.CatchUp(ctx))
		_, err = w.Pool.Exec(ctx, "UPDATE rm_payouts SET pos = pos + 1000 WHERE withdrawal_id = $1", made.Id)
		require.NoError(t, err)
		require.NoError(t, w.App.Payouts.SendPayouts(ctx))
		var orders int
		require.NoError(t, w.Pool.QueryRow(ctx, "SELECT count(*) FROM sandbox_payouts WHERE reference LIKE '%' || $1", made.Id).Scan(&orders))
		require.Equal(t, 1, orders)
	}
}
