package liquidation

import (
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// MatchReturn says that money which came in as a transfer, under the bank's own names for it, is what came back of a
// payout: of a withdrawal or of a group's.
func MatchReturn(provider event.Provider, providerRef string, also []string, amount money.Kobo, payoutID string) event.Command {
	withdrawal, group := payout.Stream(payoutID), Stream(payoutID)
	return wallet.MatchReturn{
		ProviderRef: providerRef, Also: also, Provider: provider, Amount: amount, PayoutID: payoutID, Payouts: []string{withdrawal, group},
		CameBack: func(state func(stream string) any) bool {
			w, l := state(withdrawal).(payout.Withdrawal), state(group).(Liquidation)
			return w.Status == payout.Reversed && w.Provider == provider && w.Net() == amount || l.Status == Reversed && l.Provider == provider && l.Net() == amount
		},
	}
}

// TakeBackReturn says that a bank took back the transfer that is the return of a payout: of a withdrawal or of a
// group's.
func TakeBackReturn(back wallet.TakeBackArrival, payoutID string) wallet.TakeBackArrival {
	withdrawal, group := payout.Stream(payoutID), Stream(payoutID)
	back.Payout, back.Paid = payoutID, []string{withdrawal, group}
	back.Whose = func(state func(stream string) any) string {
		if l := state(group).(Liquidation); l.Withdrawal() {
			return l.RequestedBy
		}
		return state(withdrawal).(payout.Withdrawal).User
	}
	return back
}
