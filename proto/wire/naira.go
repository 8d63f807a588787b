// Package wire holds the value types of the HTTP contract that JSON's own types are too loose for.
package wire

import (
	"fmt"
	"regexp"

	"github.com/shopspring/decimal"
)

// Naira is an amount on the wire: a JSON number of naira with at most two decimals, never negative.
// Inside the system money is int64 kobo; this type stands at the edge only.
type Naira struct{ decimal.Decimal }

// amount is the only accepted spelling: no sign, exponent, separator, leading zero or third decimal.
var amount = regexp.MustCompile(`^(0|[1-9][0-9]{0,15})(\.[0-9]{1,2})?$`)

// FromKobo makes the naira of a whole number of kobo.
func FromKobo(kobo int64) Naira { return Naira{decimal.New(kobo, -2)} }

// MarshalJSON writes a number with exactly two decimals, as in 5000.00.
func (n Naira) MarshalJSON() ([]byte, error) { return []byte(n.StringFixed(2)), nil }

// UnmarshalJSON reads a JSON number in the accepted spelling and refuses everything else.
func (n *Naira) UnmarshalJSON(raw []byte) error {
	if !amount.Match(raw) {
		return fmt.Errorf("must be an amount in naira such as 5000 or 5177.67, with at most two decimals")
	}
	d, err := decimal.NewFromString(string(raw))
	if err != nil {
		return fmt.Errorf("must be an amount in naira: %w", err)
	}
	n.Decimal = d
	return nil
}
