package usecase

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	AuditMark   = contract.AuditMark
	RailChannel = contract.RailChannel
	Settlement  = contract.Settlement
)

// Their values.
const (
	AuditMarkUNREVIEWED = contract.AuditMarkUNREVIEWED
)
