package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/event"
)

// StepHidden is the kind of a step whose event is hidden.
const StepHidden = "HIDDEN"

// happening is the effect of an event on its dispute.
type happening struct {
	kind, by string // By is who did it; "" for the clock, and for the bank of a card.
	words    *nairav1.Words
	isFile   bool
	status   string // The dispute's state from then on; "" when it does not change.
	ends     bool   // The dispute is closed from then on.
	decideBy *timestamppb.Timestamp
	opens    bool // The dispute is open from then on, and was not before.
	recorded bool // It happened when it was recorded, though it counts from another time.
	lateTold bool // It changes nothing when the dispute is closed.
}

func of(upheld bool, yes, no string) string {
	if upheld {
		return yes
	}
	return no
}

// happened returns the effect of a message on its dispute; nil for one that the member sees no step of.
func happened(m any) *happening {
	switch m := m.(type) {
	case *nairav1.DisputeOpened:
		return &happening{kind: "OPENED", by: m.GetUserId(), words: m.GetWords(), status: "OPEN", opens: true, decideBy: m.GetDecideBy()}
	case *nairav1.CardDisputeTold:
		return &happening{kind: "BANK_OPENED", status: "OPEN", opens: true, decideBy: m.GetDecideBy()}
	case *nairav1.CardDisputeEnded:
		return &happening{
			kind: of(m.GetUpheld(), "BANK_TOOK_BACK", "BANK_KEPT"), status: of(m.GetUpheld(), "RESOLVED_UPHELD", "RESOLVED_REJECTED"), ends: true, lateTold: true,
		}
	case *nairav1.CardAnswerDue:
		return &happening{kind: "ANSWER_DUE"}
	case *nairav1.CardAnswerTaken:
		return &happening{kind: of(m.GetAccepted(), "CARD_ACCEPTED", "CARD_DECLINED"), words: m.GetWords()}
	case *nairav1.DisputeTaken:
		return &happening{kind: "TAKEN", by: m.GetStaffId(), status: "INVESTIGATING"}
	case *nairav1.DisputeAsked:
		return &happening{kind: "ASKED", by: m.GetStaffId(), words: m.GetWords(), status: "INFO_REQUESTED"}
	case *nairav1.DisputeEvidenceAdded:
		return &happening{kind: "ADDED", by: m.GetUserId(), words: &nairav1.Words{Sha256: m.GetSha256()}, isFile: m.GetFile()}
	case *nairav1.DisputeHoldAsked:
		return &happening{kind: of(m.GetUntil() == nil, "HOLD_ASKED", "HOLD_HELD"), by: m.GetUserId()}
	case *nairav1.DisputeHoldAllowed:
		return &happening{kind: "HOLD_ALLOWED", by: m.GetStaffId()}
	case *nairav1.DisputedMoneyFreed:
		if m.GetWhy() != nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED { // The step in which the dispute ended shows the other ends of a hold.
			return nil
		}
		return &happening{kind: "HOLD_OVER"}
	case *nairav1.DisputeAnswered:
		if m.GetWords() == nil {
			return &happening{kind: "NOT_ANSWERED", status: "INVESTIGATING", decideBy: m.GetDecideBy()}
		}
		return &happening{kind: "ANSWERED", by: m.GetUserId(), words: m.GetWords(), status: "INVESTIGATING", decideBy: m.GetDecideBy()}
	case *nairav1.DisputeResolved:
		status := of(m.GetUpheld(), "RESOLVED_UPHELD", "RESOLVED_REJECTED")
		return &happening{kind: status, by: m.GetStaffId(), words: m.GetWords(), status: status, ends: true}
	case *nairav1.DisputeReopened:
		return &happening{kind: "REOPENED", by: m.GetUserId(), words: m.GetWords(), status: "REOPENED", opens: true, decideBy: m.GetDecideBy()}
	case *nairav1.DisputeWithdrawn:
		return &happening{kind: "WITHDRAWN", by: m.GetUserId(), status: "WITHDRAWN", ends: true}
	case *nairav1.DisputeOverdue:
		return &happening{kind: of(m.GetClock() == nairav1.DisputeClock_DISPUTE_CLOCK_ACKNOWLEDGE, "TAKING_OVERDUE", "DECISION_OVERDUE")}
	case *nairav1.CorrectionApplied:
		return &happening{kind: "PLAN_APPLIED", recorded: true}
	default:
		return nil
	}
}

// who names the person of a step.
func (h *happening) who(member string) string {
	switch {
	case strings.HasPrefix(h.kind, "BANK_"):
		return "BANK"
	case strings.HasPrefix(h.kind, "CARD_"):
		return "SUPPORT"
	case h.by == "":
		return "CLOCK"
	case h.by == member:
		return "MEMBER"
	default:
		return "SUPPORT"
	}
}

// Happening is an event of a dispute: its record, or the position of a hidden one.
type Happening struct {
	Position int64
	Record   *event.Record // nil of a hidden one.
}

// IsRelated reports whether a record belongs to a dispute's correction, its answer to a bank or its hold, and is shown
// as a step of it.
func IsRelated(disputeID string, r *event.Record) bool {
	category, _, _ := strings.Cut(r.Stream, ":")
	if category != "correction" && category != "cardanswer" && category != "disputed" {
		return false
	}
	m, err := r.Message()
	if err != nil {
		return false
	}
	is, names := m.(interface{ GetDisputeId() string })
	return names && is.GetDisputeId() == disputeID && happened(m) != nil
}

// IsOf reports whether a record belongs to a dispute: to its stream, or related to it.
func IsOf(disputeID string, r *event.Record) bool {
	return r.Stream == dispute.Stream(disputeID) || IsRelated(disputeID, r)
}

func (c *checking) isRelated(e entry) bool {
	return e.record != nil && IsRelated(c.Bundle.Dispute.ID, e.record)
}

// Derive makes the state, dates and steps of a member's dispute from its events and from the texts at each position. If
// an event is hidden, it makes only the steps of the others.
func Derive(id, member string, events []Happening, written map[int64]string) (Dispute, error) {
	d := Dispute{ID: id, Number: dispute.Number(id), Steps: []Step{}}
	isWhole := true
	for _, e := range events {
		if e.Record == nil {
			isWhole = false
			d.Steps = append(d.Steps, Step{Position: e.Position, Kind: StepHidden})
			continue
		}
		m, err := e.Record.Message()
		if err != nil {
			return d, err
		}
		h := happened(m)
		if h == nil {
			continue
		}
		switch m := m.(type) {
		case *nairav1.DisputeOpened:
			d.Kind = strings.TrimPrefix(m.GetKind().String(), "DISPUTE_KIND_")
			d.Title = dispute.Title(m.GetKind())
		case *nairav1.CardDisputeTold:
			d.Kind, d.Title = "CARD", dispute.Title(nairav1.DisputeKind_DISPUTE_KIND_UNSPECIFIED)
		}
		step, err := stepOf(member, e.Record, h, written)
		if err != nil {
			return d, err
		}
		d.moves(h, step.At)
		d.Steps = append(d.Steps, step)
	}
	if !isWhole {
		d.Status, d.DecideBy, d.EndedAt = StepHidden, time.Time{}, nil
	}
	return d, nil
}

// moves updates the dispute's state after an event.
func (d *Dispute) moves(h *happening, at time.Time) {
	if h.lateTold && d.EndedAt != nil {
		return
	}
	if h.opens && d.OpenedAt.IsZero() {
		d.OpenedAt = at
	}
	if h.status != "" {
		d.Status, d.EndedAt = h.status, nil
	}
	if h.ends {
		d.EndedAt = &at
	}
	if h.decideBy != nil {
		d.DecideBy = h.decideBy.AsTime().Truncate(time.Microsecond)
	}
}

// stepOf makes the step of a record.
func stepOf(member string, r *event.Record, h *happening, written map[int64]string) (Step, error) {
	step := Step{Position: r.Pos, Kind: h.kind, By: h.who(member), At: r.EffectiveAt.UTC(), SHA256: hex.EncodeToString(h.words.GetSha256())}
	if h.recorded {
		step.At = r.RecordedAt.UTC()
	}
	text := written[r.Pos]
	sum := sha256.Sum256([]byte(text))
	switch isWritten := step.SHA256 != "" && !h.isFile; {
	case text != "" && (!isWritten || !bytes.Equal(sum[:], h.words.GetSha256())):
		return step, fmt.Errorf("the words of the step at position %d are not those that were recorded", r.Pos)
	case isWritten:
		step.Words, step.Gone = text, text == ""
	}
	return step, nil
}

// dispute refuses a page whose dispute differs from the one that its events make.
func (c *checking) dispute() error {
	d, stream := c.Bundle.Dispute, dispute.Stream(c.Bundle.Dispute.ID)
	if !slices.ContainsFunc(c.Streams, func(s Stream) bool { return s.Name == stream }) {
		return wrong("the events of the dispute are not here")
	}
	var events []Happening
	for _, e := range c.all {
		if e.stream == stream || c.isRelated(e) {
			events = append(events, Happening{e.pos, e.record})
		}
	}
	written := map[int64]string{}
	for _, step := range d.Steps {
		written[step.Position] = step.Words
	}
	derived, err := Derive(d.ID, c.Member, events, written)
	if err != nil {
		return wrong("%w", err)
	}
	if c.isBefore() {
		d.Title, derived.Title = "", ""
		d.Steps = slices.DeleteFunc(slices.Clone(d.Steps), func(s Step) bool { return strings.HasPrefix(s.Kind, "PLAN_") || strings.HasPrefix(s.Kind, "CARD_") })
		for i := range derived.Steps {
			derived.Steps[i].Gone = false
		}
	}
	return d.is(derived)
}

// is refuses a dispute that differs from the one that was derived.
func (d Dispute) is(derived Dispute) error {
	if d.Kind != derived.Kind {
		return wrong("the dispute is another member's, or about something else")
	}
	for i, step := range d.Steps {
		if i >= len(derived.Steps) || step.Position != derived.Steps[i].Position {
			return wrong("the step at position %d is not an event of the dispute, or not in its place", step.Position)
		}
		if !same(step, derived.Steps[i]) {
			return wrong("the step at position %d is not told as it was recorded", step.Position)
		}
	}
	if len(d.Steps) < len(derived.Steps) {
		return wrong("the step at position %d of the dispute is not told", derived.Steps[len(d.Steps)].Position)
	}
	if !same(d, derived) {
		return wrong("where the dispute stands, its number, title or a date is not what follows from its events")
	}
	return nil
}

func same(a, b any) bool {
	one, err := json.Marshal(a)
	other, otherErr := json.Marshal(b)
	return err == nil && otherErr == nil && bytes.Equal(one, other)
}
