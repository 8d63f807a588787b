package payouts_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/rails/sandbox"
)

// A bank that is away keeps a member's withdrawal, and one that is gone a group's payment, behind many that wait for
// their time.
func TestEveryPayoutThatWasTriedAndIsNotSentIsCounted(t *testing.T) {
	t.Parallel()
	d := doubts(t, event.Vfd)
	notSent := func() int {
		count, err := d.App.Payouts.NotSent(d.ctx)
		require.NoError(t, err)
		return count
	}
	_, err := d.Pool.Exec(d.ctx, `INSERT INTO rm_payouts (withdrawal_id, user_id, pos, event_id, status, kobo, fee, vat, duty, fee_table, provider, requested_at)
		SELECT gen_random_uuid(), 'x', -n, gen_random_uuid(), 'REQUESTED', 1, 0, 0, 0, 1, 'vfd', now() - interval '1 hour' FROM generate_series(1, 250) AS n`)
	require.NoError(t, err)
	d.behaves(sandbox.Manner{Refuses: sandbox.BankAway, DeadUntil: time.Now().Add(time.Hour)})
	id := d.withdraws()
	require.Zero(t, notSent(), "it was tried once")
	require.Equal(t, "REQUESTED", d.asked(id, time.Minute, 5*time.Minute))
	require.Equal(t, 1, notSent(), "behind those that wait")

	approved(t, d.Town, time.Now(), "gone")
	d.asked(id, 7*time.Minute, 10*time.Minute, 20*time.Minute)
	require.Equal(t, 2, notSent(), "a group's payment too")
	d.behaves(sandbox.Manner{})
	require.Equal(t, "PAID", d.asked(id, 2*time.Hour))
	require.Equal(t, 1, notSent())
}
