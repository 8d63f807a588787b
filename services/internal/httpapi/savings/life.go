package savings

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/savings"
	"adashi.ng/services/internal/httpapi"
)

// done answers a command that has nothing to show but where it was recorded.
func done(c *echo.Context, pos int64, err error) error { return doneSaying(c, "", pos, err) }

func doneSaying(c *echo.Context, message string, pos int64, err error) error {
	if err != nil {
		return err
	}
	if pos > 0 {
		httpapi.Position(c, pos)
	}
	if message == "" {
		return httpapi.OK[any](c, nil)
	}
	return httpapi.OKMessage[any](c, message, nil)
}

// AddGroupMember is POST AddGroupMember.
func (h Savings) AddGroupMember(c *echo.Context, params contract.AddGroupMemberParams) error {
	form, err := httpapi.Bind[contract.AddGroupMemberRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.AddMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.Email)
	return doneSaying(c, "The invitation is on its way.", pos, err)
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
	sent, err := h.App.SendInvitations(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.Emails)
	if err != nil {
		return err
	}
	return httpapi.OK(c, contract.InvitationsSent{Sent: sent})
}

// RejectGroupMember is POST v1/savings/members/reject.
func (h Savings) RejectGroupMember(c *echo.Context, params contract.RejectGroupMemberParams) error {
	form, err := httpapi.Bind[contract.GroupMemberReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.RejectMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.MemberId, orElse(form.Reason, ""))
	return done(c, pos, err)
}

// DeactivateGroupMember is PATCH DeactivateGroupMember.
func (h Savings) DeactivateGroupMember(c *echo.Context, params contract.DeactivateGroupMemberParams) error {
	form, err := httpapi.Bind[contract.GroupMemberReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.DeactivateMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.MemberId, orElse(form.Reason, ""))
	return done(c, pos, err)
}

// ChangeGroupMembers is POST v1/savings/members/bulk.
func (h Savings) ChangeGroupMembers(c *echo.Context, params contract.ChangeGroupMembersParams) error {
	form, err := httpapi.Bind[contract.BulkMembersRequest](c)
	if err != nil {
		return err
	}
	result, pos, err := h.App.ChangeMembers(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	if err != nil {
		return err
	}
	if pos > 0 {
		httpapi.Position(c, pos)
	}
	return httpapi.OK(c, result)
}

// AcceptInvitation is POST v1/savings/invitations/{id}/accept.
func (h Savings) AcceptInvitation(c *echo.Context, id contract.Id, params contract.AcceptInvitationParams) error {
	pos, err := h.App.AcceptInvitation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return done(c, pos, err)
}

// DeclineInvitation is POST v1/savings/invitations/{id}/decline.
func (h Savings) DeclineInvitation(c *echo.Context, id contract.Id, params contract.DeclineInvitationParams) error {
	pos, err := h.App.DeclineInvitation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return done(c, pos, err)
}

// LeaveGroup is POST v1/savings/groups/{id}/leave.
func (h Savings) LeaveGroup(c *echo.Context, id contract.Id, params contract.LeaveGroupParams) error {
	form, err := httpapi.Bind[contract.LeaveGroupRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.LeaveGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Forfeit)
	return done(c, pos, err)
}

// RemoveApprover is DELETE v1/savings/groups/{id}/approvers/{member}.
func (h Savings) RemoveApprover(c *echo.Context, id contract.Id, member string, params contract.RemoveApproverParams) error {
	pos, err := h.App.RemoveApprover(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, member)
	return done(c, pos, err)
}

// OfferOwnership is POST v1/savings/groups/{id}/ownership/offer.
func (h Savings) OfferOwnership(c *echo.Context, id contract.Id, params contract.OfferOwnershipParams) error {
	form, err := httpapi.Bind[contract.MemberIdRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.OfferOwnership(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.MemberId)
	return done(c, pos, err)
}

// AnswerOwnership is POST v1/savings/groups/{id}/ownership/answer.
func (h Savings) AnswerOwnership(c *echo.Context, id contract.Id, params contract.AnswerOwnershipParams) error {
	form, err := httpapi.Bind[contract.AnswerRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.AnswerOwnership(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Accept)
	return done(c, pos, err)
}

// ProposeSuccession is POST v1/savings/groups/{id}/succession.
func (h Savings) ProposeSuccession(c *echo.Context, id contract.Id, params contract.ProposeSuccessionParams) error {
	form, err := httpapi.Bind[contract.MemberIdRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.ProposeSuccession(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.MemberId)
	return done(c, pos, err)
}

// VoteSuccession is POST v1/savings/groups/{id}/succession/vote.
func (h Savings) VoteSuccession(c *echo.Context, id contract.Id, params contract.VoteSuccessionParams) error {
	form, err := httpapi.Bind[contract.SuccessionVoteRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.VoteSuccession(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.CandidateId, form.Agrees)
	return done(c, pos, err)
}

// CancelGroup is POST v1/savings/groups/{id}/cancel.
func (h Savings) CancelGroup(c *echo.Context, id contract.Id, params contract.CancelGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.CancelGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return done(c, pos, err)
}

// CloseGroup is POST v1/savings/groups/{id}/close.
func (h Savings) CloseGroup(c *echo.Context, id contract.Id, params contract.CloseGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.CloseGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return done(c, pos, err)
}

// SuspendGroup is POST Operator/groups/{id}/suspend.
func (h Savings) SuspendGroup(c *echo.Context, id contract.Id, params contract.SuspendGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.SuspendGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return done(c, pos, err)
}

// ResumeGroup is POST Operator/groups/{id}/resume.
func (h Savings) ResumeGroup(c *echo.Context, id contract.Id, params contract.ResumeGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.ResumeGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return done(c, pos, err)
}

// RejectGroup is POST Operator/groups/{id}/reject.
func (h Savings) RejectGroup(c *echo.Context, id contract.Id, params contract.RejectGroupParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.RejectGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return done(c, pos, err)
}

// UpdateBalanceDisplay is POST update-balance-display.
func (h Savings) UpdateBalanceDisplay(c *echo.Context, params contract.UpdateBalanceDisplayParams) error {
	form, err := httpapi.Bind[contract.BalanceDisplayRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.ShowGroupTotal(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.ShowTotalBalance)
	return done(c, pos, err)
}

// SetSearchView is POST v1/savings/groups/{id}/search-view.
func (h Savings) SetSearchView(c *echo.Context, id contract.Id, params contract.SetSearchViewParams) error {
	form, err := httpapi.Bind[contract.SearchView](c)
	if err != nil {
		return err
	}
	pos, err := h.App.SetSearchView(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id,
		savings.SearchView{Findable: form.Findable, Terms: form.ShowTerms, Totals: form.ShowTotals})
	return done(c, pos, err)
}

// UpdateSubAccountBalanceDisplay is POST sub-account/update-balance-display.
func (h Savings) UpdateSubAccountBalanceDisplay(c *echo.Context, params contract.UpdateSubAccountBalanceDisplayParams) error {
	form, err := httpapi.Bind[contract.SubAccountBalanceDisplayRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.App.ShowSubAccountTotal(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.SubAccountId, form.ShowTotalToMembers)
	return done(c, pos, err)
}
