package wallet

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// HoldArrival leaves money to a person of which nothing says whether we have it already: a line of a statement by a
// number of its own, without a session and without a reference that would tell. It is posted nowhere.
type HoldArrival struct {
	ProviderRef string
	Provider    event.Provider
	Channel     nairav1.Channel // How its payer sent it.
	Amount      money.Kobo
	Reference   string
	Reason      string
	PaidAt      time.Time
}

// Streams implements event.Command.
func (c HoldArrival) Streams() []string { return names(c.Provider, c.ProviderRef) }

// Accounts implements event.Command.
func (HoldArrival) Accounts() []string { return nil }

// Decide implements event.Command.
func (c HoldArrival) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	switch {
	case a.Status != ArrivalNone:
		return nil, fault.New(fault.Conflict, "This arrival is recorded already.")
	case c.Amount <= 0 || c.Amount > money.Max:
		return nil, fault.New(fault.Conflict, "The bank names an arrival of %s.", c.Amount)
	}
	return []event.Draft{{Stream: stream, Message: &nairav1.ArrivalHeldV2{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), Channel: c.Channel, AmountKobo: int64(c.Amount), Reference: c.Reference, Reason: c.Reason, PaidAt: timestamppb.New(c.PaidAt),
	}}}, nil
}

// SettleHeld says what held money is: the money of a payment that is credited, or other money, which goes to suspense.
// Nobody says so of their own payment.
type SettleHeld struct {
	ProviderRef string
	Provider    event.Provider
	PaymentID   string // Empty for other money.
	Reference   string // What it came with.
	PaidAt      time.Time
	By, Reason  string
}

// Streams implements event.Command.
func (c SettleHeld) Streams() []string {
	streams := append(names(c.Provider, c.ProviderRef), account.Stream(c.By))
	if c.PaymentID == "" {
		return streams
	}
	return append(streams, Stream(c.PaymentID))
}

// Accounts implements event.Command.
func (c SettleHeld) Accounts() []string {
	return []string{posting.Bank(c.Provider), posting.Unmatched}
}

// Decide implements event.Command.
func (c SettleHeld) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	var p Payment
	if c.PaymentID != "" {
		p = event.StateOf[Payment](v, Stream(c.PaymentID))
	}
	switch {
	case a.Status == ArrivalNone:
		return nil, errNoArrival()
	case a.Status != ArrivalHeld:
		return nil, fault.New(fault.Conflict, "Somebody has said already what this money is. Please look again.")
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say how you know what this money is.")
	case c.PaymentID != "" && (p.Status != Confirmed && p.Status != Reversed || p.Provider != c.Provider):
		return nil, fault.Field("paymentId", "No payment that was credited over this gateway has this reference.")
	case c.PaymentID != "" && p.Gross()-p.Fee != a.Amount:
		return nil, fault.Field("paymentId", "%s of that payment came to the bank, and this is %s.", p.Gross()-p.Fee, a.Amount)
	case p.Held != "":
		return nil, fault.Field("paymentId", "Another arrival was said to be the money of this payment already. One of the two is other money.")
	case c.By == "" || c.By == p.User:
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	drafts := []event.Draft{{Stream: stream, Message: &nairav1.HeldArrivalSettledV2{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), PaymentId: c.PaymentID, SettledBy: c.By, Reason: c.Reason,
	}}}
	if c.PaymentID == "" {
		drafts = append(drafts, event.Draft{Stream: stream, Message: &nairav1.UnmatchedMoneyReceivedV2{
			ProviderRef: c.ProviderRef, Provider: string(c.Provider), Channel: a.Channel, AmountKobo: int64(a.Amount), Reference: c.Reference,
			Reason: "A person found that it is money of which nobody had told us.", PaidAt: timestamppb.New(c.PaidAt),
		}})
	} else if _, earlier := v.(standing.Earlier); !earlier {
		drafts = append(drafts, event.On(Stream(c.PaymentID), &nairav1.PaymentArrivalNamed{
			PaymentId: c.PaymentID, UserId: p.User, Provider: string(c.Provider), ProviderRef: c.ProviderRef,
		}))
	}
	return drafts, nil
}
