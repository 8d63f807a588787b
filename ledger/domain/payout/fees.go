package payout

import "adashi.ng/ledger/base/money"

// FeeTable is the version of the charges below; each withdrawal records the version it was quoted from. Table 1 took
// feeMiddle of exactly smallTo.
const FeeTable = 2

// The transfer fee goes by what leaves the wallet, with the bounds of the gateway's own tariff, the tax on it by the
// law, and the stamp duty is the state's from ₦10,000 on.
const (
	feeSmall, smallTo   = 10 * money.Naira, 5_000 * money.Naira
	feeMiddle, middleTo = 25 * money.Naira, 50_000 * money.Naira
	feeLarge            = 50 * money.Naira
	vatPerMille         = 75
	duty, dutyFrom      = 50 * money.Naira, 10_000 * money.Naira
)

// Charges are what a withdrawal costs. They come out of the amount.
type Charges struct{ Fee, VAT, Duty money.Kobo }

// Total is all of them.
func (c Charges) Total() money.Kobo { return c.Fee + c.VAT + c.Duty }

// ChargesOn are the charges on an amount that leaves a wallet; amount less Total is what arrives.
func ChargesOn(amount money.Kobo) Charges { return ChargesBy(FeeTable, amount) }

// ChargesBy are the charges on an amount by one of the tables that there were.
func ChargesBy(table int32, amount money.Kobo) Charges {
	c := Charges{Fee: feeLarge}
	switch {
	case amount < smallTo, amount == smallTo && table > 1:
		c.Fee = feeSmall
	case amount <= middleTo:
		c.Fee = feeMiddle
	}
	c.VAT = halfEven(c.Fee*vatPerMille, 1000)
	if amount >= dutyFrom {
		c.Duty = duty
	}
	return c
}

// halfEven divides and rounds to the nearest, the middle to the even.
func halfEven(a, b money.Kobo) money.Kobo {
	whole, rest := a/b, a%b
	if 2*rest > b || 2*rest == b && whole%2 == 1 {
		whole++
	}
	return whole
}
