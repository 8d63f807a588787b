package audit

import (
	"google.golang.org/protobuf/proto"

	nairav1 "adashi.ng/proto/gen/naira/v1"
)

// allowedLiquidation is the transition of an event of a request for money.
func allowedLiquidation(m proto.Message) (step, bool) {
	onHold := []stage{heldRequested, heldValidated, heldApproved}
	switch m := m.(type) {
	case *nairav1.LiquidationRequested, *nairav1.LiquidationAsked:
		return step{[]stage{nothing}, initiated}, true
	case *nairav1.LiquidationDecidersFixed:
		return step{[]stage{initiated}, initiated}, true
	case *nairav1.LiquidationFunded:
		return step{[]stage{validated}, validated}, true
	case *nairav1.LiquidationValidated:
		return step{[]stage{initiated}, validated}, true
	case *nairav1.LiquidationApproved:
		if m.GetApprovals() < m.GetNeeded() {
			return step{[]stage{validated}, validated}, true
		}
		return step{[]stage{validated}, approved}, true
	case *nairav1.LiquidationRejected:
		if m.GetInValidation() {
			return step{[]stage{initiated}, ended}, true
		}
		return step{append(onHold, validated), ended}, true
	case *nairav1.LiquidationCancelled:
		return step{append(onHold, initiated, validated, approved), ended}, true
	case *nairav1.LiquidationExpired:
		return step{append(onHold, initiated, validated), ended}, true
	case *nairav1.LiquidationObjected:
		stood, hold := heldAt(m.GetStage())
		if m.GetObjections() < m.GetNeeded() {
			return step{[]stage{stood}, stood}, true
		}
		return step{[]stage{stood}, hold}, true
	case *nairav1.LiquidationAnswered:
		stood, hold := heldAt(m.GetStage())
		if m.GetAnswers() < m.GetNeeded() {
			return step{[]stage{hold}, hold}, true
		}
		return step{[]stage{hold}, stood}, true
	default:
		return allowedPayout(m)
	}
}

// heldAt is a stage of a request and the one in which it is on hold there.
func heldAt(s nairav1.LiquidationStage) (stood, hold stage) {
	switch s {
	case nairav1.LiquidationStage_LIQUIDATION_STAGE_REQUESTED:
		return initiated, heldRequested
	case nairav1.LiquidationStage_LIQUIDATION_STAGE_VALIDATED:
		return validated, heldValidated
	default:
		return approved, heldApproved
	}
}

// allowedPayout is the transition of a request once the bank is told of it.
func allowedPayout(m proto.Message) (step, bool) {
	switch m.(type) {
	case *nairav1.LiquidationSent:
		return step{[]stage{approved, retried}, pending}, true
	case *nairav1.LiquidationPaid: // Also what was thought to have failed.
		return step{[]stage{pending, failed, retried}, confirmed}, true
	case *nairav1.LiquidationFailed:
		return step{[]stage{approved, retried, pending}, failed}, true
	case *nairav1.LiquidationRetried:
		return step{[]stage{failed}, retried}, true
	case *nairav1.LiquidationReleased:
		return step{[]stage{failed}, ended}, true
	case *nairav1.LiquidationReversed:
		return step{[]stage{confirmed}, reversed}, true
	default:
		return step{}, false
	}
}
