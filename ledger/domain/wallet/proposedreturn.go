package wallet

import (
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// ProposeReturn says that money in suspense is what came back of a payout, for a second person to agree. Nobody decides
// about their own withdrawal.
type ProposeReturn struct {
	MatchReturn // Its payout came back, or is paid: then it comes back by this.

	By, Reason string
}

// Streams implements event.Command.
func (c ProposeReturn) Streams() []string {
	return append(c.MatchReturn.Streams(), account.Stream(c.By))
}

// Accounts implements event.Command.
func (ProposeReturn) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ProposeReturn) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	switch {
	case a.Undecided() != nil:
		return nil, a.Undecided()
	case !c.CameBack(v.State):
		return nil, fault.Field("payoutId", "No payout that is paid, or came back, has this number, this bank and this amount.")
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say how you know that this is the return.")
	case c.By == "" || c.By == c.Whose(v.State):
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	if _, err := c.MatchReturn.Decide(v); err != nil {
		return nil, err
	}
	return []event.Draft{{Stream: stream, Message: &nairav1.ReturnProposed{
		Provider: string(c.Provider), ProviderRef: c.ProviderRef, PayoutId: c.PayoutID, ProposedBy: c.By, Reason: c.Reason,
	}}}, nil
}

// AgreeReturn agrees to somebody else's proposal that money is what came back of a payout.
type AgreeReturn struct {
	MatchReturn

	Seen seen.Version // The proposal that they agree to; empty not to ask.
	By   string
}

// Streams implements event.Command.
func (c AgreeReturn) Streams() []string {
	return append(c.MatchReturn.Streams(), account.Stream(c.By))
}

// Decide implements event.Command.
func (c AgreeReturn) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	switch {
	case a.Status == ArrivalNone:
		return nil, errNoArrival()
	case a.Status != ArrivalProposed || a.ForReturn != c.PayoutID:
		return nil, seen.Changed()
	case c.Seen.IfSaid(a.Seen()) != nil:
		return nil, c.Seen.IfSaid(a.Seen())
	case c.By == "" || c.By == a.ProposedBy:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. A second person must agree.")
	case c.By == c.Whose(v.State):
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	matched, err := c.MatchReturn.Decide(v)
	return append([]event.Draft{{Stream: stream, Message: &nairav1.ReturnAgreed{
		Provider: string(c.Provider), ProviderRef: c.ProviderRef, PayoutId: c.PayoutID, ProposedBy: a.ProposedBy, ApprovedBy: c.By,
	}}}, matched...), err
}
