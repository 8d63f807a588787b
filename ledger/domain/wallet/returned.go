package wallet

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// ReturnStream is the stream of what came back of a payout to nobody who could have it.
func ReturnStream(provider event.Provider, payoutID string) string {
	return ArrivalStream(provider, returnOf(payoutID))
}

func returnOf(payoutID string) string { return "return of " + payoutID }

// ParkReturned takes into suspense what came back of a payout to an account of the ledger that is closed: the finance
// desk finds out whose it is. It is for the commands that record the return.
func ParkReturned(provider event.Provider, payoutID, account string, amount money.Kobo, reason string) event.Draft {
	return event.Draft{Stream: ReturnStream(provider, payoutID), Message: &nairav1.ReturnedMoneyParkedV2{
		ProviderRef: returnOf(payoutID), Provider: string(provider), Channel: returnedBy(provider), AmountKobo: int64(amount), Account: account, Reference: payoutID, Reason: reason,
	}}
}

// returnedBy is how money came back, as people see it. It was shown so before events named providers.
func returnedBy(provider event.Provider) nairav1.Channel {
	if provider == event.Paystack {
		return nairav1.Channel_CHANNEL_CARD
	}
	return nairav1.Channel_CHANNEL_BANK_TRANSFER
}
