package payouts

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
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
