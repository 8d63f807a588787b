package audit

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	AuditCoverage       = contract.AuditCoverage
	AuditMonth          = contract.AuditMonth
	AuditPage           = contract.AuditPage
	AuditPayment        = contract.AuditPayment
	AuditPaymentChannel = contract.AuditPaymentChannel
	AuditPaymentKind    = contract.AuditPaymentKind
	Evidence            = contract.Evidence
	MarkPaymentsRequest = contract.MarkPaymentsRequest
	Settlement          = contract.Settlement
)

// Their values.
const (
	AuditMarkUNREVIEWED = contract.AuditMarkUNREVIEWED
)
