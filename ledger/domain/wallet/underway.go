package wallet

import (
	"slices"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// UnderWay is the state of the stream of a member's payments whose end may not be known.
type UnderWay struct{ Payments []string }

// UnderWays folds it.
var UnderWays = event.Of("underway", 1, func(_ UnderWay, e event.Happened) (u UnderWay) {
	if m, is := e.Message.(*nairav1.PaymentsCounted); is {
		for _, p := range m.GetPayments() {
			u.Payments = append(u.Payments, p.GetPaymentId())
		}
	}
	return u
})

// UnderWayStream is the stream of a member's payments whose end may not be known.
func UnderWayStream(userID string) string { return "underway:" + userID }

// counted holds what a wallet has and what is on its way to the cap, and counts the new payment among them. A payment
// for a group or an ajo counts too: it may be refused there, and its money stays in the wallet then.
func (c StartPayment) counted(v event.View) ([]event.Draft, error) {
	if c.Cap == 0 {
		return nil, nil
	}
	if !slices.Equal(event.StateOf[UnderWay](v, UnderWayStream(c.User)).Payments, c.UnderWay) {
		return nil, fault.New(fault.Unavailable, "Another payment of yours was started just now. You have not been charged. Please try again.")
	}
	counted, coming := &nairav1.PaymentsCounted{UserId: c.User}, money.Kobo(0)
	for _, id := range c.UnderWay {
		if p := event.StateOf[Payment](v, Stream(id)); p.Open() {
			counted.Payments, coming = append(counted.Payments, &nairav1.PaymentUnderWay{PaymentId: id, AmountKobo: int64(p.Amount)}), coming+p.Amount
		}
	}
	holds := v.Balance(posting.Wallet(c.User)) + v.Balance(posting.Held(posting.Wallet(c.User)))
	if left := c.Cap - holds - coming; c.Amount > left {
		onItsWay := ""
		if coming > 0 {
			onItsWay = " and has " + coming.String() + " on its way"
		}
		return nil, fault.New(fault.Insufficient, "At your tier a wallet may hold up to %s, and yours holds %s%s, so you can still pay in %s. You have not been charged.",
			c.Cap, holds, onItsWay, max(0, left))
	}
	counted.Payments = append(counted.Payments, &nairav1.PaymentUnderWay{PaymentId: c.PaymentID, AmountKobo: int64(c.Amount)})
	return []event.Draft{event.On(UnderWayStream(c.User), counted)}, nil
}
