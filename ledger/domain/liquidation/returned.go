package liquidation

import (
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/seen"
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

// ProposeReturn is a proposal that money is the return of a payout that MatchReturn names. The payout may be paid
// still: nobody has told that it came back.
func ProposeReturn(match event.Command, by, reason string) event.Command {
	return wallet.ProposeReturn{MatchReturn: orPaid(match), Whose: whose(match), By: by, Reason: reason}
}

// AgreeReturn agrees to that. Its payout must have come back by then, unless it is tried out only.
func AgreeReturn(match event.Command, saw seen.Version, by string, tries bool) event.Command {
	c := wallet.AgreeReturn{MatchReturn: match.(wallet.MatchReturn), Whose: whose(match), Seen: saw, By: by}
	if tries {
		c.MatchReturn = orPaid(match)
	}
	return c
}

// orPaid takes a payout that is paid for one that came back.
func orPaid(match event.Command) wallet.MatchReturn {
	c := match.(wallet.MatchReturn)
	back := c.CameBack
	c.CameBack = func(state func(stream string) any) bool {
		w, l := state(payout.Stream(c.PayoutID)).(payout.Withdrawal), state(Stream(c.PayoutID)).(Liquidation)
		return back(state) || w.Status == payout.Paid && w.Provider == c.Provider && w.Net() == c.Amount || l.Status == Paid && l.Provider == c.Provider && l.Net() == c.Amount
	}
	return c
}

func whose(match event.Command) func(state func(stream string) any) string {
	return TakeBackReturn(wallet.TakeBackArrival{}, match.(wallet.MatchReturn).PayoutID).Whose
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
