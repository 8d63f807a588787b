package wallet

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
)

// FeeTable is the version of the charges below; each payment records the version it was quoted from.
const FeeTable = 1

// The card gateway's published tariff: 1.5 % rounded up to the kobo, plus ₦100 from ₦2,500 on, ₦2,000 at most.
const (
	cardRatePerMille = 15
	cardFlat         = 100 * money.Naira
	cardFlatFrom     = 2_500 * money.Naira
	cardCap          = 2_000 * money.Naira
)

// CardFee is what the card gateway takes out of a gross amount, by its tariff.
func CardFee(gross money.Kobo) money.Kobo {
	fee := ceilDiv(gross*cardRatePerMille, 1000)
	if gross >= cardFlatFrom {
		fee += cardFlat
	}
	return min(fee, cardCap)
}

// Charge is what a payer pays on top so that exactly net arrives: nothing by bank transfer, and by card the fee
// grossed up, so that gross − CardFee(gross) = net to the kobo.
func Charge(channel nairav1.Channel, net money.Kobo) money.Kobo {
	if channel != nairav1.Channel_CHANNEL_CARD {
		return 0
	}
	gross := ceilDiv(net*1000, 1000-cardRatePerMille)
	if gross >= cardFlatFrom {
		gross = ceilDiv((net+cardFlat)*1000, 1000-cardRatePerMille)
	}
	return min(gross-net, cardCap)
}

func ceilDiv(a, b money.Kobo) money.Kobo { return (a + b - 1) / b }
