package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

var liquidations = of(
	on[*nairav1.LiquidationRequestedV2](initiated, Nothing),
	on[*nairav1.LiquidationAskedV2](initiated, Nothing),
	on[*nairav1.LiquidationDecidersFixed](initiated, initiated),
	on[*nairav1.LiquidationFunded](validated, validated),
	on[*nairav1.LiquidationValidated](validated, initiated),
	when(func(m *nairav1.LiquidationApproved) step {
		if m.GetApprovals() < m.GetNeeded() {
			return step{to: validated, from: []Stage{validated}}
		}
		return step{to: approved, from: []Stage{validated}}
	}),
	when(func(m *nairav1.LiquidationRejected) step {
		if m.GetInValidation() {
			return step{to: ended, from: []Stage{initiated}}
		}
		return step{to: ended, from: []Stage{heldRequested, heldValidated, heldApproved, validated}}
	}),
	on[*nairav1.LiquidationCancelled](ended, heldRequested, heldValidated, heldApproved, initiated, validated, approved),
	on[*nairav1.LiquidationExpired](ended, heldRequested, heldValidated, heldApproved, initiated, validated),
	when(func(m *nairav1.LiquidationObjected) step {
		stood, hold := heldAt(m.GetStage())
		if m.GetObjections() < m.GetNeeded() {
			return step{to: stood, from: []Stage{stood}}
		}
		return step{to: hold, from: []Stage{stood}}
	}),
	when(func(m *nairav1.LiquidationAnswered) step {
		stood, hold := heldAt(m.GetStage())
		if m.GetAnswers() < m.GetNeeded() {
			return step{to: hold, from: []Stage{hold}}
		}
		return step{to: stood, from: []Stage{hold}}
	}),
	// From here on the bank has the order.
	on[*nairav1.LiquidationSent](pending, approved, retried),
	on[*nairav1.LiquidationPaidV2](confirmed, pending, failed, retried), // Also one that seemed to have failed.
	on[*nairav1.LiquidationFailed](failed, approved, retried, pending),
	on[*nairav1.LiquidationRetried](retried, failed),
	on[*nairav1.LiquidationReleased](ended, failed),
	on[*nairav1.LiquidationReversedV3](reversed, confirmed),
)

// heldAt is a stage of a request, and the stage of being on hold there.
func heldAt(s nairav1.LiquidationStage) (stood, hold Stage) {
	switch s {
	case nairav1.LiquidationStage_LIQUIDATION_STAGE_REQUESTED:
		return initiated, heldRequested
	case nairav1.LiquidationStage_LIQUIDATION_STAGE_VALIDATED:
		return validated, heldValidated
	default:
		return approved, heldApproved
	}
}

var openRequests = of(on[*nairav1.RequestsCounted](active, Nothing, active))

// An auditor validates a payment, and may take that back, or queries it, even after validating it. A queried payment is
// discussed and then resolved.
var marks = of(
	when(func(m *nairav1.PaymentMarkedV2) step { return marking(m.GetMark()) }),
	when(func(m *nairav1.AjoPaymentMarkedV2) step { return marking(m.GetMark()) }),
	on[*nairav1.PaymentUnmarked](initiated, validated),
	on[*nairav1.AjoPaymentUnmarked](initiated, validated),
	on[*nairav1.QuestionAnswered](pending, pending),
	on[*nairav1.QuestionFileAdded](pending, pending),
	on[*nairav1.QuestionAskedV2](pending, pending),
	on[*nairav1.RecheckAsked](validated, validated),
	on[*nairav1.RecheckAgreed](validated, validated),
)

func marking(mark nairav1.Mark) step {
	switch mark {
	case nairav1.Mark_MARK_VALIDATED:
		return step{to: validated, from: []Stage{Nothing, initiated}}
	case nairav1.Mark_MARK_QUERIED:
		return step{to: pending, from: []Stage{Nothing, initiated, validated}}
	case nairav1.Mark_MARK_RESOLVED:
		return step{to: ended, from: []Stage{pending}}
	default:
		return step{} // Never allowed.
	}
}
