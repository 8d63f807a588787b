package dispute

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// AtOnce is how many disputes a member may have open, with those that are looked at again.
const AtOnce = 10

// Claim is what a member says is wrong.
type Claim struct {
	DisputeID string
	User      string
	Kind      nairav1.DisputeKind
	About     string // What it is about, in a form that is the same for the same thing.
	EventID   string // The event that it is about; empty for none.
	Position  int64
	Group     string
	Sub       string
	Ajo       string
	Amount    money.Kobo
	Arrival   string       // The arrival in suspense that the member says is theirs; empty for none.
	Money     wallet.Named // The bank's name of it.
	PaidAt    time.Time
	Words     *nairav1.Words
	Now       time.Time
}

// Streams implements event.Command.
func (c Claim) Streams() []string {
	streams := []string{Stream(c.DisputeID), MemberStream(c.User), account.Stream(c.User)}
	if c.Money.ProviderRef == "" {
		return streams
	}
	return append(streams, wallet.ArrivalStreams(c.Money.Provider, c.Money.ProviderRef)...)
}

// Accounts implements event.Command.
func (Claim) Accounts() []string { return nil }

// Decide implements event.Command. One thing is disputed once at a time.
func (c Claim) Decide(v event.View) ([]event.Draft, error) {
	open := event.StateOf[Disputes](v, MemberStream(c.User)).Open
	switch {
	case standing.May(v, c.User, standing.Dispute) != nil:
		return nil, standing.May(v, c.User, standing.Dispute)
	case c.Kind == nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED:
		return nil, fault.Field("kind", "Say what is wrong.")
	case event.StateOf[Dispute](v, Stream(c.DisputeID)).Status != None:
		return nil, fault.New(fault.Conflict, "This dispute is open already.")
	case open[c.About] != "":
		return nil, fault.New(fault.Conflict, "You have disputed this already: %s. Add to it what you know, or take it back first.", Number(open[c.About]))
	case len(open) >= AtOnce:
		return nil, tooMany(open)
	case c.Amount < 0 || c.Amount > money.Max:
		return nil, fault.Field("amount", "The amount is too large.")
	}
	opened := &nairav1.DisputeOpened{
		DisputeId: c.DisputeID, UserId: c.User, Kind: c.Kind, EventId: c.EventID, Position: c.Position, GroupId: c.Group, SubAccountId: c.Sub, AjoId: c.Ajo,
		AmountKobo: int64(c.Amount), Words: c.Words, ArrivalId: c.Arrival, About: c.About,
		AcknowledgeBy: timestamppb.New(c.Now.Add(AcknowledgeIn)), DecideBy: timestamppb.New(deadline(c.Kind, c.Now)),
	}
	if !c.PaidAt.IsZero() {
		opened.PaidAt = timestamppb.New(c.PaidAt)
	}
	drafts := []event.Draft{
		event.On(Stream(c.DisputeID), opened),
		event.On(MemberStream(c.User), &nairav1.DisputeCounted{UserId: c.User, DisputeId: c.DisputeID, About: c.About, Open: true}),
	}
	if c.Money.ProviderRef == "" {
		return drafts, nil
	}
	stream, a := wallet.ArrivalAt(v.State, c.Money.Provider, c.Money.ProviderRef)
	return append(drafts, event.On(stream, &nairav1.MoneyClaimed{
		ProviderRef: c.Money.ProviderRef, Provider: string(c.Money.Provider), DisputeId: c.DisputeID, UserId: c.User,
	})), a.Claimable()
}

// own is a step that the member takes in a dispute of theirs.
type own struct {
	id, user, sub string // Sub is given where what is held of it may be freed.
	decide        func(Dispute, *after) (proto.Message, error)
}

// Streams implements event.Command.
func (c own) Streams() []string {
	return append(heldIn(c.sub), Stream(c.id), MemberStream(c.user))
}

// Accounts implements event.Command.
func (own) Accounts() []string { return nil }

// Decide implements event.Command.
func (c own) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[Dispute](v, Stream(c.id))
	if d.Status == None || d.User != c.user {
		return nil, errNone()
	}
	and := &after{v: v, id: c.id, d: d}
	m, err := c.decide(d, and)
	if err != nil {
		return nil, err
	}
	return append([]event.Draft{event.On(Stream(c.id), m)}, and.drafts...), nil
}

// AddEvidence adds words or a file to a dispute that is open.
func AddEvidence(disputeID, user, paperID string, file bool, sha256 []byte) event.Command {
	return own{disputeID, user, "", func(d Dispute, _ *after) (proto.Message, error) {
		switch {
		case !d.IsOpen():
			return nil, Over(d)
		case d.Papers >= PapersMax:
			return nil, fault.New(fault.Conflict, "A dispute takes %d additions. If there is more, tell us in your next answer.", PapersMax)
		}
		return &nairav1.DisputeEvidenceAdded{DisputeId: disputeID, UserId: user, PaperId: paperID, File: file, Sha256: sha256}, nil
	}}
}

// PapersMax is how much may be added to a dispute.
const PapersMax = 20

// Answer answers what Support asked. The clock goes on from where it stood.
func Answer(disputeID, user string, words *nairav1.Words, now time.Time) event.Command {
	return own{disputeID, user, "", func(d Dispute, and *after) (proto.Message, error) {
		switch {
		case !d.IsOpen():
			return nil, Over(d)
		case d.Status != InfoRequested:
			return nil, fault.New(fault.Conflict, "Nothing is asked of you just now. Add what you know instead.")
		}
		return d.answered(and.v, disputeID, words, now), nil
	}}
}

// mayStand is for how long the clock may still stand while the member is asked something: AnswerIn in all. Earlier
// builds had it stand so long each time.
func (d Dispute) mayStand(v event.View) time.Duration {
	if _, earlier := v.(standing.Earlier); earlier {
		return AnswerIn
	}
	return max(AnswerIn-d.Stood, 0)
}

// answered has the clock go on that stood still.
func (d Dispute) answered(v event.View, id string, words *nairav1.Words, now time.Time) *nairav1.DisputeAnswered {
	stood := min(max(now.Sub(d.AskedAt), 0), d.mayStand(v))
	return &nairav1.DisputeAnswered{DisputeId: id, UserId: d.User, Words: words, DecideBy: timestamppb.New(d.DecideBy.Add(stood))}
}

// Withdraw takes a dispute back, and frees what it holds of its sub-account.
func Withdraw(disputeID, user, sub string) event.Command {
	return standing.Decides(user, standing.Decide, own{disputeID, user, sub, func(d Dispute, and *after) (proto.Message, error) {
		switch {
		case d.SubAccount != sub:
			return nil, errNone()
		case d.Card.Ref != "" && d.IsOpen():
			return nil, fault.New(fault.Conflict, "The bank of the card opened this. If the payment was right after all, tell your bank, and tell us here.")
		case !d.IsOpen():
			return nil, Over(d)
		}
		and.ends(nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_WITHDRAWN, true)
		return &nairav1.DisputeWithdrawn{DisputeId: disputeID, UserId: user}, nil
	}})
}

// Reopen has a decided dispute looked at once more.
func Reopen(disputeID, user string, words *nairav1.Words, now time.Time) event.Command {
	return own{disputeID, user, "", func(d Dispute, and *after) (proto.Message, error) {
		switch {
		case d.IsOpen():
			return nil, fault.New(fault.Conflict, "This dispute is open.")
		case d.Status == Withdrawn:
			return nil, fault.New(fault.Conflict, "You took this dispute back. Open a new one if something is wrong after all.")
		case d.WasReopened:
			return nil, fault.New(fault.Conflict, "This was looked at twice. If you still think it is wrong, write to the Central Bank of Nigeria's consumer protection: the outcome says how.")
		case d.Card.Ref != "":
			return nil, fault.New(fault.Conflict, "The bank of the card decided this. If you think that it is wrong, tell your bank.")
		case !now.Before(d.ReopenUntil):
			return nil, fault.New(fault.Conflict, "This could be looked at again until %s. Write to us if you have learned something new.", lagos.Date(d.ReopenUntil))
		case and.open()[d.About] != "":
			return nil, fault.New(fault.Conflict, "You have disputed this already: %s.", Number(and.open()[d.About]))
		case and.full():
			return nil, tooMany(and.open())
		}
		and.drafts = append(and.drafts, event.On(MemberStream(user), &nairav1.DisputeCounted{UserId: user, DisputeId: disputeID, About: d.About, Open: true}))
		return &nairav1.DisputeReopened{
			DisputeId: disputeID, UserId: user, Words: words, AcknowledgeBy: timestamppb.New(now.Add(AcknowledgeIn)), DecideBy: timestamppb.New(deadline(d.Kind, now)),
		}, nil
	}}
}

// full reports whether the member has as many disputes open as they may. Earlier builds did not ask of one that is
// looked at again.
func (e *after) full() bool {
	_, earlier := e.v.(standing.Earlier)
	return !earlier && len(e.open()) >= AtOnce
}

func tooMany(open map[string]string) error {
	return fault.New(fault.Conflict, "You have %d disputes open. Please wait for one of them, or take one back.", len(open))
}

// Over says why nothing more can be done about a dispute.
func Over(d Dispute) error {
	if d.Status == Withdrawn {
		return fault.New(fault.Conflict, "This dispute was taken back. Open a new one if something is wrong after all.")
	}
	return fault.New(fault.Conflict, "This dispute is decided. If you do not agree, have it looked at again.")
}
