package standingorders

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	CreateStandingOrderRequest = contract.CreateStandingOrderRequest
	StandingFrequency          = contract.StandingFrequency
	StandingOrder              = contract.StandingOrder
	StandingOrderStatus        = contract.StandingOrderStatus
	StandingRun                = contract.StandingRun
)

// Their values.
const (
	StandingRunOutcomeMISSED = contract.StandingRunOutcomeMISSED
	StandingRunOutcomePAID   = contract.StandingRunOutcomePAID
)
