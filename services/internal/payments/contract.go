package payments

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	GenerateReferenceRequest = contract.GenerateReferenceRequest
	MakePaymentRequest       = contract.MakePaymentRequest
	PaymentQuote             = contract.PaymentQuote
	PaymentStart             = contract.PaymentStart
	PaymentStartArrivedIn    = contract.PaymentStartArrivedIn
	PaymentStartStatus       = contract.PaymentStartStatus
	RailChannel              = contract.RailChannel
)

// Where the money of a confirmed payment went.
const (
	InWallet     = contract.PaymentStartArrivedInWALLET
	InSubAccount = contract.PaymentStartArrivedInSUBACCOUNT
	InAjo        = contract.PaymentStartArrivedInAJO
)
