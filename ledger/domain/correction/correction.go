// Package correction decides how a dispute is put right: by ordinary commands that one person proposes and two Admins
// approve, none of them a party, and that are done all together or not at all.
//
//	PROPOSED ──▶ APPROVED ──▶ APPLIED
//	    │            └──────▶ STALE      something has happened since, or the rules refuse it
//	    └──▶ DECLINED                    by an Admin, or taken back by who proposed it
//
// A dispute has one correction at a time. It names the state of every stream that it touches as it was when it was
// proposed: what was approved is what was looked at. Nothing is edited; what was wrong stays, with what came after it.
package correction

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/seen"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Status is where a correction stands.
type Status string

// The statuses.
const (
	None     Status = ""
	Proposed Status = "PROPOSED"
	Approved Status = "APPROVED"
	Declined Status = "DECLINED"
	Applied  Status = "APPLIED"
	Stale    Status = "STALE"
)

// ApprovalsNeeded is how many Admins approve.
const ApprovalsNeeded = 2

// Plan is the latest correction of a dispute.
type Plan struct {
	ID         string
	Status     Status
	User       string
	ProposedBy string
	Steps      []Step
	CountsFrom time.Time
	Basis      []Basis
	Words      string // The paper that says why.
	ProposedAt time.Time
	Approvals  []string
	Reason     string // Why it is stale.
	Adjusted   bool   // What it adjusts was posted.
	// Net is what all corrections of the dispute paid the member from Adashi's own account, less what they took back.
	Net money.Kobo
}

// Basis is what a stream was.
type Basis struct {
	Stream string
	Digest []byte
}

// Plans folds the corrections of a dispute.
var Plans = event.Of("correction", 3, func(p Plan, e event.Happened) Plan {
	switch m := e.Message.(type) {
	case *nairav1.CorrectionProposedV2:
		p = Plan{
			ID: m.GetPlanId(), Status: Proposed, User: m.GetUserId(), ProposedBy: m.GetProposedBy(), CountsFrom: m.GetCountsFrom().AsTime(),
			Words: m.GetWords().GetPaperId(), ProposedAt: e.RecordedAt, Net: p.Net,
		}
		for _, s := range m.GetSteps() {
			p.Steps = append(p.Steps, StepOf(s))
		}
		for _, b := range m.GetBasis() {
			p.Basis = append(p.Basis, Basis{b.GetStream(), b.GetSha256()})
		}
	case *nairav1.CorrectionApproved:
		p.Approvals = append(slices.Clip(p.Approvals), m.GetApprovedBy())
		if m.GetApprovals() >= m.GetNeeded() {
			p.Status = Approved
		}
	case *nairav1.CorrectionDeclined:
		p.Status = Declined
	case *nairav1.CorrectionApplied:
		p.Status = Applied
	case *nairav1.AdjustmentPosted:
		p.Adjusted, p.Net = true, p.Net+signed(m.GetAmountKobo(), m.GetTakesBack())
	case *nairav1.CorrectionStale:
		p.Status, p.Reason = Stale, m.GetReason()
	}
	return p
})

// Stream is the stream of a dispute's corrections.
func Stream(disputeID string) string { return "correction:" + disputeID }

// Open reports whether a correction waits for something.
func (p Plan) Open() bool { return p.Status == Proposed || p.Status == Approved }

// digest is a stream's state in so many bytes.
func digest(v event.View, stream string) ([]byte, error) {
	state, err := json.Marshal(v.State(stream))
	if err != nil {
		return nil, fmt.Errorf("correction: the state of %s: %w", stream, err)
	}
	sum := sha256.Sum256(state)
	return sum[:], nil
}

// parties refuses a person who is or was in a group or an ajo of the dispute or of a step, or has a part in it.
func parties(v event.View, by string, d dispute.Dispute, steps []Step, m dispute.Matter) error {
	in := by == d.User || m.Party(v, by)
	for _, s := range steps {
		in = in || by == s.User
	}
	if in {
		return standing.Party.May(standing.Correct)
	}
	return nil
}

// matter is what a correction is about, for those who may be a party to it.
func matter(d dispute.Dispute, steps []Step, paid dispute.Paid, ties dispute.Ties) dispute.Matter {
	m := dispute.Matter{Groups: []string{d.Group}, Ajos: []string{d.Ajo}, Paid: paid, Ties: ties}
	for _, s := range steps {
		m.Groups = append(m.Groups, s.Group, s.original().GetGroupId())
	}
	return m
}

// Propose proposes a correction. Dispute is as the caller read it; the decider holds it to the ledger's own.
type Propose struct {
	DisputeID  string
	Dispute    dispute.Dispute
	Paid       dispute.Paid // What the payment was for that the bank of a card disputes.
	Ties       dispute.Ties
	PlanID     string
	By         string
	Steps      []Step
	CountsFrom time.Time
	Words      *nairav1.Words
	Now        time.Time
}

// Streams implements event.Command.
func (c Propose) Streams() []string {
	return append(beside(c.DisputeID, c.By, matter(c.Dispute, c.Steps, c.Paid, c.Ties)), touched(c.DisputeID, c.Steps)...)
}

// beside are the streams that say who may decide on a correction.
func beside(disputeID, by string, m dispute.Matter) []string {
	return append([]string{Stream(disputeID), dispute.Stream(disputeID), account.Stream(by)}, m.Streams(by)...)
}

// Accounts implements event.Command.
func (Propose) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Propose) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[dispute.Dispute](v, dispute.Stream(c.DisputeID))
	switch p := event.StateOf[Plan](v, Stream(c.DisputeID)); {
	case d.Status == dispute.None || d.User != c.Dispute.User || d.Group != c.Dispute.Group || d.Ajo != c.Dispute.Ajo || !c.Paid.Known(v, d):
		return nil, fault.New(fault.NotFound, "There is no such case.")
	case !d.IsOpen() || d.Waits() || d.Staff != c.By:
		return nil, fault.New(fault.Conflict, "Take the case first.")
	case p.Open():
		return nil, fault.New(fault.Conflict, "A correction of this case waits already. Take it back first.")
	case c.CountsFrom.After(c.Now):
		return nil, fault.Field("countsFrom", "A correction cannot count from a time to come.")
	}
	if err := c.steps(d); err != nil {
		return nil, err
	}
	if _, err := (ThereBy{c.Steps, c.CountsFrom}).Decide(v); err != nil {
		return nil, err
	}
	if err := parties(v, c.By, d, c.Steps, matter(d, c.Steps, c.Paid, c.Ties)); err != nil {
		return nil, err
	}
	if err := standing.May(v, c.By, standing.Correct); err != nil {
		return nil, err
	}
	proposed := &nairav1.CorrectionProposedV2{
		DisputeId: c.DisputeID, PlanId: c.PlanID, UserId: d.User, ProposedBy: c.By, CountsFrom: timestamppb.New(c.CountsFrom), Words: c.Words,
	}
	for _, s := range c.Steps {
		proposed.Steps = append(proposed.Steps, s.message())
	}
	for _, stream := range touched(c.DisputeID, c.Steps) {
		sum, err := digest(v, stream)
		if err != nil {
			return nil, err
		}
		proposed.Basis = append(proposed.Basis, &nairav1.CorrectionBasis{Stream: stream, Sha256: sum})
	}
	return []event.Draft{event.On(Stream(c.DisputeID), proposed)}, nil
}

// steps refuses steps that no correction of a dispute may have.
func (c Propose) steps(d dispute.Dispute) error {
	if _, err := Commands(c.Steps, Order{DisputeID: c.DisputeID, By: c.By, ApprovedBy: "another", Reason: "why", From: c.CountsFrom}); err != nil {
		return err
	}
	for _, s := range c.Steps {
		switch {
		case s.User != d.User:
			return fault.Field("steps", "A correction is about the member of its case alone.")
		case s.Ajo != "" && s.Ajo != d.Ajo:
			return fault.Field("steps", "This case is about another ajo.")
		case s.Kind == nairav1.CorrectionStepKind_CORRECTION_STEP_KIND_REVERSE && s.original() == nil:
			return fault.Field("steps", "Only a contribution can be reversed.")
		}
	}
	return nil
}

// Decision is what an Admin says of a correction, or its proposer who takes it back. Plan and Dispute are as the caller
// read them.
type Decision struct {
	DisputeID string
	Dispute   dispute.Dispute
	Paid      dispute.Paid // What the payment was for that the bank of a card disputes.
	Ties      dispute.Ties
	Plan      Plan
	By        string
	Approve   bool
	Words     *nairav1.Words // Why it is declined.
}

// Streams implements event.Command.
func (c Decision) Streams() []string {
	return beside(c.DisputeID, c.By, matter(c.Dispute, c.Plan.Steps, c.Paid, c.Ties))
}

// Accounts implements event.Command.
func (Decision) Accounts() []string { return nil }

// Decide implements event.Command. Nobody approves twice, nor what they proposed, nor where they have a part.
func (c Decision) Decide(v event.View) ([]event.Draft, error) {
	p, d := event.StateOf[Plan](v, Stream(c.DisputeID)), event.StateOf[dispute.Dispute](v, dispute.Stream(c.DisputeID))
	switch {
	case seen.Version(c.Plan.ID).Still(seen.Version(p.ID)) != nil:
		return nil, seen.Version(c.Plan.ID).Still(seen.Version(p.ID))
	case d.Group != c.Dispute.Group || d.Ajo != c.Dispute.Ajo || !c.Paid.Known(v, d):
		return nil, fault.New(fault.Conflict, "This correction is no longer there. Please look again.")
	case p.Status != Proposed:
		return nil, fault.New(fault.Conflict, "This correction %s.", became[p.Status])
	case c.Approve && !d.Has(v, p.ProposedBy):
		return nil, dispute.ErrTakenOver()
	case c.Approve && !d.IsOpen():
		return nil, fault.New(fault.Conflict, "This case is over, so nothing of it is corrected any more.")
	}
	if c.By == p.ProposedBy && !c.Approve {
		return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.CorrectionDeclined{DisputeId: c.DisputeID, PlanId: p.ID, UserId: p.User, DeclinedBy: c.By, Words: c.Words})}, nil
	}
	switch {
	case c.By == p.ProposedBy:
		return nil, fault.New(fault.Forbidden, "You proposed this yourself. Two others must agree.")
	case slices.Contains(p.Approvals, c.By):
		return nil, fault.New(fault.Conflict, "You have approved this already. Another Admin must agree too.")
	}
	if err := parties(v, c.By, d, c.Plan.Steps, matter(d, c.Plan.Steps, c.Paid, c.Ties)); err != nil {
		return nil, err
	}
	if !c.Approve {
		return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.CorrectionDeclined{DisputeId: c.DisputeID, PlanId: p.ID, UserId: p.User, DeclinedBy: c.By, Words: c.Words})}, nil
	}
	if err := standing.May(v, c.By, standing.Correct); err != nil {
		return nil, err
	}
	return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.CorrectionApproved{
		DisputeId: c.DisputeID, PlanId: p.ID, UserId: p.User, ApprovedBy: c.By, Approvals: int32(len(p.Approvals) + 1), Needed: ApprovalsNeeded,
	})}, nil
}

var became = map[Status]string{
	Approved: "is approved already", Declined: "was declined", Applied: "was applied already", Stale: "was not applied, since something has happened here since",
}

// Apply says that a correction is applied. It comes first in a bulk with what Commands answers: all or none is done.
type Apply struct {
	DisputeID string
	Plan      Plan
	AsWas     bool // What its streams held then is not looked at: later builds may write states down otherwise.
}

// Streams implements event.Command.
func (c Apply) Streams() []string {
	streams := []string{Stream(c.DisputeID), dispute.Stream(c.DisputeID)}
	for _, b := range c.Plan.Basis {
		streams = append(streams, b.Stream)
	}
	return streams
}

// Accounts implements event.Command.
func (Apply) Accounts() []string { return nil }

// ErrMoved is the refusal of a correction whose streams are not what they were.
func ErrMoved() *fault.Fault {
	return fault.New(fault.Conflict, "Something has happened here since. Look again, and propose it anew.")
}

// Decide implements event.Command.
func (c Apply) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[Plan](v, Stream(c.DisputeID))
	if p.ID != c.Plan.ID || p.Status != Approved {
		return nil, fault.New(fault.Conflict, "This correction is not there to be applied.")
	}
	if _, earlier := v.(standing.Earlier); !earlier && !event.StateOf[dispute.Dispute](v, dispute.Stream(c.DisputeID)).IsOpen() {
		return nil, fault.New(fault.Conflict, "This case is over, so nothing of it is corrected any more.")
	}
	basis := p.Basis
	if c.AsWas {
		basis = nil
	} else if _, err := (ThereBy{c.Plan.Steps, p.CountsFrom}).Decide(v); err != nil {
		return nil, err
	}
	for _, b := range basis {
		sum, err := digest(v, b.Stream)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(sum, b.Digest) {
			return nil, ErrMoved()
		}
	}
	return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.CorrectionApplied{DisputeId: c.DisputeID, PlanId: p.ID, UserId: p.User})}, nil
}

// GiveUp records that an approved correction cannot be applied, and why.
type GiveUp struct {
	DisputeID, PlanID string
	Reason            string
}

// Streams implements event.Command.
func (c GiveUp) Streams() []string { return []string{Stream(c.DisputeID)} }

// Accounts implements event.Command.
func (GiveUp) Accounts() []string { return nil }

// Decide implements event.Command.
func (c GiveUp) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[Plan](v, Stream(c.DisputeID))
	if p.ID != c.PlanID || p.Status != Approved {
		return nil, fault.New(fault.Conflict, "This correction is not there to be given up.")
	}
	return []event.Draft{event.On(Stream(c.DisputeID), &nairav1.CorrectionStale{DisputeId: c.DisputeID, PlanId: p.ID, UserId: p.User, Reason: c.Reason})}, nil
}
