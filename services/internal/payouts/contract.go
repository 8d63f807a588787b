package payouts

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	Payout           = contract.Payout
	PayoutKind       = contract.PayoutKind
	PayoutPage       = contract.PayoutPage
	StoryStep        = contract.StoryStep
	StoryStepStep    = contract.StoryStepStep
	Tier             = contract.Tier
	WalletLimits     = contract.WalletLimits
	Withdrawal       = contract.Withdrawal
	WithdrawalPage   = contract.WithdrawalPage
	WithdrawalQuote  = contract.WithdrawalQuote
	WithdrawalStatus = contract.WithdrawalStatus
)

// Their values.
const (
	PayoutKindLIQUIDATION  = contract.PayoutKindLIQUIDATION
	PayoutKindSENDBACK     = contract.PayoutKindSENDBACK
	PayoutKindWITHDRAWAL   = contract.PayoutKindWITHDRAWAL
	StoryStepStepCONFIRMED = contract.StoryStepStepCONFIRMED
	StoryStepStepFAILED    = contract.StoryStepStepFAILED
	StoryStepStepINITIATED = contract.StoryStepStepINITIATED
	StoryStepStepRETURNED  = contract.StoryStepStepRETURNED
	StoryStepStepSENT      = contract.StoryStepStepSENT
)
