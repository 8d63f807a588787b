package dispute

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// AnswerStatus is where the answer to the bank of a card stands.
//
//	PROPOSED ──▶ GIVEN ──▶ SENT ──▶ TAKEN      the gateway has it
//	    │          └────────┴─────▶ FAILED     the gateway does not have it
//	    └──▶ DROPPED                           an Admin does not agree, or it is taken back
//
// Only an answer by which the payer gets money back is proposed first. After FAILED and DROPPED another may be given.
type AnswerStatus string

// The statuses.
const (
	AnswerNone     AnswerStatus = ""
	AnswerProposed AnswerStatus = "PROPOSED"
	AnswerGiven    AnswerStatus = "GIVEN"
	AnswerSent     AnswerStatus = "SENT"
	AnswerTaken    AnswerStatus = "TAKEN"
	AnswerFailed   AnswerStatus = "FAILED"
	AnswerDropped  AnswerStatus = "DROPPED"
)

// CardAnswer is the latest answer to the bank of a card.
type CardAnswer struct {
	ID         string
	Status     AnswerStatus
	User       string
	Staff      string
	ApprovedBy string
	Provider   event.Provider
	Ref        string // The gateway's, of the dispute.
	Accepted   bool
	Amount     money.Kobo // What the payer gets back.
	Words      string     // The paper that the bank is told.
	SHA256     []byte     // Of it.
	File       string     // The file that goes with it; empty for the payment's receipt.
	GivenAt    time.Time
	SentAt     time.Time
	Reason     string // Why it failed.
}

// Answers folds the answers to the bank of a card.
var Answers = event.Of("cardanswer", 1, func(a CardAnswer, e event.Happened) CardAnswer {
	switch m := e.Message.(type) {
	case *nairav1.CardAnswerGiven:
		a = CardAnswer{
			ID: m.GetAnswerId(), Status: AnswerGiven, User: m.GetUserId(), Staff: m.GetStaffId(), Accepted: m.GetAccepted(), Amount: money.Kobo(m.GetAmountKobo()),
			Provider: event.Provider(m.GetProvider()), Ref: m.GetProviderRef(),
			Words: m.GetWords().GetPaperId(), SHA256: m.GetWords().GetSha256(), File: m.GetFile().GetPaperId(), GivenAt: e.EffectiveAt,
		}
		if a.Accepted {
			a.Status = AnswerProposed
		}
	case *nairav1.CardAnswerAgreed:
		a.Status, a.ApprovedBy = AnswerGiven, m.GetApprovedBy()
	case *nairav1.CardAnswerDropped:
		a.Status = AnswerDropped
	case *nairav1.CardAnswerSent:
		a.Status, a.SentAt = AnswerSent, e.EffectiveAt
	case *nairav1.CardAnswerTaken:
		a.Status = AnswerTaken
	case *nairav1.CardAnswerFailed:
		a.Status, a.Reason = AnswerFailed, m.GetReason()
	}
	return a
})

// AnswerStream is the stream of the answers to the bank of a card.
func AnswerStream(disputeID string) string { return "cardanswer:" + disputeID }

// Over reports whether another answer may be given.
func (a CardAnswer) Over() bool {
	return a.Status == AnswerNone || a.Status == AnswerFailed || a.Status == AnswerDropped
}

// Late refuses an answer that would come after the gateway stopped taking any.
func (c Card) Late(now time.Time) error {
	switch {
	case c.Ended:
		return fault.New(fault.Conflict, "The bank of the card has decided. Nothing is answered any more.")
	case !c.AnswerBy.IsZero() && !now.Before(c.AnswerBy):
		return fault.New(fault.Conflict, "The bank took answers until %s. None can be sent any more.", lagos.Clock(c.AnswerBy))
	}
	return nil
}

// givesBack refuses to give back of a payment what went back before: its payer would get that twice. The command that
// asks must name the payment's stream. Earlier builds did not ask.
func givesBack(v event.View, payment string, amount money.Kobo) error {
	if _, earlier := v.(standing.Earlier); earlier || payment == "" {
		return nil
	}
	p := event.StateOf[wallet.Payment](v, wallet.Stream(payment))
	switch {
	case p.Status != wallet.Confirmed && p.Status != wallet.Reversed, amount <= p.Left():
		return nil
	case p.Left() == 0:
		return fault.New(fault.Conflict, "All of this payment went back to its payer already. Decline, and tell the bank when it went back.")
	default:
		return fault.New(fault.Conflict, "%s of this payment went back to its payer already. Give back %s at most.", p.Returned, p.Left())
	}
}

// GiveAnswer answers the bank of a card, for whoever has the case.
type GiveAnswer struct {
	Case
	AnswerID string
	Accept   bool           // Whether the payer gets the money back.
	Amount   money.Kobo     // What they get back of it; 0 where it is declined.
	Words    *nairav1.Words // What the bank is told.
	File     *nairav1.Words // A file of the case; nil for the payment's receipt.
	Now      time.Time
}

// Streams implements event.Command.
func (c GiveAnswer) Streams() []string {
	return append(c.streams(), AnswerStream(c.DisputeID), account.Stream(c.Staff))
}

// Accounts implements event.Command.
func (GiveAnswer) Accounts() []string { return nil }

// Decide implements event.Command.
func (c GiveAnswer) Decide(v event.View) ([]event.Draft, error) {
	d, err := c.read(v)
	if err != nil {
		return nil, err
	}
	if d.Card.Ref == "" {
		return nil, fault.New(fault.Conflict, "No bank waits for an answer in this case. Decide it instead.")
	}
	if err := c.has(d); err != nil {
		return nil, err
	}
	if err := d.Card.Late(c.Now); err != nil {
		return nil, err
	}
	switch a := event.StateOf[CardAnswer](v, AnswerStream(c.DisputeID)); {
	case a.Status == AnswerTaken:
		return nil, fault.New(fault.Conflict, "The bank has our answer already, and takes one.")
	case a.Status == AnswerProposed:
		return nil, fault.New(fault.Conflict, "An answer waits for an Admin. Take it back first.")
	case !a.Over():
		return nil, fault.New(fault.Conflict, "An answer is being sent. Wait until the bank says whether it has it.")
	case c.Words == nil:
		return nil, fault.Field("words", "Say what the bank is told.")
	case c.Accept && (c.Amount <= 0 || c.Amount > d.Amount):
		return nil, fault.Field("amount", "Give back between ₦0.01 and the %s that are disputed.", d.Amount)
	case !c.Accept && c.Amount != 0:
		return nil, fault.Field("amount", "Who declines gives nothing back.")
	}
	if c.Accept {
		if err := givesBack(v, c.Paid.Payment, c.Amount); err != nil {
			return nil, err
		}
	}
	if err := standing.May(v, c.Staff, standing.Resolve); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(AnswerStream(c.DisputeID), &nairav1.CardAnswerGiven{
		DisputeId: c.DisputeID, AnswerId: c.AnswerID, UserId: c.User, StaffId: c.Staff, Provider: string(d.Card.Provider), ProviderRef: d.Card.Ref,
		Accepted: c.Accept, AmountKobo: int64(c.Amount), Words: c.Words, File: c.File,
	})}, nil
}

// JudgeAnswer is what an Admin says of an answer by which the payer gets money back, or its giver who takes it back.
// Case.Staff is who says it.
type JudgeAnswer struct {
	Case
	AnswerID string
	Agree    bool
	Words    *nairav1.Words // Why not.
	Now      time.Time
}

// Streams implements event.Command.
func (c JudgeAnswer) Streams() []string {
	return append(c.streams(), AnswerStream(c.DisputeID), account.Stream(c.Staff))
}

// Accounts implements event.Command.
func (JudgeAnswer) Accounts() []string { return nil }

// Decide implements event.Command. Nobody agrees to what they proposed, nor about their own money.
func (c JudgeAnswer) Decide(v event.View) ([]event.Draft, error) {
	d, err := c.read(v)
	if err != nil {
		return nil, err
	}
	a := event.StateOf[CardAnswer](v, AnswerStream(c.DisputeID))
	switch {
	case seen.Version(c.AnswerID).Still(seen.Version(a.ID)) != nil:
		return nil, seen.Version(c.AnswerID).Still(seen.Version(a.ID))
	case a.Status != AnswerProposed:
		return nil, fault.New(fault.Conflict, "Nobody is asked about this answer any more. Please look again.")
	case !c.Agree:
		return []event.Draft{event.On(AnswerStream(c.DisputeID), &nairav1.CardAnswerDropped{
			DisputeId: c.DisputeID, AnswerId: a.ID, UserId: c.User, DeclinedBy: c.Staff, Words: c.Words,
		})}, nil
	case !d.Has(v, a.Staff):
		return nil, ErrTakenOver()
	case c.Staff == a.Staff:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. An Admin must agree who did not.")
	}
	if err := standing.May(v, c.Staff, standing.Resolve); err != nil {
		return nil, err
	}
	if err := d.Card.Late(c.Now); err != nil {
		return nil, err
	}
	if err := givesBack(v, c.Paid.Payment, a.Amount); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(AnswerStream(c.DisputeID), &nairav1.CardAnswerAgreed{DisputeId: c.DisputeID, AnswerId: a.ID, UserId: c.User, ApprovedBy: c.Staff})}, nil
}

// SendAnswer records that the gateway is told an answer now. It is told after that, and once.
type SendAnswer struct {
	DisputeID, AnswerID string
	Payment             string // That the bank disputes.
	Now                 time.Time
}

// Streams implements event.Command.
func (c SendAnswer) Streams() []string {
	streams := []string{Stream(c.DisputeID), AnswerStream(c.DisputeID)}
	if c.Payment == "" {
		return streams
	}
	return append(streams, wallet.Stream(c.Payment))
}

// Accounts implements event.Command.
func (SendAnswer) Accounts() []string { return nil }

// Decide implements event.Command. What went back since it was agreed is not given back again.
func (c SendAnswer) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[CardAnswer](v, AnswerStream(c.DisputeID))
	if a.ID == "" || a.ID != c.AnswerID || a.Status != AnswerGiven {
		return nil, fault.New(fault.Conflict, "This answer is not there to be sent.")
	}
	if err := event.StateOf[Dispute](v, Stream(c.DisputeID)).Card.Late(c.Now); err != nil {
		return nil, err
	}
	if err := givesBack(v, c.Payment, a.Amount); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(AnswerStream(c.DisputeID), &nairav1.CardAnswerSent{DisputeId: c.DisputeID, AnswerId: a.ID, UserId: a.User})}, nil
}

// HearAnswer records whether the gateway has an answer.
type HearAnswer struct {
	DisputeID, AnswerID string
	Taken               bool
	Reason              string // Why it does not have it.
}

// Streams implements event.Command.
func (c HearAnswer) Streams() []string { return []string{AnswerStream(c.DisputeID)} }

// Accounts implements event.Command.
func (HearAnswer) Accounts() []string { return nil }

// Decide implements event.Command. What was never sent was never taken.
func (c HearAnswer) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[CardAnswer](v, AnswerStream(c.DisputeID))
	switch {
	case a.ID == "" || a.ID != c.AnswerID || a.Status != AnswerSent && (c.Taken || a.Status != AnswerGiven):
		return nil, fault.New(fault.Conflict, "Nothing is to be heard of this answer.")
	case c.Taken:
		return []event.Draft{event.On(AnswerStream(c.DisputeID), &nairav1.CardAnswerTaken{
			DisputeId: c.DisputeID, AnswerId: a.ID, UserId: a.User, Accepted: a.Accepted, AmountKobo: int64(a.Amount), Words: &nairav1.Words{PaperId: a.Words, Sha256: a.SHA256},
		})}, nil
	default:
		return []event.Draft{event.On(AnswerStream(c.DisputeID), &nairav1.CardAnswerFailed{DisputeId: c.DisputeID, AnswerId: a.ID, UserId: a.User, Reason: c.Reason})}, nil
	}
}

// RemindFrom is when Support is reminded of an answer: from the Lagos day before the gateway's last.
func RemindFrom(answerBy time.Time) time.Time {
	year, month, day := answerBy.In(lagos.Zone).Date()
	return time.Date(year, month, day-1, 0, 0, 0, 0, lagos.Zone)
}

// RemindAnswer records that the time for an answer ends soon, once.
type RemindAnswer struct {
	DisputeID string
	Now       time.Time
}

// Streams implements event.Command.
func (c RemindAnswer) Streams() []string {
	return []string{Stream(c.DisputeID), AnswerStream(c.DisputeID)}
}

// Accounts implements event.Command.
func (RemindAnswer) Accounts() []string { return nil }

// Decide implements event.Command.
func (c RemindAnswer) Decide(v event.View) ([]event.Draft, error) {
	d, a := event.StateOf[Dispute](v, Stream(c.DisputeID)), event.StateOf[CardAnswer](v, AnswerStream(c.DisputeID))
	if d.Card.Ref == "" || d.Card.AnswerBy.IsZero() || d.Card.Reminded || d.Card.Late(c.Now) != nil || c.Now.Before(RemindFrom(d.Card.AnswerBy)) ||
		!a.Over() && a.Status != AnswerProposed {
		return nil, fault.New(fault.Conflict, "Nobody is to be reminded of an answer.")
	}
	return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.CardAnswerDue{
		DisputeId: c.DisputeID, UserId: d.User, StaffId: d.Staff, AnswerBy: timestamppb.New(d.Card.AnswerBy),
	})}, nil
}
