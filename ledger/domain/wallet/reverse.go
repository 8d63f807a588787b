package wallet

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// ReversePayment says that the gateway took the money of a confirmed payment back, or a part of it: a refund, or a
// dispute that the payer won. It has happened, so what the wallet no longer has is lent to it: its owner owes that.
// Adashi bears what goes back beyond what came in.
type ReversePayment struct {
	PaymentID   string
	User        string
	Provider    event.Provider
	Gross       money.Kobo // What the payer got back; all that is left of the payment when zero.
	FeeBack     money.Kobo // What the gateway gave back of its fee.
	ProviderRef string
	Reason      string
	AskedFor    bool      // A refund that the member asked us for.
	At          time.Time // When the gateway took it.
}

// Streams implements event.Command.
func (c ReversePayment) Streams() []string {
	return []string{Stream(c.PaymentID), DebtStream(c.User), CardsStream(c.User)}
}

// Accounts implements event.Command.
func (c ReversePayment) Accounts() []string {
	return append(ConfirmPayment{Provider: c.Provider, User: c.User}.Accounts(), posting.Losses, posting.Owed(c.User))
}

// Decide implements event.Command. In earlier builds Adashi bore what the wallet no longer had.
func (c ReversePayment) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[Payment](v, Stream(c.PaymentID))
	left := p.Left()
	if c.Gross == 0 {
		c.Gross = left
	}
	over := max(0, c.Gross-left)
	c.Gross -= over
	switch {
	case p.Status == None || p.User != c.User || p.Provider != c.Provider:
		return nil, fault.New(fault.NotFound, "There is no such payment.")
	case p.Status != Confirmed && p.Status != Reversed || c.Gross == 0 && over == 0:
		return nil, fault.New(fault.Conflict, "This payment is %s, and only a confirmed one can be reversed.", words(p.Status))
	case c.Gross < 0 || over > money.Max || c.FeeBack < 0 || c.FeeBack > p.Fee-p.FeeReturned:
		return nil, fault.New(fault.Conflict, "The gateway names %s and a fee of %s to take back, and %s is left of this payment.", c.Gross, c.FeeBack, left)
	}
	// The charge goes back last: the wallet never gives back more than it got.
	amount := min(c.Gross, max(0, p.Amount-p.Returned))
	short := max(0, amount-max(0, v.Balance(posting.Wallet(c.User))))
	reversed := &nairav1.PaymentReversedV3{
		PaymentId: c.PaymentID, UserId: p.User, Channel: p.Channel, Provider: string(p.Provider), AmountKobo: int64(amount), ChargeKobo: int64(c.Gross - amount),
		GatewayFeeKobo: int64(c.FeeBack), ProviderRef: c.ProviderRef, Reason: c.Reason,
	}
	var drafts []event.Draft
	if _, earlier := v.(standing.Earlier); earlier {
		reversed.ShortfallKobo = int64(short)
	} else if short > 0 {
		drafts = append(drafts, lend(p.User, c.PaymentID, short))
	}
	if c.Gross > 0 {
		drafts = append(append(drafts, event.On(Stream(c.PaymentID), reversed)), c.takenBack(v, p, amount)...)
	}
	return append(drafts, c.borne(p, over)...), nil
}

// borne is what Adashi bears of what went back.
func (c ReversePayment) borne(p Payment, over money.Kobo) []event.Draft {
	if over == 0 {
		return nil
	}
	return []event.Draft{event.On(Stream(c.PaymentID), &nairav1.PaymentLossBorne{
		PaymentId: c.PaymentID, UserId: p.User, Provider: string(p.Provider), AmountKobo: int64(over), BackRef: c.ProviderRef, Reason: c.Reason,
	})}
}

// Short is what a wallet lacked of what some events took back of a payment: lent to it, or borne by Adashi in earlier
// builds.
func Short(drafts []event.Draft) money.Kobo {
	short := Lent(drafts)
	for _, d := range drafts {
		if m, is := d.Message.(*nairav1.PaymentReversedV3); is {
			short += money.Kobo(m.GetShortfallKobo())
		}
	}
	return short
}
