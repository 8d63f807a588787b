package activity

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	Balances        = contract.Balances
	Dashboard       = contract.Dashboard
	Entry           = contract.Entry
	MonthFlow       = contract.MonthFlow
	MonthTotal      = contract.MonthTotal
	Movement        = contract.Movement
	MovementChannel = contract.MovementChannel
	MovementDetail  = contract.MovementDetail
	MovementKind    = contract.MovementKind
	MovementPage    = contract.MovementPage
	Receipt         = contract.Receipt
	ReceiptFacts    = contract.ReceiptFacts
	Settlement      = contract.Settlement
	StatementFacts  = contract.StatementFacts
	StoryStep       = contract.StoryStep
)

// Their values.
const (
	CREDIT                   = contract.CREDIT
	DEBIT                    = contract.DEBIT
	MovementDirectionIN      = contract.MovementDirectionIN
	MovementDirectionOUT     = contract.MovementDirectionOUT
	ReceiptFactsDirectionIN  = contract.ReceiptFactsDirectionIN
	ReceiptFactsDirectionOUT = contract.ReceiptFactsDirectionOUT
	StoryStepStepCONFIRMED   = contract.StoryStepStepCONFIRMED
	StoryStepStepINITIATED   = contract.StoryStepStepINITIATED
	StoryStepStepPOSTED      = contract.StoryStepStepPOSTED
	StoryStepStepQUERIED     = contract.StoryStepStepQUERIED
	StoryStepStepVALIDATED   = contract.StoryStepStepVALIDATED
	StoryStepStepWAITING     = contract.StoryStepStepWAITING
)
