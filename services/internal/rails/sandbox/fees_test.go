package sandbox

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	out "adashi.ng/ledger/domain/payout"
)

// The checks of the fee table: gross less the fee is exactly the net that was asked for.
func TestCardFeeLeavesExactlyTheNet(t *testing.T) {
	t.Parallel()
	for net, gross := range map[money.Kobo]money.Kobo{
		1_000_00: 1_015_23, 2_462_49: 2_499_99, 2_463_00: 2_602_04, 5_000_00: 5_177_67, 10_000_00: 10_253_81,
		50_000_00: 50_862_95, 124_666_67: 126_666_67, 1_000_000_00: 1_002_000_00,
	} {
		require.Equal(t, net, gross-cardFee(gross), "gross %s", gross)
	}
}

// The gateway's tariff and ours change at the same bounds, and take the lower fee at exactly each bound.
func TestOurFeeOfAPayoutIsTheGatewaysAtItsBounds(t *testing.T) {
	t.Parallel()
	for _, amount := range []money.Kobo{100_00, 4_999_99, 5_000_00, 5_000_01, 49_999_99, 50_000_00, 50_000_01, 5_000_000_00} {
		require.Equal(t, payoutFee(amount), out.ChargesOn(amount).Fee, "of %s", amount)
	}
}
