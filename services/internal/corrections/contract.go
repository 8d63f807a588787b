package corrections

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	CasePage          = contract.CasePage
	Correction        = contract.Correction
	CorrectionEntry   = contract.CorrectionEntry
	CorrectionEvent   = contract.CorrectionEvent
	CorrectionPreview = contract.CorrectionPreview
	CorrectionState   = contract.CorrectionState
	CorrectionStatus  = contract.CorrectionStatus
	CorrectionStep    = contract.CorrectionStep
	CorrectionKind    = contract.CorrectionStepKind
)
