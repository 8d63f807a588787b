package finance

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	Debt                        = contract.Debt
	DebtPage                    = contract.DebtPage
	DecideWriteOffRequest       = contract.DecideWriteOffRequest
	LockedCards                 = contract.LockedCards
	WriteOffProposal            = contract.WriteOffProposal
	DecideUnmatchedRequest      = contract.DecideUnmatchedRequest
	FinanceMember               = contract.FinanceMember
	LikelyPayment               = contract.LikelyPayment
	MoneyClaim                  = contract.MoneyClaim
	ProposeReturnRequest        = contract.ProposeReturnRequest
	ProposeSendBackRequest      = contract.ProposeSendBackRequest
	ProposeUnmatchedRequest     = contract.ProposeUnmatchedRequest
	RailChannel                 = contract.RailChannel
	RailReserves                = contract.RailReserves
	Reconciliation              = contract.Reconciliation
	ReconciliationItem          = contract.ReconciliationItem
	ReconciliationItemDirection = contract.ReconciliationItemDirection
	ReconciliationItemKind      = contract.ReconciliationItemKind
	ReconciliationPage          = contract.ReconciliationPage
	ReconciliationTrigger       = contract.ReconciliationTrigger
	Reserves                    = contract.Reserves
	SendBack                    = contract.SendBack
	SendBackState               = contract.SendBackState
	SettleHeldRequest           = contract.SettleHeldRequest
	Unmatched                   = contract.Unmatched
	UnmatchedPage               = contract.UnmatchedPage
	SetMemberTierRequest        = contract.SetMemberTierRequest
	UnmatchedProposal           = contract.UnmatchedProposal
	UnmatchedStatus             = contract.UnmatchedStatus
)

// Their values.
const (
	AMOUNTDIFFERS                  = contract.AMOUNTDIFFERS
	BANKONLY                       = contract.BANKONLY
	INTRANSIT                      = contract.INTRANSIT
	LEDGERONLY                     = contract.LEDGERONLY
	ReconciliationItemDirectionIN  = contract.ReconciliationItemDirectionIN
	ReconciliationItemDirectionOUT = contract.ReconciliationItemDirectionOUT
	ReconciliationTriggerDAILY     = contract.ReconciliationTriggerDAILY
	TIMEAHEAD                      = contract.TIMEAHEAD
)
