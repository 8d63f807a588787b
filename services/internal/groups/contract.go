package groups

import contract "adashi.ng/proto/gen/httpapi"

// What is taken and answered here. These are plainly the shapes of the contract's requests and replies, so that copying
// them field by field would say nothing; no other file of the package knows the contract.
type (
	AnswerRequest          = contract.AnswerRequest
	BulkMembers            = contract.BulkMembers
	BulkMembersRequest     = contract.BulkMembersRequest
	Due                    = contract.Due
	Group                  = contract.Group
	GroupDetails           = contract.GroupDetails
	GroupDocument          = contract.GroupDocument
	GroupMemberStatus      = contract.GroupMemberStatus
	GroupRow               = contract.GroupRow
	GroupStatus            = contract.GroupStatus
	Invitation             = contract.Invitation
	InvitationMemberStatus = contract.InvitationMemberStatus
	Leaving                = contract.Leaving
	LeavingStake           = contract.LeavingStake
	Member                 = contract.Member
	MemberPage             = contract.MemberPage
	MemberRole             = contract.MemberRole
	MemberStatus           = contract.MemberStatus
	PendingGroupSavings    = contract.PendingGroupSavings
	RefusedMember          = contract.RefusedMember
	SearchView             = contract.SearchView
	Succession             = contract.Succession
	SuccessionVoteRequest  = contract.SuccessionVoteRequest
	WaitingMember          = contract.WaitingMember
)

// Their values.
const (
	BulkMembersRequestActionDEACTIVATE = contract.BulkMembersRequestActionDEACTIVATE
	BulkMembersRequestActionREJECT     = contract.BulkMembersRequestActionREJECT
	GroupRoleAPPROVER                  = contract.GroupRoleAPPROVER
	GroupRoleOWNER                     = contract.GroupRoleOWNER
	MemberRoleMEMBER                   = contract.MemberRoleMEMBER
)
