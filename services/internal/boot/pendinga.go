package boot

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/fault"
)

type pendingA struct{}

func (pendingA) AddGroupMember(_ *echo.Context, _ contract.AddGroupMemberParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) SendSavingsInvitationLink(_ *echo.Context, _ contract.SendSavingsInvitationLinkParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) DeactivateGroupMember(_ *echo.Context, _ contract.DeactivateGroupMemberParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) GetPendingGroupSavings(_ *echo.Context, _ contract.Id, _ contract.GetPendingGroupSavingsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) GetInactiveMembers(_ *echo.Context, _ contract.Id, _ contract.GetInactiveMembersParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) SaveGroupDocument(_ *echo.Context, _ contract.SaveGroupDocumentParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) GetGroupDocuments(_ *echo.Context, _ contract.Id) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) GetMyGroupDocuments(_ *echo.Context) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) RemoveGroupDocument(_ *echo.Context, _ contract.Id, _ contract.RemoveGroupDocumentParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) UpdateBalanceDisplay(_ *echo.Context, _ contract.UpdateBalanceDisplayParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) UpdateSubAccountBalanceDisplay(_ *echo.Context, _ contract.UpdateSubAccountBalanceDisplayParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) GetGroupDetails(_ *echo.Context, _ contract.Id, _ contract.GetGroupDetailsParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) RejectGroupMember(_ *echo.Context, _ contract.RejectGroupMemberParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) ChangeGroupMembers(_ *echo.Context, _ contract.ChangeGroupMembersParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) AcceptInvitation(_ *echo.Context, _ contract.Id, _ contract.AcceptInvitationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) DeclineInvitation(_ *echo.Context, _ contract.Id, _ contract.DeclineInvitationParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) GetLeaving(_ *echo.Context, _ contract.Id, _ contract.GetLeavingParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) LeaveGroup(_ *echo.Context, _ contract.Id, _ contract.LeaveGroupParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) RemoveApprover(_ *echo.Context, _ contract.Id, _ string, _ contract.RemoveApproverParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) OfferOwnership(_ *echo.Context, _ contract.Id, _ contract.OfferOwnershipParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) AnswerOwnership(_ *echo.Context, _ contract.Id, _ contract.AnswerOwnershipParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) ProposeSuccession(_ *echo.Context, _ contract.Id, _ contract.ProposeSuccessionParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) VoteSuccession(_ *echo.Context, _ contract.Id, _ contract.VoteSuccessionParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) CancelGroup(_ *echo.Context, _ contract.Id, _ contract.CancelGroupParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) CloseGroup(_ *echo.Context, _ contract.Id, _ contract.CloseGroupParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) SuspendGroup(_ *echo.Context, _ contract.Id, _ contract.SuspendGroupParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) ResumeGroup(_ *echo.Context, _ contract.Id, _ contract.ResumeGroupParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}

func (pendingA) RejectGroup(_ *echo.Context, _ contract.Id, _ contract.RejectGroupParams) error {
	return fault.New(fault.Unavailable, "Not built yet.")
}
