package ledger

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishSendBacks are money in suspense that goes back to the account that it came from. Whether who decided is paid to
// that account is not recorded.
func wishSendBacks(all redecide.Wishes) {
	claims := func(v event.View, of payout.SentMoney) []string {
		_, a := wallet.ArrivalAt(v.State, of.Provider, of.ProviderRef)
		return a.ClaimedIn()
	}
	wishIn(all, func(v event.View, m *nairav1.SendBackProposed, _ []redecide.Recorded, _ int) []event.Command {
		of := payout.MoneyOf(m)
		return one(payout.ProposeSendBack{SentMoney: of, ID: m.GetSendBackId(), User: m.GetUserId(), By: m.GetProposedBy(), Reason: m.GetReason(), Claims: claims(v, of)})
	})
	wishIn(all, func(v event.View, m *nairav1.SendBackAgreed, _ []redecide.Recorded, _ int) []event.Command {
		of := payout.MoneyOf(m)
		return one(payout.DecideSendBack{SentMoney: of, ID: m.GetSendBackId(), By: m.GetApprovedBy(), Approve: true, Claims: claims(v, of)})
	})
	wishIn(all, func(v event.View, m *nairav1.SendBackSent, _ []redecide.Recorded, _ int) []event.Command {
		of := payout.MoneyOf(m)
		return one(payout.SendMoneyBack(of, m.GetSendBackId(), m.GetReference(), claims(v, of)...))
	})
	wish(all, func(m *nairav1.SendBackPaid, _ redecide.Recorded) []event.Command {
		return one(payout.PayMoneyBack(payout.MoneyOf(m), m.GetSendBackId(), payout.Receipt{Fee: money.Kobo(m.GetGatewayFeeKobo()), ProviderRef: m.GetBankRef(), PaidAt: m.GetPaidAt().AsTime()}))
	})
	wishIn(all, func(v event.View, m *nairav1.SendBackFailed, events []redecide.Recorded, at int) []event.Command {
		if back, called := ahead[*nairav1.UnmatchedTakenBack](events, at); called {
			return one(arrivalTakenBack(v, back, ""))
		}
		_, a := wallet.ArrivalAt(v.State, event.Provider(m.GetProvider()), m.GetProviderRef())
		return one(payout.FailMoneyBack(payout.MoneyOf(m), m.GetSendBackId(), a.Back.Reference, m.GetReason()))
	})
	wish(all, func(m *nairav1.SendBackReturned, _ redecide.Recorded) []event.Command {
		return one(payout.ReturnMoneyBack(payout.MoneyOf(m), m.GetSendBackId(), m.GetBankRef(), m.GetReason()))
	})
	wishIn(all, func(v event.View, m *nairav1.SendBackLossBorne, _ []redecide.Recorded, _ int) []event.Command {
		c := wallet.TakeBackArrival{ProviderRef: m.GetProviderRef(), Provider: event.Provider(m.GetProvider()), Gross: money.Kobo(m.GetAmountKobo()), BackRef: m.GetBackRef(), Reason: m.GetReason()}
		_, a := wallet.ArrivalAt(v.State, c.Provider, c.ProviderRef)
		c.Parts = wallet.PartsOf(v.State, c.Provider, a)
		return one(c)
	})
}

// partReceived is money that came in as such, or as a part of what had been sent back. Of a part that came before its
// money's loss was known to be made good by it, the events say nothing of that money.
func partReceived(v event.View, events []redecide.Recorded, at int, c wallet.ReceiveUnmatched) event.Command {
	m, is := ahead[*nairav1.SendBackPartReturned](events, at)
	if !is || m.GetPartRef() != c.ProviderRef {
		return c
	}
	stream, _ := wallet.ArrivalAt(v.State, c.Provider, m.GetProviderRef())
	return wallet.ReceivePart{ReceiveUnmatched: c, Payout: stream, PayoutID: m.GetSendBackId(), Paid: func(state any) bool {
		a := state.(wallet.Arrival)
		return a.Status == wallet.ArrivalSentBack && a.Back.ID == m.GetSendBackId()
	}}
}
