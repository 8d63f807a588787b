package finance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/rails"
)

func TestMoneyOfAnUnknownOwnerCoversNothingElse(t *testing.T) {
	t.Parallel()
	names, err := rails.NewRegistry()
	require.NoError(t, err)
	said := func(bank int64) bool {
		r := reconciliation{Reserves: sums{
			Owed: 10_000_00, Unmatched: 5_000_00, Held: bank, Rails: []railBalance{{Provider: event.Vfd, Bank: bank, Ledger: bank}},
		}}
		return r.reserves(names).Covered
	}
	require.True(t, said(15_000_00))
	require.False(t, said(10_000_00), "₦5,000 of what the banks hold is somebody's who is not known yet")
}

func TestABankThatIsOwedMoneyIsShownWithItsSign(t *testing.T) {
	t.Parallel()
	names, err := rails.NewRegistry()
	require.NoError(t, err)
	r := reconciliation{Reserves: sums{Owed: 5_000_00, Held: 5_000_00, Rails: []railBalance{
		{Provider: event.Vfd, Bank: 10_000_00, Ledger: 10_000_00}, {Provider: event.Paystack, Bank: -5_000_00, Ledger: -5_000_00},
	}}}
	shown := r.reserves(names)
	var sum int64
	for _, rail := range shown.Rails {
		sum += rail.Bank.Shift(2).IntPart()
	}
	require.Equal(t, shown.Held.Shift(2).IntPart(), sum)
}

func TestWhatIsInTransitIsLookedAtAgainByTheNextReconciliation(t *testing.T) {
	t.Parallel()
	old := time.Now().AddDate(0, 0, -20)
	r := reconciler{found: []finding{{Kind: BANKONLY, Words: learned, At: old.AddDate(0, 0, -1)}, {Kind: INTRANSIT, At: old}, {Kind: LEDGERONLY, At: time.Now()}}}
	require.Equal(t, old, *r.oldest())
	require.Nil(t, (&reconciler{found: r.found[:1]}).oldest())
}
