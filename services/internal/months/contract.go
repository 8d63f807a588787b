package months

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	AttestKey         = contract.AttestKey
	AttestKeyRequest  = contract.AttestKeyRequest
	AttestKeys        = contract.AttestKeys
	AttestRequest     = contract.AttestMonthRequest
	Beacon            = contract.AjoDrawBeacon
	Device            = contract.AttestDevice
	CloseMonthRequest = contract.CloseMonthRequest
	ClosedMonth       = contract.ClosedMonth
	ClosedMonthStatus = contract.ClosedMonthStatus
	MonthAttestation  = contract.MonthAttestation
	MonthDraw         = contract.MonthDraw
	MonthToClose      = contract.MonthToClose
	Months            = contract.Months
	MonthsKind        = contract.MonthsKind
)

// Their values.
const (
	ATTESTED = contract.ATTESTED
	DRAWN    = contract.DRAWN
	NAMED    = contract.NAMED
	AJO      = contract.MonthsKindAJO
	GROUP    = contract.MonthsKindGROUP
)
