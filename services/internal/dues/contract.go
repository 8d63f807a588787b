package dues

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	CoverRequest        = contract.CoverRequest
	DecideWaiverRequest = contract.DecideWaiverRequest
	DueView             = contract.Due
	GridCell            = contract.GridCell
	GridCellStatus      = contract.GridCellStatus
	GridPeriod          = contract.GridPeriod
	GridRow             = contract.GridRow
	GroupCharts         = contract.GroupCharts
	GroupMonth          = contract.GroupMonth
	GroupPayment        = contract.GroupPayment
	GroupPaymentChannel = contract.GroupPaymentChannel
	GroupSubAccounts    = contract.GroupSubAccounts
	MemberPayment       = contract.MemberPayment
	OnePayment          = contract.OnePayment
	OwingMember         = contract.OwingMember
	PaymentFrequency    = contract.PaymentFrequency
	PaymentGrid         = contract.PaymentGrid
	PaymentHistoryPage  = contract.PaymentHistoryPage
	PaymentReceipt      = contract.PaymentReceipt
	PaymentType         = contract.PaymentType
	Saver               = contract.Saver
	Settlement          = contract.Settlement
	SubAccount          = contract.SubAccount
	UnsettledPage       = contract.UnsettledPage
	UnsettledPayments   = contract.UnsettledPayments
	Waiver              = contract.Waiver
	WaiverKind          = contract.WaiverKind
	WaiverPage          = contract.WaiverPage
	WaiverRequest       = contract.WaiverRequest
	WaiverStatus        = contract.WaiverStatus
)

// Their values.
const (
	DueStatusDUE     = contract.DueStatusDUE
	DueStatusOVERDUE = contract.DueStatusOVERDUE
	DueStatusPARTIAL = contract.DueStatusPARTIAL
)
