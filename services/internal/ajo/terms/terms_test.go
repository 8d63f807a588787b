package terms_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	rules "adashi.ng/ledger/domain/ajo"
	"adashi.ng/services/internal/ajo/terms"
	"adashi.ng/services/internal/usecase"
)

// The average payment in a month is shown only for an ajo that lasts at least two months.
func TestWhatIsPaidInAMonthIsSaidOnlyOfAnAjoThatLastsTwo(t *testing.T) {
	t.Parallel()
	const weekly, fortnightly, monthly = nairav1.PaymentFrequency_PAYMENT_FREQUENCY_WEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_BIWEEKLY, nairav1.PaymentFrequency_PAYMENT_FREQUENCY_MONTHLY
	today := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		often       nairav1.PaymentFrequency
		seats, past int
		says        bool
	}{
		{weekly, 3, 0, false},
		{weekly, 8, 0, false},
		{weekly, 9, 0, true},
		{weekly, 12, 4, false},
		{fortnightly, 4, 0, false},
		{fortnightly, 5, 0, true},
		{monthly, 2, 1, false},
		{monthly, 2, 0, true},
		{monthly, 12, 0, true},
	} {
		x := rules.Usual()
		x.AmountKobo, x.Seats, x.StartMonth, x.StartYear, x.Frequency = int64(5_000*money.Naira), int32(c.seats), 12, 2026, c.often
		p := terms.Preview(x, c.past, today)
		require.Equal(t, c.says, p.Monthly != nil, "%s, %d seats, %d past", c.often, c.seats, c.past)
		if c.says {
			require.Equal(t, usecase.Naira(rules.Monthly(x, 2)), *p.Monthly)
			require.LessOrEqual(t, 2*rules.Monthly(x, 2), rules.Share(x, 2)*money.Kobo(c.seats-c.past), "as much is paid")
		}
	}
}
