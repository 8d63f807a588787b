package money_test

import (
	"fmt"

	"github.com/shopspring/decimal"

	"adashi.ng/ledger/base/money"
)

// Naira with decimals exist at the edges only; inside, money is whole kobo.
func Example() {
	due, err := money.FromNaira(decimal.RequireFromString("5177.67"))
	fmt.Println(int64(due), due, err)
	_, err = money.FromNaira(decimal.RequireFromString("0.005"))
	fmt.Println(err)
	_, err = money.Kobo(1 << 62).Add(1 << 62)
	fmt.Println(err)
	// Output:
	// 517767 ₦5,177.67 <nil>
	// money: not a whole number of kobo in range
	// money: the sum is out of range
}
