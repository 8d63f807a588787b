package wallet

import "adashi.ng/ledger/base/money"

// Tariff is what a provider takes of what is paid over one of its channels: so many per mille of the gross, rounded up
// to the kobo, plus a flat fee from some amount on, and no more than a cap if it has one. The zero Tariff takes
// nothing.
type Tariff struct {
	Table          int32 // Its version; each payment records the one that it was quoted from.
	PerMille       money.Kobo
	Flat, FlatFrom money.Kobo
	Cap            money.Kobo
}

// The tariffs of the providers that we know.
var (
	// Free is a bank's that takes nothing.
	Free = Tariff{Table: 1}
	// CardTariff is the card gateway's published one: 1.5 %, plus ₦100 from ₦2,500 on, ₦2,000 at most.
	CardTariff = Tariff{Table: 1, PerMille: 15, Flat: 100 * money.Naira, FlatFrom: 2_500 * money.Naira, Cap: 2_000 * money.Naira}
)

// Fee is what the provider takes out of a gross amount.
func (t Tariff) Fee(gross money.Kobo) money.Kobo {
	fee := ceilDiv(gross*t.PerMille, 1000)
	if gross >= t.FlatFrom {
		fee += t.Flat
	}
	return t.capped(fee)
}

// Charge is what a payer pays on top so that exactly net arrives: the fee grossed up, so that gross − Fee(gross) = net
// to the kobo.
func (t Tariff) Charge(net money.Kobo) money.Kobo {
	gross := ceilDiv(net*1000, 1000-t.PerMille)
	if gross >= t.FlatFrom {
		gross = ceilDiv((net+t.Flat)*1000, 1000-t.PerMille)
	}
	return t.capped(gross - net)
}

func (t Tariff) capped(fee money.Kobo) money.Kobo {
	if t.Cap == 0 {
		return fee
	}
	return min(fee, t.Cap)
}

func ceilDiv(a, b money.Kobo) money.Kobo { return (a + b - 1) / b }
