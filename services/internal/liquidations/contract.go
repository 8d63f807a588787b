package liquidations

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	Liquidation         = contract.Liquidation
	LiquidationDeciders = contract.LiquidationDeciders
	LiquidationKind     = contract.LiquidationKind
	LiquidationMay      = contract.LiquidationMay
	LiquidationPage     = contract.LiquidationPage
	LiquidationQuote    = contract.LiquidationQuote
	LiquidationStatus   = contract.LiquidationStatus
	StoryStep           = contract.StoryStep
)

// Their values.
const (
	GROUPDISBURSEMENT      = contract.GROUPDISBURSEMENT
	MEMBERWITHDRAWAL       = contract.MEMBERWITHDRAWAL
	StoryStepStepANSWERED  = contract.StoryStepStepANSWERED
	StoryStepStepAPPROVED  = contract.StoryStepStepAPPROVED
	StoryStepStepCANCELLED = contract.StoryStepStepCANCELLED
	StoryStepStepCONFIRMED = contract.StoryStepStepCONFIRMED
	StoryStepStepEXPIRED   = contract.StoryStepStepEXPIRED
	StoryStepStepFAILED    = contract.StoryStepStepFAILED
	StoryStepStepINITIATED = contract.StoryStepStepINITIATED
	StoryStepStepOBJECTED  = contract.StoryStepStepOBJECTED
	StoryStepStepREJECTED  = contract.StoryStepStepREJECTED
	StoryStepStepRELEASED  = contract.StoryStepStepRELEASED
	StoryStepStepRETURNED  = contract.StoryStepStepRETURNED
	StoryStepStepSENT      = contract.StoryStepStepSENT
	StoryStepStepVALIDATED = contract.StoryStepStepVALIDATED
	DISPUTED               = contract.StoryStepStepDISPUTED
	UNDISPUTED             = contract.StoryStepStepUNDISPUTED
	DISPUTE                = contract.LiquidationMayDISPUTE
)
