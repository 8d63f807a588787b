package months

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
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
