package groups

import contract "adashi.ng/proto/gen/httpapi"

// The requests and replies of this package. They are the contract's own types, because copying them field by field
// would add nothing; no other file of the package imports the contract.
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
