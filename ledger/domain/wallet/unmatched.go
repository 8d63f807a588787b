package wallet

import (
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// ReceiveUnmatched takes money that fits no open payment into suspense.
type ReceiveUnmatched struct {
	ProviderRef string
	Also        []string // Other names that the bank has for it.
	Provider    event.Provider
	Channel     nairav1.Channel // How its payer sent it.
	Amount      money.Kobo
	Reference   string
	Reason      string
	PaidAt      time.Time
}

// Streams implements event.Command.
func (c ReceiveUnmatched) Streams() []string { return c.told().streams() }

func (c ReceiveUnmatched) told() told { return toldOf(c.Provider, c.ProviderRef, c.Also) }

// Accounts implements event.Command.
func (c ReceiveUnmatched) Accounts() []string {
	return []string{posting.Bank(c.Provider), posting.Unmatched}
}

// Decide implements event.Command.
func (c ReceiveUnmatched) Decide(v event.View) ([]event.Draft, error) {
	told := c.told()
	known, err := told.find(v)
	switch {
	case err != nil:
		return nil, err
	case known.parked != "" || len(known.nameless) < len(told.names):
		return nil, fault.New(fault.Conflict, "This arrival is recorded already.")
	case c.Amount <= 0 || c.Amount > money.Max:
		return nil, fault.New(fault.Conflict, "The bank names an arrival of %s.", c.Amount)
	}
	return append([]event.Draft{told.draft(c.ProviderRef, &nairav1.UnmatchedMoneyReceivedV2{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), Channel: c.Channel, AmountKobo: int64(c.Amount), Reference: c.Reference,
		Reason: c.Reason, PaidAt: timestamppb.New(c.PaidAt),
	})}, told.name(known, c.ProviderRef)...), nil
}

// ProposeUnmatched says whose an arrival is. Nobody proposes one for themselves.
type ProposeUnmatched struct {
	ProviderRef      string
	Provider         event.Provider
	User, By, Reason string
}

// Streams implements event.Command.
func (c ProposeUnmatched) Streams() []string {
	return append(names(c.Provider, c.ProviderRef), accounts(c.User, c.By)...)
}

// accounts are the streams of those whom a decision about money of nobody is about: who gets it, and who decides.
func accounts(user, by string) (streams []string) {
	for _, person := range []string{user, by} {
		if person != "" {
			streams = append(streams, account.Stream(person))
		}
	}
	return streams
}

// Accounts implements event.Command.
func (ProposeUnmatched) Accounts() []string { return nil }

// Decide implements event.Command.
func (c ProposeUnmatched) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	switch {
	case a.Undecided() != nil:
		return nil, a.Undecided()
	case standing.May(v, c.User, standing.Receive) != nil:
		return nil, standing.May(v, c.User, standing.Receive)
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say how you know whose money this is.")
	case c.By == "" || c.By == c.User:
		return nil, standing.Own.May(standing.Credit)
	}
	if err := standing.May(v, c.By, standing.Credit); err != nil {
		return nil, err
	}
	return []event.Draft{{Stream: stream, Message: &nairav1.UnmatchedProposed{
		ProviderRef: c.ProviderRef, UserId: c.User, ProposedBy: c.By, Reason: c.Reason,
	}}}, nil
}

func errNoArrival() error { return fault.New(fault.NotFound, "There is no such money.") }

// DecideUnmatched agrees to somebody else's proposal, which credits the member, or declines it. Who proposed it may
// take it back.
type DecideUnmatched struct {
	ProviderRef string
	Provider    event.Provider
	User        string       // Whom it is proposed for; empty to decline that it is a payout's return.
	Seen        seen.Version // The proposal that they decide on; empty not to ask.
	By          string
	Approve     bool
	Reason      string // Needed to decline.
}

// Streams implements event.Command.
func (c DecideUnmatched) Streams() []string {
	return append(names(c.Provider, c.ProviderRef), accounts(c.User, c.By)...)
}

// Accounts implements event.Command.
func (c DecideUnmatched) Accounts() []string {
	if c.User == "" { // What is proposed is a payout's return, which they decline.
		return nil
	}
	return []string{posting.Unmatched, posting.Wallet(c.User)}
}

// Decide implements event.Command.
func (c DecideUnmatched) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	draft := event.Draft{Stream: stream}
	switch {
	case a.Status == ArrivalNone:
		return nil, errNoArrival()
	case a.Status != ArrivalProposed || a.For != c.User || a.Back.ID != "":
		return nil, seen.Changed()
	case c.Seen.IfSaid(a.Seen()) != nil:
		return nil, c.Seen.IfSaid(a.Seen())
	case !c.Approve && strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why the proposal is declined.")
	case c.Approve && a.ForReturn != "":
		return nil, fault.New(fault.Conflict, "This money is proposed to be the return of a payout.")
	case !c.Approve:
		draft.Message = &nairav1.UnmatchedDeclined{ProviderRef: c.ProviderRef, DeclinedBy: c.By, Reason: c.Reason}
	case c.By == "" || c.By == a.ProposedBy:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. A second person must agree.")
	case c.By == a.For:
		return nil, standing.Own.May(standing.Credit)
	case standing.May(v, c.User, standing.BeCredited) != nil:
		return nil, standing.May(v, c.User, standing.BeCredited)
	case standing.May(v, c.By, standing.Credit) != nil:
		return nil, standing.May(v, c.By, standing.Credit)
	default:
		draft.Message = &nairav1.UnmatchedAssigned{
			ProviderRef: c.ProviderRef, UserId: a.For, AmountKobo: int64(a.Amount), Channel: a.Channel, ProposedBy: a.ProposedBy, ApprovedBy: c.By,
		}
	}
	return []event.Draft{draft}, nil
}
