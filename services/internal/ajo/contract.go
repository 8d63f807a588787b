package ajo

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	Ajo                      = contract.Ajo
	AjoBeaconRequest         = contract.AjoBeaconRequest
	AjoBid                   = contract.AjoBid
	AjoBidOpened             = contract.AjoBidOpened
	AjoCard                  = contract.AjoCard
	AjoCardFill              = contract.AjoCardFill
	AjoCardFrequency         = contract.AjoCardFrequency
	AjoCardStatus            = contract.AjoCardStatus
	AjoCollecting            = contract.AjoCollecting
	AjoCollectorRequest      = contract.AjoCollectorRequest
	AjoConsent               = contract.AjoConsent
	AjoContribution          = contract.AjoContribution
	AjoCycle                 = contract.AjoCycle
	AjoCycleStatus           = contract.AjoCycleStatus
	AjoDebt                  = contract.AjoDebt
	AjoDebtKind              = contract.AjoDebtKind
	AjoDestinationKind       = contract.AjoDestinationKind
	AjoDrawProof             = contract.AjoDrawProof
	AjoDrawSource            = contract.AjoDrawSource
	AjoDueLine               = contract.AjoDueLine
	AjoDueLineStatus         = contract.AjoDueLineStatus
	AjoDues                  = contract.AjoDues
	AjoFrequency             = contract.AjoFrequency
	AjoHistoryLine           = contract.AjoHistoryLine
	AjoHistoryLineKind       = contract.AjoHistoryLineKind
	AjoHistoryPage           = contract.AjoHistoryPage
	AjoHistoryRequest        = contract.AjoHistoryRequest
	AjoHolder                = contract.AjoHolder
	AjoInvitation            = contract.AjoInvitation
	AjoKind                  = contract.AjoKind
	AjoMe                    = contract.AjoMe
	AjoMember                = contract.AjoMember
	AjoMotion                = contract.AjoMotion
	AjoMotionKind            = contract.AjoMotionKind
	AjoMotionRequest         = contract.AjoMotionRequest
	AjoOrderKind             = contract.AjoOrderKind
	AjoPast                  = contract.AjoPast
	AjoPastWord              = contract.AjoPastWord
	AjoPayRequest            = contract.AjoPayRequest
	AjoPaymentDto            = contract.AjoPaymentDto
	AjoPayout                = contract.AjoPayout
	AjoPayoutRequest         = contract.AjoPayoutRequest
	AjoPayoutStatus          = contract.AjoPayoutStatus
	AjoPreview               = contract.AjoPreview
	AjoRefusalKind           = contract.AjoRefusalKind
	AjoRefusalLine           = contract.AjoRefusalLine
	AjoRefusalRequest        = contract.AjoRefusalRequest
	AjoRoundPaid             = contract.AjoRoundPaid
	AjoRow                   = contract.AjoRow
	AjoSeat                  = contract.AjoSeat
	AjoSetOffLine            = contract.AjoSetOffLine
	AjoShareLine             = contract.AjoShareLine
	AjoStatus                = contract.AjoStatus
	AjoSwap                  = contract.AjoSwap
	AjoSwapRequest           = contract.AjoSwapRequest
	AjoTermsRequest          = contract.AjoTermsRequest
	AjoVote                  = contract.AjoVote
	BreakAjoCardRequest      = contract.BreakAjoCardRequest
	CreateAjoRequest         = contract.CreateAjoRequest
	FillAjoCardsRequest      = contract.FillAjoCardsRequest
	JoinAjoRequest           = contract.JoinAjoRequest
	OpenAjoCardRequest       = contract.OpenAjoCardRequest
	PaymentReceipt           = contract.PaymentReceipt
	SendAjoInvitationRequest = contract.SendAjoInvitationRequest
	TakeAjoPlaceRequest      = contract.TakeAjoPlaceRequest
)
