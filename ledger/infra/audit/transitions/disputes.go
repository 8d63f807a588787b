package transitions

import nairav1 "adashi.ng/proto/gen/naira/v1"

// A dispute waits (created), is investigated (active), waits for its member (pending) and is decided: the first time
// (validated) it may be reopened once, and then for good (approved).
var disputes = of(
	on[*nairav1.DisputeOpened](created, Nothing),
	on[*nairav1.CardDisputeTold](created, Nothing),
	on[*nairav1.DisputeTaken](active, created, active),
	on[*nairav1.DisputeAsked](pending, active),
	on[*nairav1.DisputeAnswered](active, pending),
	stays[*nairav1.DisputeEvidenceAdded](),
	stays[*nairav1.DisputeOverdue](),
	stays[*nairav1.DisputeHoldAsked](),
	stays[*nairav1.DisputeHoldAllowed](),
	stays[*nairav1.CardAnswerDue](),
	on[*nairav1.CardDisputeEnded](approved, created, active, pending, validated, approved),
	when(func(m *nairav1.DisputeResolved) step {
		if m.GetReopenUntil() == nil {
			return step{to: approved, from: []Stage{active, pending}}
		}
		return step{to: validated, from: []Stage{active, pending}}
	}),
	on[*nairav1.DisputeReopened](created, validated),
	on[*nairav1.DisputeWithdrawn](ended, created, active, pending),
)

// A correction is proposed (created), approved, and then applied or stale (ended); a declined one is ended too. A
// dispute may have another one after that. The adjusting events come beside the event that applies it.
var corrections = of(
	on[*nairav1.CorrectionProposedV2](created, Nothing, ended),
	when(func(m *nairav1.CorrectionApproved) step {
		if m.GetApprovals() >= m.GetNeeded() {
			return step{to: approved, from: []Stage{created}}
		}
		return step{to: created, from: []Stage{created}}
	}),
	on[*nairav1.CorrectionDeclined](ended, created),
	on[*nairav1.CorrectionApplied](ended, approved),
	on[*nairav1.CorrectionStale](ended, approved),
	on[*nairav1.AdjustmentPosted](ended, ended),
)

var adjusted = of(on[*nairav1.AdjustmentCounted](active, Nothing, active))

// An answer to a card's bank by which the payer gets money back waits for an Admin (created). Next it is approved, then
// sent (pending), and then the gateway has it (confirmed) or not (failed). After a failed answer, or one that was
// dropped (ended), another may be given.
var cardAnswers = of(
	when(func(m *nairav1.CardAnswerGiven) step {
		if m.GetAccepted() {
			return step{to: created, from: []Stage{Nothing, ended, failed}}
		}
		return step{to: approved, from: []Stage{Nothing, ended, failed}}
	}),
	on[*nairav1.CardAnswerAgreed](approved, created),
	on[*nairav1.CardAnswerDropped](ended, created),
	on[*nairav1.CardAnswerSent](pending, approved),
	on[*nairav1.CardAnswerTaken](confirmed, pending),
	on[*nairav1.CardAnswerFailed](failed, approved, pending),
)

var openDisputes = of(on[*nairav1.DisputeCounted](active, Nothing, active), stays[*nairav1.DisputeHoldRejected]())

// Several disputes may hold money of one sub-account at a time.
var disputedMoney = of(on[*nairav1.DisputedMoneyHeld](active, Nothing, active), stays[*nairav1.DisputedMoneyFreed]())
