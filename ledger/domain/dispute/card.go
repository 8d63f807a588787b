package dispute

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// TellCard opens the dispute that the bank of a card has about a payment by it. However many disputes a member has
// open, and whether their account is closed, it is opened: the bank does not ask us.
type TellCard struct {
	DisputeID string
	User      string // Who paid.
	Payment   string
	EventID   string // Of the payment's arrival; empty while it is not known.
	Position  int64
	Provider  event.Provider
	Ref       string
	Amount    money.Kobo
	Reason    string
	AnswerBy  time.Time // Zero where the gateway did not say.
	Now       time.Time
}

// Streams implements event.Command.
func (c TellCard) Streams() []string { return []string{Stream(c.DisputeID), MemberStream(c.User)} }

// Accounts implements event.Command.
func (TellCard) Accounts() []string { return nil }

// Decide implements event.Command. It is decided before the gateway stops taking answers.
func (c TellCard) Decide(v event.View) ([]event.Draft, error) {
	if event.StateOf[Dispute](v, Stream(c.DisputeID)).Status != None {
		return nil, fault.New(fault.Conflict, "This is known already.")
	}
	by := c.Now.Add(PaymentIn)
	if c.AnswerBy.After(c.Now) && c.AnswerBy.Before(by) {
		by = c.AnswerBy
	}
	take := c.Now.Add(AcknowledgeIn)
	if by.Before(take) {
		take = by
	}
	told := &nairav1.CardDisputeTold{
		DisputeId: c.DisputeID, UserId: c.User, Provider: string(c.Provider), ProviderRef: c.Ref, PaymentId: c.Payment, AmountKobo: int64(c.Amount), Reason: c.Reason,
		EventId: c.EventID, Position: c.Position, AcknowledgeBy: timestamppb.New(take), DecideBy: timestamppb.New(by), About: "card " + c.Ref,
	}
	if !c.AnswerBy.IsZero() {
		told.AnswerBy = timestamppb.New(c.AnswerBy)
	}
	return []event.Draft{
		event.On(Stream(c.DisputeID), told),
		event.On(MemberStream(c.User), &nairav1.DisputeCounted{UserId: c.User, DisputeId: c.DisputeID, About: told.GetAbout(), Open: true}),
	}, nil
}

// EndCard records how the bank of a card decided. It ends the dispute, and nobody looks at it again.
type EndCard struct {
	DisputeID string
	User      string
	Provider  event.Provider
	Ref       string
	Upheld    bool // Whether the payer got the money back.
}

// Streams implements event.Command.
func (c EndCard) Streams() []string { return []string{Stream(c.DisputeID), MemberStream(c.User)} }

// Accounts implements event.Command.
func (EndCard) Accounts() []string { return nil }

// Decide implements event.Command.
func (c EndCard) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[Dispute](v, Stream(c.DisputeID))
	switch {
	case d.Status == None || d.User != c.User || d.Card.Ref != c.Ref:
		return nil, errNone()
	case d.Card.Ended:
		return nil, fault.New(fault.Conflict, "This is known already.")
	}
	and := &after{v: v, id: c.DisputeID, d: d}
	if d.IsOpen() {
		and.ends(nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_DECIDED, false)
	}
	ended := &nairav1.CardDisputeEnded{DisputeId: c.DisputeID, UserId: c.User, Provider: string(c.Provider), ProviderRef: c.Ref, Upheld: c.Upheld}
	return append([]event.Draft{event.On(Stream(c.DisputeID), ended)}, and.drafts...), nil
}
