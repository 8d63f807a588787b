package dues

import (
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// Reversal is the state of what became of one event.
type Reversal struct{ Done bool }

// Reversals folds the stream that an event has for being undone.
var Reversals = event.Of("reversal", 1, func(Reversal, event.Happened) Reversal { return Reversal{true} })

// ReversalStream is the stream of an event's being undone.
func ReversalStream(eventID string) string { return "reversal:" + eventID }

// ReverseContribution undoes a contribution: its money goes back to the member's wallet, and the due that it settled is
// open again. A penalty that this money had taken back does not apply again: the member had paid in time, and it is we
// who give the money back later. What a bank takes back stays in the group, and its payer owes it to Adashi. It takes
// two people, and is done at most once. A payment that one member made for another is not undone.
type ReverseContribution struct {
	Original       event.Record // As the ledger holds it.
	By, ApprovedBy string
	Reason         string
	At             time.Time // When it takes effect.
}

// received is the contribution, or nil when the original is something else.
func (c ReverseContribution) received() *nairav1.ContributionReceived {
	m, err := c.Original.Message()
	if err != nil {
		return nil
	}
	received, _ := m.(*nairav1.ContributionReceived)
	return received
}

// Streams implements event.Command.
func (c ReverseContribution) Streams() []string {
	m := c.received()
	return []string{
		ReversalStream(c.Original.ID().String()), savings.GroupStream(m.GetGroupId()), savings.MemberStream(m.GetGroupId(), m.GetUserId()),
		savings.SubStream(m.GetSubAccountId()), Stream(m.GetSubAccountId(), m.GetUserId()),
	}
}

// Accounts implements event.Command.
func (c ReverseContribution) Accounts() []string {
	m := c.received()
	return []string{posting.Pool(m.GetSubAccountId()), posting.Wallet(m.GetUserId())}
}

// Decide implements event.Command.
func (c ReverseContribution) Decide(v event.View) ([]event.Draft, error) {
	m, id := c.received(), c.Original.ID().String()
	if c.Original.Type == event.TypeOf(&nairav1.ContributionCovered{}) {
		return nil, fault.New(fault.Conflict, "One member paid this for another. Such a payment cannot be reversed. Nothing was taken.")
	}
	if m == nil {
		return nil, fault.New(fault.Conflict, "Only a contribution can be reversed like this.")
	}
	paid := event.StateOf[State](v, Stream(m.GetSubAccountId(), m.GetUserId()))
	amount := money.Kobo(m.GetAmountKobo())
	switch {
	case event.StateOf[Reversal](v, ReversalStream(id)).Done:
		return nil, fault.New(fault.Conflict, "This contribution was reversed already.")
	case strings.TrimSpace(c.Reason) == "":
		return nil, fault.Field("reason", "Say why this contribution is reversed.")
	case c.By == "" || c.ApprovedBy == "" || c.By == c.ApprovedBy:
		return nil, fault.New(fault.Forbidden, "A reversal needs a second person's approval.")
	case paid.Total < amount:
		return nil, fault.New(fault.NotFound, "There is no such contribution.")
	case event.StateOf[savings.Member](v, savings.MemberStream(m.GetGroupId(), m.GetUserId())).Let.After(c.Original.RecordedAt):
		return nil, fault.New(fault.Conflict, "The member has left the group and come back since. What was paid before they left is settled. Nothing was taken.")
	}
	if saved := paid.Savings(); saved < amount {
		return nil, fault.New(fault.Conflict, "The member was paid some of it back, or has asked for it: %s of their savings is left. Nothing was taken.", saved)
	}
	if pool := v.Balance(posting.Pool(m.GetSubAccountId())); pool < amount {
		return nil, fault.New(fault.Insufficient, "The group holds %s of the %s to be given back. Nothing was taken.", pool, amount)
	}
	b := openBook(v, m.GetGroupId(), m.GetSubAccountId(), m.GetUserId())
	if event.StateOf[savings.Group](v, savings.GroupStream(m.GetGroupId())).Status == savings.Active {
		b.judge(savings.Day(c.At)) // What was late before is late whatever is taken back now.
	}
	return append(b.drafts,
		event.On(ReversalStream(id), &nairav1.EventReversed{EventId: id, Position: c.Original.Pos, By: c.By, ApprovedBy: c.ApprovedBy, Reason: c.Reason}),
		event.On(Stream(m.GetSubAccountId(), m.GetUserId()), &nairav1.ContributionReversed{
			GroupId: m.GetGroupId(), SubAccountId: m.GetSubAccountId(), UserId: m.GetUserId(), AmountKobo: m.GetAmountKobo(),
			EventId: id, Reason: c.Reason, MemberTotalKobo: int64(paid.Total - amount),
		}),
	), nil
}
