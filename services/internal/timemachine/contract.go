package timemachine

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	CorrectionEntry = contract.CorrectionEntry
	KeptLab         = contract.KeptLab
	LabAccount      = contract.LabAccount
	LabEdit         = contract.LabEdit
	LabEvent        = contract.LabEvent
	LabLine         = contract.LabLine
	LabLineKind     = contract.LabLineKind
	LabRequest      = contract.LabRequest
	LabResult       = contract.LabResult
	LabState        = contract.LabState
	Replay          = contract.Replay
	ReplayAccount   = contract.ReplayAccount
	ReplayEntry     = contract.ReplayEntry
	ReplayState     = contract.ReplayState
	ReplayStep      = contract.ReplayStep
	ReplaySteps     = contract.ReplaySteps
	ReplaySubject   = contract.ReplaySubject
)

// Their values.
const (
	ABSENT = contract.LabEditKindABSENT
	AMOUNT = contract.LabEditKindAMOUNT
	MOVED  = contract.LabEditKindMOVED
	PAID   = contract.LabEditKindPAID
	AJO    = contract.ReplaySubjectAJO
	GROUP  = contract.ReplaySubjectGROUP
	MEMBER = contract.ReplaySubjectMEMBER
)
