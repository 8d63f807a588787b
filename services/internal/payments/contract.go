package payments

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	GenerateReferenceRequest = contract.GenerateReferenceRequest
	MakePaymentRequest       = contract.MakePaymentRequest
	PaymentQuote             = contract.PaymentQuote
	PaymentStart             = contract.PaymentStart
	PaymentStartArrivedIn    = contract.PaymentStartArrivedIn
	PaymentStartStatus       = contract.PaymentStartStatus
	RailChannel              = contract.RailChannel
)

// The possible destinations of a confirmed payment's money.
const (
	InWallet     = contract.PaymentStartArrivedInWALLET
	InSubAccount = contract.PaymentStartArrivedInSUBACCOUNT
	InAjo        = contract.PaymentStartArrivedInAJO
)
