package wallet

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// ReturnStream is the stream of what came back of a payout to nobody who could have it.
func ReturnStream(channel nairav1.Channel, payoutID string) string {
	return ArrivalStream(channel, returnOf(payoutID))
}

func returnOf(payoutID string) string { return "return of " + payoutID }

// ParkReturned takes into suspense what came back of a payout to an account of the ledger that is closed: the finance
// desk finds out whose it is. It is for the commands that record the return.
func ParkReturned(channel nairav1.Channel, payoutID, account string, amount money.Kobo, reason string) event.Draft {
	return event.Draft{Stream: ReturnStream(channel, payoutID), Message: &nairav1.ReturnedMoneyParked{
		ProviderRef: returnOf(payoutID), Channel: channel, AmountKobo: int64(amount), Account: account, Reference: payoutID, Reason: reason,
	}}
}
