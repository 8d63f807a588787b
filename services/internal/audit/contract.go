package audit

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
type (
	AuditCoverage       = contract.AuditCoverage
	AuditDesk           = contract.AuditDesk
	AuditMark           = contract.AuditMark
	AuditMonth          = contract.AuditMonth
	AuditPage           = contract.AuditPage
	AuditPayment        = contract.AuditPayment
	AuditPaymentKind    = contract.AuditKind
	AuditPlace          = contract.AuditPlace
	AuditQueue          = contract.AuditQueue
	Channel             = contract.AuditChannel
	Evidence            = contract.Evidence
	Oddity              = contract.AuditOddity
	Queue               = contract.AuditQueueName
	State               = contract.AuditState
	MarkPaymentsRequest = contract.MarkPaymentsRequest
	OpenQuestion        = contract.OpenQuestion
	Question            = contract.Question
	QuestionSayRequest  = contract.QuestionSayRequest
	QuestionMessage     = contract.QuestionMessage
	Settlement          = contract.Settlement
)

// Their values.
const (
	AuditMarkUNREVIEWED = contract.AuditMarkUNREVIEWED
	StateANSWERED       = contract.AuditStateANSWERED
	StateRECHECK        = contract.AuditStateRECHECK
	AuditPlaceKindAJO   = contract.AuditPlaceKindAJO
	AuditPlaceKindGROUP = contract.AuditPlaceKindGROUP
	AUDITOR             = contract.QuestionMessageByAUDITOR
	MEMBER              = contract.QuestionMessageByMEMBER
	QueueAJO            = contract.AuditQueueNameAJO
	QueueANSWERED       = contract.AuditQueueNameANSWERED
	QueueDISPUTED       = contract.AuditQueueNameDISPUTED
	QueueODD            = contract.AuditQueueNameODD
	QueueOLDEST         = contract.AuditQueueNameOLDEST
	QueuePAYOUTS        = contract.AuditQueueNamePAYOUTS
	QueueQUERIED        = contract.AuditQueueNameQUERIED
	QueueSAMPLE         = contract.AuditQueueNameSAMPLE
	SideMEMBER          = contract.QuestionSideMEMBER
	SideAUDITOR         = contract.QuestionSideAUDITOR
	SideREADER          = contract.QuestionSideREADER
)
