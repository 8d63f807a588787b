package dispute

import (
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Case is a dispute as one of Support works on it. Group, Sub and Ajo are those of the dispute.
type Case struct {
	DisputeID string
	User      string // Whose dispute it is.
	Staff     string
	Group     string
	Sub       string
	Ajo       string
	Paid      Paid // What the payment was for that the bank of a card disputes.
	Ties      Ties
	Version   int // The case's as it was looked at; 0 not to ask.
}

func (c Case) streams() []string {
	streams := append(heldIn(c.Sub), Stream(c.DisputeID), MemberStream(c.User))
	return append(streams, c.matter().Streams(c.Staff)...)
}

func (c Case) matter() Matter { return Matter{[]string{c.Group}, []string{c.Ajo}, c.Paid, c.Ties} }

// read is the dispute, for somebody who may work on it.
func (c Case) read(v event.View) (Dispute, error) {
	d, err := c.known(v)
	if err == nil && !d.IsOpen() {
		err = fault.New(fault.Conflict, "This case is over: %s.", words[d.Status])
	}
	return d, err
}

// known is the dispute, for somebody who is no party to it.
func (c Case) known(v event.View) (Dispute, error) {
	d := event.StateOf[Dispute](v, Stream(c.DisputeID))
	switch {
	case d.Status == None || d.User != c.User || d.Group != c.Group || d.SubAccount != c.Sub || d.Ajo != c.Ajo:
		return d, errNone()
	case d.User == c.Staff:
		return d, standing.Own.May(standing.HandleCase)
	case !c.Paid.Known(v, d):
		return d, errNone()
	case c.matter().Party(v, c.Staff):
		return d, standing.Party.May(standing.HandleCase)
	}
	return d, nil
}

var words = map[Status]string{Upheld: "it was decided for the member", Rejected: "it was decided against the member", Withdrawn: "the member took it back"}

// work is a step that one of Support takes in a case.
type work struct {
	Case
	decide func(Dispute, *after) (proto.Message, error)
}

// Streams implements event.Command.
func (c work) Streams() []string { return c.streams() }

// Accounts implements event.Command.
func (work) Accounts() []string { return nil }

// Decide implements event.Command.
func (c work) Decide(v event.View) ([]event.Draft, error) {
	d, err := c.read(v)
	if err != nil {
		return nil, err
	}
	and := &after{v: v, id: c.DisputeID, d: d}
	m, err := c.decide(d, and)
	if err != nil {
		return nil, err
	}
	return append([]event.Draft{event.On(Stream(c.DisputeID), m)}, and.drafts...), nil
}

// Take has somebody take a case, also one that another has. Of two who looked at it at once one takes it.
func Take(c Case) event.Command {
	return work{c, func(d Dispute, _ *after) (proto.Message, error) {
		switch {
		case d.Staff == c.Staff && !d.Waits():
			return nil, fault.New(fault.Conflict, "You have this case already.")
		case c.Version != 0 && c.Version != d.Version:
			return nil, fault.New(fault.Conflict, "Somebody else has taken this case. Look at it again before you take it over.")
		case d.Status == InfoRequested:
			return nil, fault.New(fault.Conflict, "The member is asked something. Take the case once they have answered.")
		}
		return &nairav1.DisputeTaken{DisputeId: c.DisputeID, UserId: c.User, StaffId: c.Staff}, nil
	}}
}

// Has reports whether a person still has the case in which they proposed something, or nobody else does. Earlier builds
// did not ask.
func (d Dispute) Has(v event.View, staff string) bool {
	_, earlier := v.(standing.Earlier)
	return earlier || d.Waits() || d.Staff == staff
}

// ErrTakenOver is the refusal to agree to what somebody proposed who does not have the case any more.
func ErrTakenOver() *fault.Fault {
	return fault.New(fault.Conflict, "Another person has this case now, so what was proposed in it has ended.")
}

// has refuses whoever does not have the case.
func (c Case) has(d Dispute) error {
	if d.Waits() || d.Staff != c.Staff {
		return fault.New(fault.Conflict, "Take the case first.")
	}
	return nil
}

// Ask asks the member something.
func Ask(c Case, words *nairav1.Words, now time.Time) event.Command {
	return work{c, func(d Dispute, _ *after) (proto.Message, error) {
		if err := c.has(d); err != nil {
			return nil, err
		}
		if d.Status == InfoRequested {
			return nil, fault.New(fault.Conflict, "The member is asked something already, until %s.", lagos.Date(d.AnswerBy))
		}
		return &nairav1.DisputeAsked{DisputeId: c.DisputeID, UserId: c.User, StaffId: c.Staff, Words: words, AnswerBy: timestamppb.New(now.Add(AnswerIn))}, nil
	}}
}

// EventsMax is how many events an outcome may name.
const EventsMax = 20

// Resolve decides a case. It may be decided while the member is asked something: what was missing may have come by
// another way.
func Resolve(c Case, upheld bool, words *nairav1.Words, eventIDs []string, now time.Time) event.Command {
	return standing.Decides(c.Staff, standing.Resolve, work{c, func(d Dispute, and *after) (proto.Message, error) {
		if err := c.has(d); err != nil {
			return nil, err
		}
		if len(eventIDs) > EventsMax {
			return nil, fault.Field("events", "Name at most %d entries.", EventsMax)
		}
		and.ends(nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_DECIDED, !upheld)
		resolved := &nairav1.DisputeResolved{DisputeId: c.DisputeID, UserId: c.User, StaffId: c.Staff, Upheld: upheld, Words: words, EventIds: eventIDs}
		if !d.WasReopened {
			resolved.ReopenUntil = timestamppb.New(now.Add(ReopenIn))
		}
		return resolved, nil
	}})
}

// tick is what the clock does to a dispute.
type tick struct {
	id, sub string
	now     time.Time
}

// Tick records which clocks of a dispute have run out: those of Adashi, each once, the member's time to answer, and how
// long money of its sub-account is held.
func Tick(disputeID, sub string, now time.Time) event.Command { return tick{disputeID, sub, now} }

// Streams implements event.Command.
func (c tick) Streams() []string { return append(heldIn(c.sub), Stream(c.id)) }

// Accounts implements event.Command.
func (tick) Accounts() []string { return nil }

// Decide implements event.Command.
func (c tick) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[Dispute](v, Stream(c.id))
	if !d.IsOpen() || d.SubAccount != c.sub {
		return nil, fault.New(fault.Conflict, "This dispute is over.")
	}
	var drafts []event.Draft
	add := func(m proto.Message) { drafts = append(drafts, event.On(Stream(c.id), m)) }
	if d.Status == InfoRequested && !c.now.Before(d.AnswerBy) {
		m := d.answered(v, c.id, nil, c.now)
		add(m)
		d.Status, d.DecideBy = Investigating, m.GetDecideBy().AsTime()
	}
	late := func(clock nairav1.DisputeClock, due time.Time) {
		add(&nairav1.DisputeOverdue{DisputeId: c.id, UserId: d.User, Clock: clock, Due: timestamppb.New(due)})
	}
	if d.Waits() && !d.LateToTake && c.now.After(d.AcknowledgeBy) {
		late(nairav1.DisputeClock_DISPUTE_CLOCK_ACKNOWLEDGE, d.AcknowledgeBy)
	}
	by := d.DecideBy
	if d.Status == InfoRequested { // The clock stands still only as long as it may.
		by = by.Add(d.mayStand(v))
	}
	if !d.LateToEnd && c.now.After(by) {
		late(nairav1.DisputeClock_DISPUTE_CLOCK_DECIDE, by)
	}
	if held, is := heldBy(v, c.id, d); is && !c.now.Before(held.Until) {
		drafts = append(drafts, freed(c.id, d, nairav1.DisputeHoldEnd_DISPUTE_HOLD_END_EXPIRED))
	}
	if len(drafts) == 0 {
		return nil, fault.New(fault.Conflict, "No clock of this dispute has run out.")
	}
	return drafts, nil
}
