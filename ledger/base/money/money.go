// Package money is whole kobo in int64 with checked arithmetic. Naira decimals exist only at the edges of the system.
package money

import (
	"errors"
	"math"
	"strings"

	"github.com/shopspring/decimal"
)

// Kobo is an amount of money in kobo, a hundredth of a naira. It may be negative as a debit.
type Kobo int64

// Naira is one naira in kobo.
const Naira Kobo = 100

// Max is the largest amount one command may name: ₦1 billion. It keeps every sum far from int64's end.
const Max = 1_000_000_000 * Naira

// ErrOverflow is returned when a sum leaves int64.
var ErrOverflow = errors.New("money: the sum is out of range")

// ErrNotKobo is returned for an amount that is not a whole number of kobo or out of range.
var ErrNotKobo = errors.New("money: not a whole number of kobo in range")

// FromNaira converts naira to kobo exactly. It fails with ErrNotKobo on a fraction of a kobo or beyond int64.
func FromNaira(naira decimal.Decimal) (Kobo, error) {
	kobo := naira.Shift(2)
	if !kobo.IsInteger() || kobo.Abs().GreaterThan(decimal.NewFromInt(math.MaxInt64)) {
		return 0, ErrNotKobo
	}
	return Kobo(kobo.IntPart()), nil
}

// Decimal is the amount in naira.
func (k Kobo) Decimal() decimal.Decimal { return decimal.New(int64(k), -2) }

// Add sums, failing with ErrOverflow instead of wrapping.
func (k Kobo) Add(other Kobo) (Kobo, error) {
	sum := k + other
	if (other > 0 && sum < k) || (other < 0 && sum > k) {
		return 0, ErrOverflow
	}
	return sum, nil
}

// String writes the amount as people read it: ₦5,177.67, with a leading minus for a debit.
func (k Kobo) String() string {
	digits := k.Decimal().Abs().StringFixed(2)
	whole, fraction, _ := strings.Cut(digits, ".")
	var out strings.Builder
	if k < 0 {
		out.WriteByte('-')
	}
	out.WriteString("₦")
	for i, digit := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(digit)
	}
	out.WriteByte('.')
	out.WriteString(fraction)
	return out.String()
}
