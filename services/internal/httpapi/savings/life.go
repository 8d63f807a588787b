package savings

import (
	"strconv"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/httpapi"
)

// count formats a number of things, such as "2 members".
func count(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}

// AddGroupMember is POST AddGroupMember.
func (h Savings) AddGroupMember(c *echo.Context, params contract.AddGroupMemberParams) error {
	form, err := httpapi.Bind[contract.AddGroupMemberRequest](c)
	if err != nil {
		return err
	}
	err = h.Groups.AddMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.Email)
	return httpapi.Did(c, "The invitation is on its way.", 0, err)
}

// SendSavingsInvitationLink is POST SendSavingsInvitationLink.
func (h Savings) SendSavingsInvitationLink(c *echo.Context, params contract.SendSavingsInvitationLinkParams) error {
	form, err := httpapi.Bind[contract.SendInvitationRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.UserEmail); err != nil {
		return err
	}
	sent, err := h.Groups.SendInvitations(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.Emails)
	return httpapi.Recorded(c, count(sent, "invitation is", "invitations are")+" on the way.", contract.InvitationsSent{Sent: sent}, 0, err)
}

// RejectGroupMember is POST v1/savings/members/reject.
func (h Savings) RejectGroupMember(c *echo.Context, params contract.RejectGroupMemberParams) error {
	form, err := httpapi.Bind[contract.GroupMemberReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.RejectMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.MemberId, orElse(form.Reason, ""))
	return httpapi.Did(c, "They were not let in, and were told so.", pos, err)
}

// DeactivateGroupMember is PATCH DeactivateGroupMember.
func (h Savings) DeactivateGroupMember(c *echo.Context, params contract.DeactivateGroupMemberParams) error {
	form, err := httpapi.Bind[contract.GroupMemberReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.DeactivateMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.MemberId, orElse(form.Reason, ""))
	return httpapi.Did(c, "The member is inactive now. They keep what they saved.", pos, err)
}

// ChangeGroupMembers is POST v1/savings/members/bulk.
func (h Savings) ChangeGroupMembers(c *echo.Context, params contract.ChangeGroupMembersParams) error {
	form, err := httpapi.Bind[contract.BulkMembersRequest](c)
	if err != nil {
		return err
	}
	result, pos, err := h.Groups.ChangeMembers(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, membersChanged(form.Action, result), result, pos, err)
}

// membersChanged describes the result for several members.
func membersChanged(action contract.BulkMembersRequestAction, r contract.BulkMembers) string {
	if r.Done == 0 {
		return "Nobody was changed."
	}
	said := map[contract.BulkMembersRequestAction]string{
		contract.BulkMembersRequestActionAPPROVE:    either(r.Done == 1, "Member added successfully", strconv.Itoa(r.Done)+" members added successfully"),
		contract.BulkMembersRequestActionREJECT:     count(r.Done, "person was", "people were") + " not let in, and told so",
		contract.BulkMembersRequestActionDEACTIVATE: count(r.Done, "member is", "members are") + " inactive now",
		contract.BulkMembersRequestActionREACTIVATE: count(r.Done, "member is", "members are") + " active again",
	}[action]
	if n := len(r.Refused); n > 0 {
		return said + ", " + strconv.Itoa(n) + " could not be changed."
	}
	return said + "."
}

func either(which bool, yes, no string) string {
	if which {
		return yes
	}
	return no
}

// joined is the message to a person who has just become a member.
const joined = "Congratulations, you have successfully joined the group."

// AcceptInvitation is POST v1/savings/invitations/{id}/accept.
func (h Savings) AcceptInvitation(c *echo.Context, id contract.Id, params contract.AcceptInvitationParams) error {
	pos, err := h.Groups.AcceptInvitation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Did(c, joined, pos, err)
}

// DeclineInvitation is POST v1/savings/invitations/{id}/decline.
func (h Savings) DeclineInvitation(c *echo.Context, id contract.Id, params contract.DeclineInvitationParams) error {
	pos, err := h.Groups.DeclineInvitation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Did(c, "You declined the invitation.", pos, err)
}

// LeaveGroup is POST v1/savings/groups/{id}/leave.
func (h Savings) LeaveGroup(c *echo.Context, id contract.Id, params contract.LeaveGroupParams) error {
	form, err := httpapi.Bind[contract.LeaveGroupRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.LeaveGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Forfeit, form.Saved)
	return httpapi.Did(c, "You have left the group.", pos, err)
}

// RemoveApprover is DELETE v1/savings/groups/{id}/approvers/{member}.
func (h Savings) RemoveApprover(c *echo.Context, id contract.Id, member string, params contract.RemoveApproverParams) error {
	pos, err := h.Groups.RemoveApprover(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, member)
	return httpapi.Did(c, "They are no approver any more.", pos, err)
}

// OfferOwnership is POST v1/savings/groups/{id}/ownership/offer.
func (h Savings) OfferOwnership(c *echo.Context, id contract.Id, params contract.OfferOwnershipParams) error {
	form, err := httpapi.Bind[contract.MemberIdRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.OfferOwnership(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.MemberId)
	return httpapi.Did(c, "The group is offered to them. It stays yours until they accept.", pos, err)
}

// AnswerOwnership is POST v1/savings/groups/{id}/ownership/answer.
func (h Savings) AnswerOwnership(c *echo.Context, id contract.Id, params contract.AnswerOwnershipParams) error {
	form, err := httpapi.Bind[contract.AnswerRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.AnswerOwnership(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Did(c, either(form.Accept, "The group is yours now.", "The offer has ended."), pos, err)
}

// ProposeSuccession is POST v1/savings/groups/{id}/succession.
func (h Savings) ProposeSuccession(c *echo.Context, id contract.Id, params contract.ProposeSuccessionParams) error {
	form, err := httpapi.Bind[contract.MemberIdRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.ProposeSuccession(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.MemberId)
	return httpapi.Did(c, "The vote on who takes over has begun.", pos, err)
}

// VoteSuccession is POST v1/savings/groups/{id}/succession/vote.
func (h Savings) VoteSuccession(c *echo.Context, id contract.Id, params contract.VoteSuccessionParams) error {
	form, err := httpapi.Bind[contract.SuccessionVoteRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.VoteSuccession(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Did(c, either(form.Agrees, "You voted for them.", "You voted against them."), pos, err)
}

// CancelGroup is POST v1/savings/groups/{id}/cancel.
func (h Savings) CancelGroup(c *echo.Context, id contract.Id, params contract.CancelGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.CancelGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Did(c, "The group is given up. Its members were told.", pos, err)
}

// CloseGroup is POST v1/savings/groups/{id}/close.
func (h Savings) CloseGroup(c *echo.Context, id contract.Id, params contract.CloseGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.CloseGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Did(c, "The group is closing. It takes no more contributions and pays out what it holds.", pos, err)
}

// SuspendGroup is POST Operator/groups/{id}/suspend.
func (h Savings) SuspendGroup(c *echo.Context, id contract.Id, params contract.SuspendGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.SuspendGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Did(c, "The group is suspended. Its members were told.", pos, err)
}

// ResumeGroup is POST Operator/groups/{id}/resume.
func (h Savings) ResumeGroup(c *echo.Context, id contract.Id, params contract.ResumeGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.ResumeGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Did(c, "The group is active again. Its members were told.", pos, err)
}

// RejectGroup is POST Operator/groups/{id}/reject.
func (h Savings) RejectGroup(c *echo.Context, id contract.Id, params contract.RejectGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.RejectGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Did(c, "The group is rejected. Its members were told.", pos, err)
}

// UpdateBalanceDisplay is POST update-balance-display.
func (h Savings) UpdateBalanceDisplay(c *echo.Context, params contract.UpdateBalanceDisplayParams) error {
	form, err := httpapi.Bind[contract.BalanceDisplayRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.ShowGroupTotal(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.ShowTotalBalance)
	return httpapi.Did(c, either(form.ShowTotalBalance, "Members see the group's total now.", "The group's total is hidden from plain members now."), pos, err)
}

// SetSearchView is POST v1/savings/groups/{id}/search-view.
func (h Savings) SetSearchView(c *echo.Context, id contract.Id, params contract.SetSearchViewParams) error {
	form, err := httpapi.Bind[contract.SearchView](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.SetSearchView(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id,
		savings.SearchView{Findable: form.Findable, Terms: form.ShowTerms, Totals: form.ShowTotals})
	return httpapi.Did(c, "What strangers see of the group is changed. Its members were told.", pos, err)
}

// UpdateSubAccountBalanceDisplay is POST sub-account/update-balance-display.
func (h Savings) UpdateSubAccountBalanceDisplay(c *echo.Context, params contract.UpdateSubAccountBalanceDisplayParams) error {
	form, err := httpapi.Bind[contract.SubAccountBalanceDisplayRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.ShowSubAccountTotal(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.SubAccountId, form.ShowTotalToMembers)
	return httpapi.Did(c, either(form.ShowTotalToMembers, "Members see the sub-account's total now.", "The sub-account's total is hidden from plain members now."), pos, err)
}
