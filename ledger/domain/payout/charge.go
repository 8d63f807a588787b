package payout

import (
	"maps"
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// BankCharge is the state of what a bank took beside what its answers had said of one payout, by the reference of each
// time that it was told of it.
type BankCharge struct {
	Total map[string]money.Kobo // What it took for the payout.
	Left  map[string]money.Kobo // What it paid after it had said that it failed, less what came back.
	Came  map[string]money.Kobo // What came back of that, by the bank's own references.
	Went  []string              // The bank's own references of what left so.
}

// Away is a reference of which an amount or more left so and did not come back; empty for none.
func (c BankCharge) Away(amount money.Kobo) string {
	for _, reference := range slices.Sorted(maps.Keys(c.Left)) {
		if c.Left[reference] >= amount {
			return reference
		}
	}
	return ""
}

// BankCharges folds the stream of a payout's charges.
var BankCharges = event.Of("bankcharge", 4, func(c BankCharge, e event.Happened) BankCharge {
	switch m := e.Message.(type) {
	case *nairav1.BankChargePosted:
		c.Total = plus(c.Total, m.GetReference(), m.GetAmountKobo())
	case *nairav1.FailedPayoutLeft:
		c.Left = plus(c.Left, m.GetReference(), m.GetAmountKobo())
		c.Went = append(slices.Clip(c.Went), m.GetProviderRef())
	case *nairav1.FailedPayoutReturned:
		c.Left = plus(c.Left, m.GetReference(), -m.GetAmountKobo())
		c.Came = plus(c.Came, m.GetProviderRef(), m.GetAmountKobo())
	}
	return c
})

// plus is a copy of sums with an amount added to one of them.
func plus(sums map[string]money.Kobo, of string, kobo int64) map[string]money.Kobo {
	copied := maps.Clone(sums)
	if copied == nil {
		copied = map[string]money.Kobo{}
	}
	copied[of] += money.Kobo(kobo)
	return copied
}

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

// PostLeft posts what a bank's statement has of a payout that it had said failed.
type PostLeft struct {
	PayoutID    string
	Provider    event.Provider
	Reference   string // Under which the bank had said that it failed.
	ProviderRef string // The bank's own, of the line.
	Amount      money.Kobo
	Back        bool // It came back of what left so; else it left.
}

// LeftOf is the command that an event of it came from: that it left, or that it came back.
func LeftOf(m interface {
	GetProvider() string
	GetPayoutId() string
	GetReference() string
	GetProviderRef() string
	GetAmountKobo() int64
}, back bool,
) PostLeft {
	return PostLeft{m.GetPayoutId(), event.Provider(m.GetProvider()), m.GetReference(), m.GetProviderRef(), money.Kobo(m.GetAmountKobo()), back}
}

// Streams implements event.Command.
func (c PostLeft) Streams() []string { return []string{BankChargeStream(c.PayoutID)} }

// Accounts implements event.Command.
func (c PostLeft) Accounts() []string { return []string{posting.Bank(c.Provider), posting.Losses} }

// Decide implements event.Command. What is posted already or still away, and more back than left, is Conflict. What
// came back may leave once more.
func (c PostLeft) Decide(v event.View) ([]event.Draft, error) {
	charge := event.StateOf[BankCharge](v, BankChargeStream(c.PayoutID))
	left := charge.Left[c.Reference]
	switch {
	case c.Amount <= 0 || c.Amount > money.Max:
		return nil, fault.New(fault.Conflict, "The bank's statement names %s.", c.Amount)
	case c.Back && c.Amount > left:
		return nil, fault.New(fault.Conflict, "%s of this payout is still away, and %s came back.", left, c.Amount)
	case !c.Back && (left >= c.Amount || slices.Contains(charge.Went, c.ProviderRef)):
		return nil, fault.New(fault.Conflict, "It is posted already that this payout left.")
	case c.Back:
		return []event.Draft{event.On(BankChargeStream(c.PayoutID), &nairav1.FailedPayoutReturned{
			Provider: string(c.Provider), PayoutId: c.PayoutID, Reference: c.Reference, ProviderRef: c.ProviderRef, AmountKobo: int64(c.Amount),
		})}, nil
	}
	return []event.Draft{event.On(BankChargeStream(c.PayoutID), &nairav1.FailedPayoutLeft{
		Provider: string(c.Provider), PayoutId: c.PayoutID, Reference: c.Reference, ProviderRef: c.ProviderRef, AmountKobo: int64(c.Amount),
	})}, nil
}
