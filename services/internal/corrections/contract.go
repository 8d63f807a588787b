package corrections

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	CasePage                = contract.CasePage
	CorrectionOfLab         = contract.CorrectionOfLab
	CorrectionDifference    = contract.CorrectionDifference
	EarlierCorrection       = contract.EarlierCorrection
	EarlierCorrectionStatus = contract.EarlierCorrectionStatus
	LabEdit                 = contract.LabEdit
	LabRequest              = contract.LabRequest
	Correction              = contract.Correction
	CorrectionEntry         = contract.CorrectionEntry
	CorrectionEvent         = contract.CorrectionEvent
	CorrectionPreview       = contract.CorrectionPreview
	CorrectionState         = contract.CorrectionState
	CorrectionStatus        = contract.CorrectionStatus
	CorrectionStep          = contract.CorrectionStep
	CorrectionKind          = contract.CorrectionStepKind
)

// What a lab takes to have been otherwise.
const (
	ABSENT = contract.LabEditKindABSENT
	AMOUNT = contract.LabEditKindAMOUNT
	MOVED  = contract.LabEditKindMOVED
	PAID   = contract.LabEditKindPAID
)

// The kinds of steps that a lab comes to.
const (
	ADJUST  = contract.ADJUST
	ASSIGN  = contract.ASSIGN
	PAYDUE  = contract.PAYDUE
	REVERSE = contract.REVERSE
	WAIVE   = contract.WAIVE
)
