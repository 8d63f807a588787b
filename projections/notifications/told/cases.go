package told

import "google.golang.org/protobuf/reflect/protoreflect"

// atDesk is the reason for staff, who find the event at their desk.
const atDesk = "sees it at the desk"

// ofCases are the events of disputes, of frozen money and of corrections.
var ofCases = map[protoreflect.Name]Row{
	"DisputeOpened":        tells(tell(DisputeOpened, User)),
	"DisputeCounted":       nobody(counts).not("is told by DisputeOpened or DisputeResolved", User),
	"DisputeTaken":         tells(tell(DisputeTaken, User)).not(did, Staff),
	"DisputeAsked":         tells(tell(DisputeAsked, User)).not(did, Staff),
	"DisputeEvidenceAdded": nobody("waits at the desk").not(did, User),
	"DisputeAnswered":      nobody("waits at the desk").not("answered, or let the time pass", User),
	"DisputeResolved":      tells(tell(DisputeResolved, User)).not(did, Staff),
	"DisputeReopened":      tells(tell(DisputeOpened, User)),
	"DisputeWithdrawn":     nobody("the desk sees it").not(did, User),
	"DisputeOverdue":       tells(tell(DisputeLate, User)),
	"DisputeHoldAsked":     nobody(later("DisputeHoldAllowed")).not(did, User),
	"DisputeHoldAllowed":   tells(tell(DisputeHold, User)).not(did, Staff),
	"DisputeHoldRejected":  nobody(counts).not("is told by DisputeResolved, or took it back", User),
	"DisputedMoneyHeld": tells(tell(LiquidationOnHold, Approvers, Requester, Validator, GroupOwner).but(User)).
		not("asked for it, and is told by DisputeHoldAllowed", User),
	"DisputedMoneyFreed": tells(
		tell(LiquidationOnHold, Approvers, Requester, Validator, GroupOwner).but(User),
		tell(DisputeHold, User).when("its time was over"),
	),

	"OutgoingFrozen":  tells(tell(MoneyFrozen, User)),
	"MoneyClaimed":    nobody(beside("DisputeOpened")).not(did, User),
	"FrozenMoneyHeld": nobody(beside("OutgoingFrozen")).not("is told by OutgoingFrozen", User),
	"ThawAsked":       tells(tell(MoneyThawed, User)),
	"OutgoingThawed":  tells(tell(MoneyThawed, User)),

	"CorrectionProposedV2": nobody(later("CorrectionApplied")).not("is told once it is applied", User, "steps.user_id").not(did, "proposed_by"),
	"CorrectionApproved":   nobody(later("CorrectionApplied")).not("is told once it is applied", User).not(did, "approved_by"),
	"CorrectionDeclined":   nobody("the desk sees it").not("is told how the dispute ends", User).not(did, "declined_by"),
	"CorrectionApplied":    nobody("told by each step, recorded with it").not("is told by its steps, and by DisputeResolved", User),
	"CorrectionStale":      nobody("the desk sees it").not("is told how the dispute ends", User),
	"AdjustmentPosted": tells(
		tell(AdjustmentPaid, User).when("Adashi pays them"),
		tell(AdjustmentTaken, User).when("Adashi takes money back"),
	).not(atDesk, "proposed_by").not(did, "approved_by"),

	"AdjustmentCounted": nobody(counts).not("is told by AdjustmentPosted", User),

	"CardDisputeTold":   tells(tell(CardDisputed, User)),
	"CardDisputeEnded":  tells(tell(CardDisputeOver, User)),
	"CardAnswerGiven":   nobody(later("CardAnswerTaken")).not("is told once the bank has the answer", User).not(did, Staff),
	"CardAnswerAgreed":  nobody(later("CardAnswerTaken")).not("is told once the bank has the answer", User).not(did, "approved_by"),
	"CardAnswerDropped": nobody("nothing was sent").not("is told once the bank has an answer", User).not(did, "declined_by"),
	"CardAnswerSent":    nobody(later("CardAnswerTaken")).not("is told once the bank has the answer", User),
	"CardAnswerTaken":   tells(tell(CardAnswered, User)),
	"CardAnswerFailed":  nobody("the desk gives another answer").not("is told once the bank has an answer", User),
	"CardAnswerDue":     tells(tell(CardAnswerDue, Staff)).not("owes no answer: Adashi does", User),

	"CorrectionProposed": nobody(Earlier),
}
