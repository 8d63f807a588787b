package finance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
	"adashi.ng/services/internal/rails/sandbox"
)

// Two payouts on one statement have separate lines for their charges.
func TestTwoChargesApartOnOneStatement(t *testing.T) {
	t.Parallel()
	w := withdraws(t, event.Vfd)
	for range 3 {
		id := w.sends(sandbox.Manner{Fee: 37_50, FeeTold: sandbox.FeeApart})
		require.Equal(t, payout.Paid, w.asked(id))
	}
	w.BankSays("UPDATE sandbox_payouts SET sent_at = settles_at - interval '1 ms'") // The bank books its charge after the payout.
	w.explained()
	require.Equal(t, money.Kobo(-3*37_50), w.BalanceOf(posting.FeesGateway), "every charge is posted")
	w.agrees()
}
