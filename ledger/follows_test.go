package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
)

func TestPaymentsAreAlikeThatDifferInWhatOthersOwe(t *testing.T) {
	t.Parallel()
	paid := func(amount, missing int64) *nairav1.AjoContributed {
		return &nairav1.AjoContributed{AjoId: "a", Cycle: 1, Seat: 2, UserId: "vera", AmountKobo: amount, MissingKobo: missing}
	}
	require.True(t, ledger.Alike(paid(500, 1000), paid(500, 0)))
	require.False(t, ledger.Alike(paid(400, 1000), paid(500, 1000)), "another amount is another payment")
	require.False(t, ledger.Alike(paid(500, 0), &nairav1.AjoDebtPaid{AjoId: "a", AmountKobo: 500}))
	require.False(t, ledger.Alike(&nairav1.AjoDebtPaid{AjoId: "a"}, &nairav1.AjoDebtPaid{AjoId: "a"}))
}
