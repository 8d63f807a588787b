package sandbox

import "adashi.ng/ledger/base/money"

// cardFee is the gateway's fee of a gross amount: 1.5 % and ₦100, the ₦100 waived under ₦2,500, ₦2,000 at most. The
// percentage is rounded up to the kobo.
func cardFee(gross money.Kobo) money.Kobo {
	fee := (gross*15 + 999) / 1000
	if gross >= 2_500*money.Naira {
		fee += 100 * money.Naira
	}
	return min(fee, 2_000*money.Naira)
}
