package payments

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	GenerateReferenceRequest = contract.GenerateReferenceRequest
	MakePaymentRequest       = contract.MakePaymentRequest
	PaymentQuote             = contract.PaymentQuote
	PaymentStart             = contract.PaymentStart
	PaymentStartStatus       = contract.PaymentStartStatus
	RailChannel              = contract.RailChannel
)
