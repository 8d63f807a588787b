package liquidation

import (
	"slices"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
)

// Object has a member say that a payment of the group should be looked at again. ObjectionsNeeded of them put it on
// hold.
func Object(of Of, by, said string, now time.Time) event.Command {
	return step{Of: of, by: by, says: &said, object: maySee, decide: func(l Liquidation, _ savings.Group, reason string) (proto.Message, Status, error) {
		if err := objects(l, by, now); err != nil {
			return nil, "", err
		}
		objections, after := len(l.Objections)+1, l.Status
		if objections >= ObjectionsNeeded {
			after = OnHold
		}
		return &nairav1.LiquidationObjected{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, ObjectedBy: by, Reason: reason,
			Objections: int32(objections), Needed: ObjectionsNeeded, Stage: stages[l.Status],
		}, after, nil
	}}
}

// HeldForCase is that a payment which still waits is on hold since a case about it was decided for its member; nil
// where it is on hold, with the bank or over. No member objects in it: the approvers answer as they answer objections.
func HeldForCase(of Of, l Liquidation) proto.Message {
	stage, waits := stages[l.Status]
	if !waits || len(l.References) > 0 {
		return nil
	}
	return &nairav1.LiquidationObjected{
		LiquidationId: of.LiquidationID, GroupId: of.GroupID, Reason: "Adashi looked into a dispute about this payment and found for the member.",
		Objections: ObjectionsNeeded, Needed: ObjectionsNeeded, Stage: stage,
	}
}

// stages are the statuses in which a request can be put on hold.
var stages = map[Status]nairav1.LiquidationStage{
	Requested: nairav1.LiquidationStage_LIQUIDATION_STAGE_REQUESTED, Validated: nairav1.LiquidationStage_LIQUIDATION_STAGE_VALIDATED,
	Approved: nairav1.LiquidationStage_LIQUIDATION_STAGE_APPROVED,
}

// silence is how long before a request its asker and its deciders cannot have made a member inactive to keep them
// quiet.
const silence = 30 * 24 * time.Hour

// Concerns reports whether a payment of the group is a member's business: they were active when it was asked for. A
// member who was made inactive since keeps their word, and so does one whom the asker or a decider of the request made
// inactive within the 30 days before: otherwise they could silence the others first.
func (l Liquidation) Concerns(m savings.Member) bool {
	decide := slices.Concat([]string{l.RequestedBy}, l.Deciders.Validators, l.Deciders.Approvers)
	return m.ActiveAt(l.RequestedAt) || m.SilencedBy(decide, silence, l.RequestedAt)
}

func maySee(l Liquidation, m savings.Member) error {
	if !l.Concerns(m) {
		return fault.New(fault.Forbidden, "Those who were active members when this was asked for can object.")
	}
	return nil
}

// objects refuses an objection. Members object once, until a payment is approved and its notice is over.
func objects(l Liquidation, by string, now time.Time) error {
	_, open := stages[l.Status]
	switch {
	case l.Withdrawal():
		return fault.New(fault.Conflict, "This is a member's own savings. Members object to payments of the group.")
	case by == l.RequestedBy:
		return fault.New(fault.Forbidden, "You asked for this. You may cancel it.")
	case l.Answered:
		return fault.New(fault.Conflict, "The approvers have answered those who objected. If you still think it is wrong, contact us.")
	case l.Status == OnHold:
		return fault.New(fault.Conflict, "This payment is on hold already, and waits for the approvers' answer.")
	case !open || l.Status == Approved && (!now.Before(l.PayableFrom) || len(l.References) > 0):
		return fault.New(fault.Conflict, "It is too late to object: this request %s.", became[l.Status])
	case slices.Contains(l.Objections, by):
		return fault.New(fault.Conflict, "You have objected already. One more member puts it on hold.")
	}
	return nil
}

// Answer has an approver answer the members who put a payment on hold. Once as many have answered as it needs approvals
// it goes on, and waits for the group's notice anew.
func Answer(of Of, by, said string, now time.Time) event.Command {
	return step{Of: of, by: by, says: &said, act: standing.AnswerObjections, decide: func(l Liquidation, g savings.Group, reason string) (proto.Message, Status, error) {
		switch err := answers(l, g, by); {
		case err != nil:
			return nil, "", err
		case slices.Contains(l.Answers, by):
			return nil, "", fault.New(fault.Conflict, "You have answered already. Another approver must answer too.")
		}
		given, needed, after := len(l.Answers)+1, max(1, Needed(g, l)), OnHold
		answered := &nairav1.LiquidationAnswered{
			LiquidationId: of.LiquidationID, GroupId: of.GroupID, AnsweredBy: by, Reason: reason,
			Answers: int32(given), Needed: int32(needed), Stage: stages[l.Before],
		}
		if given >= needed {
			after = l.Before
			from := now.Add(max(g.Notice.At(now), savings.DefaultNotice*time.Hour))
			if from.Before(l.PayableFrom) {
				from = l.PayableFrom
			}
			answered.PayableFrom = timestamppb.New(from)
		}
		return answered, after, nil
	}}
}

// answers refuses whoever may not answer for a payment that is on hold.
func answers(l Liquidation, g savings.Group, by string) error {
	switch {
	case l.Status != OnHold:
		return fault.New(fault.Conflict, "This payment is not on hold.")
	case by == l.RequestedBy:
		return standing.Own.May(standing.AnswerObjections)
	case !l.mayApprove(g, by):
		return fault.New(fault.Forbidden, "The approvers who decide on this payment answer those who objected.")
	}
	return nil
}
