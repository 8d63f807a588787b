package payout_test

import (
	"testing"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
)

func naira(t testing.TB, text string) money.Kobo {
	t.Helper()
	k, err := money.FromNaira(decimal.RequireFromString(text))
	require.NoError(t, err)
	return k
}

func TestPayoutChargesAreThePublishedOnes(t *testing.T) {
	t.Parallel()
	for _, figure := range []struct{ amount, fee, vat, duty, net string }{
		{"100", "10", "0.75", "0", "89.25"},
		{"4999.99", "10", "0.75", "0", "4989.24"},
		{"5000", "10", "0.75", "0", "4989.25"},
		{"5000.01", "25", "1.88", "0", "4973.13"}, // 1.875, to the even kobo.
		{"9999.99", "25", "1.88", "0", "9973.11"},
		{"10000", "25", "1.88", "50", "9923.12"},
		{"50000", "25", "1.88", "50", "49923.12"},
		{"50000.01", "50", "3.75", "50", "49896.26"},
		{"120000", "50", "3.75", "50", "119896.25"},
		{"5000000", "50", "3.75", "50", "4999896.25"},
	} {
		amount := naira(t, figure.amount)
		c := payout.ChargesOn(amount)
		require.Equal(t, payout.Charges{Fee: naira(t, figure.fee), VAT: naira(t, figure.vat), Duty: naira(t, figure.duty)}, c, figure.amount)
		require.Equal(t, naira(t, figure.net), amount-c.Total(), figure.amount)
	}
}

func TestTheTaxIsTheFeesTimesSevenAndAHalfPerCentToTheEvenKobo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := payout.ChargesOn(money.Kobo(rapid.Int64Range(int64(payout.MinWithdrawal), int64(money.Max)).Draw(t, "amount")))
		require.Equal(t, c.Fee.Decimal().Mul(decimal.RequireFromString("0.075")).RoundBank(2).String(), c.VAT.Decimal().String())
	})
}
