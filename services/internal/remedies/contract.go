package remedies

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	EarlierEmail         = contract.EarlierEmail
	FindForRemedyRequest = contract.FindForRemedyRequest
	ProposeRemedyRequest = contract.ProposeRemedyRequest
	Remedy               = contract.Remedy
	RemedyKind           = contract.RemedyKind
	RemedyMember         = contract.RemedyMember
)

// Their values.
const (
	ANOTHERBVN = contract.ANOTHERBVN
	GIVEBACK   = contract.GIVEBACK
)
