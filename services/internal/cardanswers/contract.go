package cardanswers

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	BankAnswer            = contract.BankAnswer
	BankAnswerFile        = contract.BankAnswerFile
	BankAnswerStatus      = contract.BankAnswerStatus
	GiveBankAnswerRequest = contract.GiveBankAnswerRequest
)
