package liquidation

import (
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// MatchReturn says that money which came in as a transfer, under the bank's own names for it, is what came back of a
// payout: of a withdrawal or of a group's, also of one that had failed and left all the same.
func MatchReturn(provider event.Provider, providerRef string, also []string, amount money.Kobo, payoutID string) event.Command {
	withdrawal, group, charges := payout.Stream(payoutID), Stream(payoutID), payout.BankChargeStream(payoutID)
	return wallet.MatchReturn{
		ProviderRef: providerRef, Also: also, Provider: provider, Amount: amount, PayoutID: payoutID, Payouts: []string{withdrawal, group, charges},
		CameBack: func(state func(stream string) any) bool {
			w, l := state(withdrawal).(payout.Withdrawal), state(group).(Liquidation)
			return w.Status == payout.Reversed && w.Provider == provider && w.Net() == amount || l.Status == Reversed && l.Provider == provider && l.Net() == amount ||
				state(charges).(payout.BankCharge).Came[providerRef] == amount
		},
		Paid: func(state func(stream string) any) bool {
			w, l := state(withdrawal).(payout.Withdrawal), state(group).(Liquidation)
			return w.Status == payout.Paid && w.Provider == provider && w.Net() == amount || l.Status == Paid && l.Provider == provider && l.Net() == amount ||
				(w.Provider == provider && w.Net() == amount || l.Provider == provider && l.Net() == amount) && state(charges).(payout.BankCharge).Away(amount) != ""
		},
		Whose: whose(payoutID),
	}
}

// ProposeReturn is a proposal that money is the return of the payout that MatchReturn, or payout.MatchMoneyBack, names.
// The payout may be paid still: the bank has not said that it came back.
func ProposeReturn(match event.Command, by, reason string) event.Command {
	return wallet.ProposeReturn{MatchReturn: match.(wallet.MatchReturn).OrPaid(), By: by, Reason: reason}
}

// AgreeReturn agrees to that. Its payout must have come back by then, unless it is tried out only.
func AgreeReturn(match event.Command, saw seen.Version, by string, tries bool) event.Command {
	c := wallet.AgreeReturn{MatchReturn: match.(wallet.MatchReturn), Seen: saw, By: by}
	if tries {
		c.MatchReturn = c.OrPaid()
	}
	return c
}

// whose is the member who withdrew a payout; empty for a group's.
func whose(payoutID string) func(state func(stream string) any) string {
	return func(state func(stream string) any) string {
		if l := state(Stream(payoutID)).(Liquidation); l.Withdrawal() {
			return l.RequestedBy
		}
		return state(payout.Stream(payoutID)).(payout.Withdrawal).User
	}
}

// TakeBackReturn says that a bank took back the transfer that is the return of a payout: of a withdrawal or of a
// group's.
func TakeBackReturn(back wallet.TakeBackArrival, payoutID string) wallet.TakeBackArrival {
	back.Payout, back.Paid, back.Whose = payoutID, []string{payout.Stream(payoutID), Stream(payoutID)}, whose(payoutID)
	return back
}
