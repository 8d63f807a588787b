package money_test

import (
	"math"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"adashi.ng/ledger/base/money"
)

func any64(t *rapid.T, label string) money.Kobo { return money.Kobo(rapid.Int64().Draw(t, label)) }

func TestASumIsExactOrRefused(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := any64(t, "a"), any64(t, "b")
		exact := decimal.NewFromInt(int64(a)).Add(decimal.NewFromInt(int64(b)))
		sum, err := a.Add(b)
		if exact.GreaterThan(decimal.NewFromInt(math.MaxInt64)) || exact.LessThan(decimal.NewFromInt(math.MinInt64)) {
			require.ErrorIs(t, err, money.ErrOverflow)
			return
		}
		require.NoError(t, err)
		require.Equal(t, exact.IntPart(), int64(sum))
	})
}

func TestNairaAndKoboAreEachOtherExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		k := any64(t, "kobo")
		if k == math.MinInt64 {
			return
		}
		back, err := money.FromNaira(k.Decimal())
		require.NoError(t, err)
		require.Equal(t, k, back)
	})
}

func TestAFractionOfAKoboAndTooMuchAreRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"0.001", "5177.675", "92233720368547758.08", "1e40", "-92233720368547758.09"} {
		_, err := money.FromNaira(decimal.RequireFromString(text))
		require.ErrorIs(t, err, money.ErrNotKobo, text)
	}
	most, err := money.FromNaira(decimal.RequireFromString("92233720368547758.07"))
	require.NoError(t, err)
	require.EqualValues(t, math.MaxInt64, most)
}

func TestAmountsReadAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for kobo, want := range map[money.Kobo]string{
		0: "₦0.00", 5: "₦0.05", 99_999: "₦999.99", 517_767: "₦5,177.67", -100_000: "-₦1,000.00", 123_456_789_012: "₦1,234,567,890.12",
		math.MaxInt64: "₦92,233,720,368,547,758.07", math.MinInt64: "-₦92,233,720,368,547,758.08",
	} {
		require.Equal(t, want, kobo.String())
	}
}
