package activity

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
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
