package payout_test

import (
	"testing"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

func TestWhatLeftAfterItFailedIsPostedOnceAndNoMoreComesBackThanLeft(t *testing.T) {
	t.Parallel()
	moves := func(reference string, naira money.Kobo, back bool) payout.PostLeft {
		return payout.PostLeft{PayoutID: "w", Provider: event.Vfd, Reference: reference, ProviderRef: "line of " + reference, Amount: naira * money.Naira, Back: back}
	}
	came := wallet.ReceiveUnmatched{ProviderRef: "ref", Provider: event.Vfd, Channel: nairav1.Channel_CHANNEL_BANK_TRANSFER, Amount: 2_000 * money.Naira, PaidAt: Epoch}
	bank := posting.Bank(event.Vfd)

	w := Given(t, came, moves("first", 900, false))
	another := moves("first", 900, false)
	another.ProviderRef = "another line"
	w.When(moves("first", 900, false)).ThenFault(fault.Conflict)
	w.When(another).ThenFault(fault.Conflict)
	w.When(moves("second", 900, false)).ThenBalance(posting.Losses, -1_800*money.Naira).ThenBalance(bank, -200*money.Naira)
	w.When(moves("third", 1, true)).ThenFault(fault.Conflict)
	w.When(moves("first", 901, true)).ThenFault(fault.Conflict)
	w.When(moves("first", 0, true)).ThenFault(fault.Conflict)

	w = Given(t, came, moves("first", 900, false), moves("first", 850, true))
	w.When(moves("first", 51, true)).ThenFault(fault.Conflict)
	w.When(moves("first", 50, true)).ThenBalance(posting.Losses, 0).ThenBalance(bank, -2_000*money.Naira)
	w.When(moves("first", 900, false)).ThenFault(fault.Conflict)
	w.When(another).ThenBalance(posting.Losses, -900*money.Naira)
}
