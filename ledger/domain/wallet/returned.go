package wallet

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// ReturnStream is the stream of what came back of a payout to nobody who could have it.
func ReturnStream(provider event.Provider, payoutID string) string {
	return ArrivalStream(provider, ReturnRef(payoutID))
}

// ReturnRef is the name that what came back of a payout has in suspense.
func ReturnRef(payoutID string) string { return "return of " + payoutID }

// ReceivePart takes what came back of a payout into suspense, where that is a part. Nothing else is taken in for the
// payout's return: see NoneParked.
type ReceivePart struct {
	ReceiveUnmatched

	Payout   string               // The stream of the payout,
	Paid     func(state any) bool // and whether its state is that it is paid.
	PayoutID string
}

// Streams implements event.Command.
func (c ReceivePart) Streams() []string { return append(c.ReceiveUnmatched.Streams(), c.Payout) }

// Decide implements event.Command.
func (c ReceivePart) Decide(v event.View) ([]event.Draft, error) {
	if !c.Paid(v.State(c.Payout)) {
		return nil, fault.New(fault.Conflict, "This payout is not paid, so nothing can have come back of it.")
	}
	return c.ReceiveUnmatched.Decide(v)
}

// NoneParked refuses the return of the whole of a payout of which a part was taken in before: the desk has that.
func NoneParked(v event.View, provider event.Provider, payoutID string) error {
	if event.StateOf[Arrival](v, ReturnStream(provider, payoutID)).Status == ArrivalNone {
		return nil
	}
	return fault.New(fault.Conflict, "A part of this payout came back before, and the finance desk has it.")
}

// ParkReturned takes into suspense what came back of a payout to an account of the ledger that is closed: the finance
// desk finds out whose it is. It is for the commands that record the return.
func ParkReturned(provider event.Provider, payoutID, account string, amount money.Kobo, reason string) event.Draft {
	return event.Draft{Stream: ReturnStream(provider, payoutID), Message: &nairav1.ReturnedMoneyParkedV2{
		ProviderRef: ReturnRef(payoutID), Provider: string(provider), Channel: returnedBy(provider), AmountKobo: int64(amount), Account: account, Reference: payoutID, Reason: reason,
	}}
}

// returnedBy is how money came back, as people see it. It was shown so before events named providers.
func returnedBy(provider event.Provider) nairav1.Channel {
	if provider == event.Paystack {
		return nairav1.Channel_CHANNEL_CARD
	}
	return nairav1.Channel_CHANNEL_BANK_TRANSFER
}
