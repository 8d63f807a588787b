package finance

import (
	"testing"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/projections/bankbook"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
)

// The statement has the parts of a return in another order than the ledger, which does not know one of them yet.
func TestOfSeveralLinesUnderOneNameThoseOfOneAmountBelongTogether(t *testing.T) {
	t.Parallel()
	for name, under := range map[string]rails.Line{"of the bank's": {ProviderRef: "session"}, "of ours": {Reference: "reference"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var bank []payments.BankLine
			for _, amount := range []money.Kobo{300, 200, 100} {
				line := under
				line.Amount = amount
				bank = append(bank, payments.BankLine{Line: line})
			}
			var book []bankbook.Line
			for _, moved := range []money.Kobo{100, 300} {
				book = append(book, bankbook.Line{ProviderRef: under.ProviderRef, Reference: under.Reference, Moved: moved})
			}
			for _, p := range match(bank, book) {
				if p.bank.Amount == 200 {
					require.Nil(t, p.book)
				} else {
					require.Equal(t, p.bank.Amount, p.book.Moved)
				}
			}
		})
	}
}
