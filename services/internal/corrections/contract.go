package corrections

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
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

// The edits that a lab can make.
const (
	ABSENT = contract.LabEditKindABSENT
	AMOUNT = contract.LabEditKindAMOUNT
	MOVED  = contract.LabEditKindMOVED
	PAID   = contract.LabEditKindPAID
)

// The kinds of steps that a lab can result in.
const (
	ADJUST  = contract.ADJUST
	ASSIGN  = contract.ASSIGN
	PAYDUE  = contract.PAYDUE
	REVERSE = contract.REVERSE
	WAIVE   = contract.WAIVE
)
