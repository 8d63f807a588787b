package payout

import (
	"maps"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// BankCharge is the state of what a bank took for one payout beside what its answers had said, by the reference of each
// time that it was told of it.
type BankCharge struct{ Total map[string]money.Kobo }

// BankCharges folds the stream of a payout's charges.
var BankCharges = event.Of("bankcharge", 2, func(c BankCharge, e event.Happened) BankCharge {
	if m, ok := e.Message.(*nairav1.BankChargePosted); ok {
		total := maps.Clone(c.Total)
		if total == nil {
			total = map[string]money.Kobo{}
		}
		total[m.GetReference()] += money.Kobo(m.GetAmountKobo())
		c.Total = total
	}
	return c
})

// BankChargeStream is the stream of what a bank took for a payout of either kind.
func BankChargeStream(payoutID string) string { return "bankcharge:" + payoutID }

// PostCharge posts what a bank's statement says that it took for a payout, beyond what the ledger has of it.
type PostCharge struct {
	PayoutID    string
	Provider    event.Provider
	Reference   string     // Under which the bank was told of the payout.
	ProviderRef string     // The bank's own, of the payout's line.
	Posted      money.Kobo // What is posted under this reference already, as far as who commands it knows.
	Amount      money.Kobo // What is to be added.
}

// Streams implements event.Command.
func (c PostCharge) Streams() []string { return []string{BankChargeStream(c.PayoutID)} }

// Accounts implements event.Command.
func (c PostCharge) Accounts() []string {
	return []string{posting.Bank(c.Provider), posting.FeesGateway, posting.FeesCharged, posting.FeesVariance}
}

// Decide implements event.Command. What somebody else has posted meanwhile is Conflict.
func (c PostCharge) Decide(v event.View) ([]event.Draft, error) {
	switch {
	case c.Amount <= 0 || c.Amount > money.Max:
		return nil, fault.New(fault.Conflict, "The bank names a charge of %s.", c.Amount)
	case event.StateOf[BankCharge](v, BankChargeStream(c.PayoutID)).Total[c.Reference] != c.Posted:
		return nil, fault.New(fault.Conflict, "This charge is posted already.")
	}
	return []event.Draft{event.On(BankChargeStream(c.PayoutID), &nairav1.BankChargePosted{
		Provider: string(c.Provider), PayoutId: c.PayoutID, Reference: c.Reference, ProviderRef: c.ProviderRef, AmountKobo: int64(c.Amount),
	})}, nil
}
