package timemachine

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	Replay        = contract.Replay
	ReplayAccount = contract.ReplayAccount
	ReplayEntry   = contract.ReplayEntry
	ReplayState   = contract.ReplayState
	ReplayStep    = contract.ReplayStep
	ReplaySteps   = contract.ReplaySteps
	ReplaySubject = contract.ReplaySubject
)

// Their values.
const (
	AJO    = contract.ReplaySubjectAJO
	GROUP  = contract.ReplaySubjectGROUP
	MEMBER = contract.ReplaySubjectMEMBER
)
