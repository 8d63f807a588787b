package membership

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	Due        = contract.Due
	DueStatus  = contract.DueStatus
	Group      = contract.Group
	GroupAudit = contract.GroupAudit
	GroupRole  = contract.GroupRole
	Member     = contract.Member
)

// Their values.
const (
	DueStatusDUE        = contract.DueStatusDUE
	DueStatusOVERDUE    = contract.DueStatusOVERDUE
	DueStatusPAID       = contract.DueStatusPAID
	DueStatusPARTIAL    = contract.DueStatusPARTIAL
	DueStatusSCHEDULED  = contract.DueStatusSCHEDULED
	DueStatusWAIVED     = contract.DueStatusWAIVED
	DueStatusWRITTENOFF = contract.DueStatusWRITTENOFF
	GroupRoleAPPROVER   = contract.GroupRoleAPPROVER
	GroupRoleMEMBER     = contract.GroupRoleMEMBER
	GroupRoleOWNER      = contract.GroupRoleOWNER
	GroupRoleVALIDATOR  = contract.GroupRoleVALIDATOR
)
