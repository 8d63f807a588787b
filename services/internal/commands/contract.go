package commands

import contract "adashi.ng/proto/gen/httpapi"

// What is answered here, in the contract's own shapes; no other file of the package knows the contract.
type (
	CommandOutcome = contract.CommandOutcome
	CommandRefusal = contract.CommandRefusal
)

// How far a command is.
const (
	DONE    = contract.CommandStateDONE
	REFUSED = contract.CommandStateREFUSED
	UNKNOWN = contract.CommandStateUNKNOWN
	PARTLY  = contract.CommandStatePARTLY
)
