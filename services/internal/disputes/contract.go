package disputes

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	AddEvidenceRequest = contract.AddEvidenceRequest
	BankAnswerStatus   = contract.BankAnswerStatus
	Case               = contract.Case
	CaseAjoDue         = contract.CaseAjoDue
	CaseName           = contract.CaseName
	CasePage           = contract.CasePage
	CaseRow            = contract.CaseRow
	CaseSubAccount     = contract.CaseSubAccount
	CaseRowPlan        = contract.CaseRowPlan
	CasePlan           = contract.CasePlan
	Dispute            = contract.Dispute
	DisputeDraft       = contract.DisputeDraft
	DisputeDraftFile   = contract.DisputeDraftFile
	DisputeDraftForm   = contract.DisputeDraftForm
	DisputeHold        = contract.DisputeHold
	DisputeHoldStatus  = contract.DisputeHoldStatus
	DisputeKind        = contract.DisputeKind
	DisputePage        = contract.DisputePage
	DisputeRow         = contract.DisputeRow
	DisputeStatus      = contract.DisputeStatus
	DisputeStep        = contract.DisputeStep
	DisputeStepBy      = contract.DisputeStepBy
	DisputeStepKind    = contract.DisputeStepKind
	Freeze             = contract.Freeze
	MoneyFind          = contract.MoneyFind
	MoneyFinds         = contract.MoneyFinds
	OpenDisputeRequest = contract.OpenDisputeRequest
	ReplaySubject      = contract.ReplaySubject
	ResolveCaseRequest = contract.ResolveCaseRequest
	SearchMoneyRequest = contract.SearchMoneyRequest
	UnmaskRequest      = contract.UnmaskRequest
)

// Their values.
const (
	AJO       = contract.ReplaySubjectAJO
	ARRIVED   = contract.MoneyFindWhatARRIVED
	BANK      = contract.DisputeStepByBANK
	CARD      = contract.DisputeKindCARD
	CLOCK     = contract.DisputeStepByCLOCK
	GROUP     = contract.ReplaySubjectGROUP
	MEMBER    = contract.DisputeStepByMEMBER
	Member    = contract.ReplaySubjectMEMBER
	SUPPORT   = contract.DisputeStepBySUPPORT
	UNMATCHED = contract.MoneyFindWhatUNMATCHED
	WAITING   = contract.MoneyFindWhatWAITING
)
