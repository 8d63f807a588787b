package wallet

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/posting"
)

// ArrivalStatus is where money stands that fits no payment: OPEN ⇄ PROPOSED → ASSIGNED.
type ArrivalStatus string

// The statuses.
const (
	ArrivalNone     ArrivalStatus = ""
	ArrivalOpen     ArrivalStatus = "OPEN"
	ArrivalProposed ArrivalStatus = "PROPOSED"
	ArrivalAssigned ArrivalStatus = "ASSIGNED"
)

// Arrival is the state of an unmatched arrival's stream.
type Arrival struct {
	Status     ArrivalStatus
	Amount     money.Kobo
	Channel    nairav1.Channel
	For        string // The member that it is proposed for, or went to.
	ProposedBy string
}

// Arrivals folds an unmatched arrival's stream.
var Arrivals = event.Of("unmatched", 2, func(a Arrival, e event.Happened) Arrival {
	switch m := e.Message.(type) {
	case *nairav1.UnmatchedMoneyReceived:
		return Arrival{Status: ArrivalOpen, Amount: money.Kobo(m.GetAmountKobo()), Channel: m.GetChannel()}
	case *nairav1.UnmatchedProposed:
		a.Status, a.For, a.ProposedBy = ArrivalProposed, m.GetUserId(), m.GetProposedBy()
	case *nairav1.UnmatchedDeclined:
		a.Status, a.For, a.ProposedBy = ArrivalOpen, "", ""
	case *nairav1.UnmatchedAssigned:
		a.Status = ArrivalAssigned
	}
	return a
})

// ArrivalStream is the stream of money that arrived under a gateway's own reference and fits no payment.
func ArrivalStream(providerRef string) string { return "unmatched:" + providerRef }

// ReceiveUnmatched takes money that fits no open payment into suspense.
type ReceiveUnmatched struct {
	ProviderRef string
	Channel     nairav1.Channel
	Amount      money.Kobo
	Reference   string
	Reason      string
	PaidAt      time.Time
}

// Streams implements event.Command.
func (c ReceiveUnmatched) Streams() []string { return []string{ArrivalStream(c.ProviderRef)} }

// Accounts implements event.Command.
func (c ReceiveUnmatched) Accounts() []string {
	return []string{posting.Bank(c.Channel), posting.Unmatched}
}

// Decide implements event.Command.
func (c ReceiveUnmatched) Decide(v event.View) ([]event.Draft, error) {
	switch {
	case event.StateOf[Arrival](v, ArrivalStream(c.ProviderRef)).Status != ArrivalNone:
		return nil, fault.New(fault.Conflict, "This arrival is recorded already.")
	case c.Amount <= 0 || c.Amount > money.Max:
		return nil, fault.New(fault.Conflict, "The bank names an arrival of %s.", c.Amount)
	}
	return []event.Draft{{Stream: ArrivalStream(c.ProviderRef), Message: &nairav1.UnmatchedMoneyReceived{
		ProviderRef: c.ProviderRef, Channel: c.Channel, AmountKobo: int64(c.Amount), Reference: c.Reference,
		Reason: c.Reason, PaidAt: timestamppb.New(c.PaidAt),
	}}}, nil
}

// ProposeUnmatched says whose an arrival is. Nobody proposes one for themselves.
type ProposeUnmatched struct{ ProviderRef, User, By, Reason string }

// Streams implements event.Command.
func (c ProposeUnmatched) Streams() []string { return []string{ArrivalStream(c.ProviderRef)} }

// Accounts implements event.Command.
func (ProposeUnmatched) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ProposeUnmatched) Decide(v event.View) ([]event.Draft, error) {
	switch a := event.StateOf[Arrival](v, ArrivalStream(c.ProviderRef)); {
	case a.Status == ArrivalNone:
		return nil, errNoArrival()
	case a.Status != ArrivalOpen:
		return nil, fault.New(fault.Conflict, "This money is %s already.", strings.ToLower(string(a.Status)))
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say how you know whose money this is.")
	case c.By == "" || c.By == c.User:
		return nil, fault.New(fault.Forbidden, "Nobody decides about money for themselves. Ask a colleague.")
	}
	return []event.Draft{{Stream: ArrivalStream(c.ProviderRef), Message: &nairav1.UnmatchedProposed{
		ProviderRef: c.ProviderRef, UserId: c.User, ProposedBy: c.By, Reason: c.Reason,
	}}}, nil
}

func errNoArrival() error { return fault.New(fault.NotFound, "There is no such money.") }

// DecideUnmatched agrees to somebody else's proposal, which credits the member, or declines it. Who proposed it may
// take it back.
type DecideUnmatched struct {
	ProviderRef string
	User        string // Whom it is proposed for.
	By          string
	Approve     bool
	Reason      string // Needed to decline.
}

// Streams implements event.Command.
func (c DecideUnmatched) Streams() []string { return []string{ArrivalStream(c.ProviderRef)} }

// Accounts implements event.Command.
func (c DecideUnmatched) Accounts() []string {
	return []string{posting.Unmatched, posting.Wallet(c.User)}
}

// Decide implements event.Command.
func (c DecideUnmatched) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[Arrival](v, ArrivalStream(c.ProviderRef))
	draft := event.Draft{Stream: ArrivalStream(c.ProviderRef)}
	switch {
	case a.Status == ArrivalNone:
		return nil, errNoArrival()
	case a.Status != ArrivalProposed || a.For != c.User:
		return nil, fault.New(fault.Conflict, "This proposal is no longer there. Please look again.")
	case !c.Approve && strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why the proposal is declined.")
	case !c.Approve:
		draft.Message = &nairav1.UnmatchedDeclined{ProviderRef: c.ProviderRef, DeclinedBy: c.By, Reason: c.Reason}
	case c.By == "" || c.By == a.ProposedBy:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. A second person must agree.")
	case c.By == a.For:
		return nil, fault.New(fault.Forbidden, "Nobody decides about money for themselves. Ask a colleague.")
	default:
		draft.Message = &nairav1.UnmatchedAssigned{
			ProviderRef: c.ProviderRef, UserId: a.For, AmountKobo: int64(a.Amount), Channel: a.Channel, ProposedBy: a.ProposedBy, ApprovedBy: c.By,
		}
	}
	return []event.Draft{draft}, nil
}
