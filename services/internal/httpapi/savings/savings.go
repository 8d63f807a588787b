// Package savings handles the Group savings calls.
package savings

import (
	"strings"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/people/invited"
)

// Savings has its handlers.
type Savings struct {
	Groups       *groups.Service
	Invited      invited.Store
	Dues         *dues.Service
	Payments     *payments.Service
	Liquidations *liquidations.Service
	Audit        *audit.Service
	Months       *months.Service
	Tracker      *engine.Tracker
}

// orElse returns an optional field's value, or its default.
func orElse[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// CreateGroupSavings is POST CreateGroupSavings.
func (h Savings) CreateGroupSavings(c *echo.Context, params contract.CreateGroupSavingsParams) error {
	form, err := httpapi.Bind[contract.CreateGroupRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.UserEmail); err != nil {
		return err
	}
	dues := orElse(form.MonthlyDues, true)
	id, pos, err := h.Groups.CreateGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), groups.NewGroup{
		Name: form.Name, Description: orElse(form.Description, ""), Amount: form.Amount, Capacity: form.MemberCapacity,
		StartMonth: form.StartMonthId, ShowTotal: orElse(form.ShowTotalBalance, true), MonthlyDues: dues,
	})
	said := either(dues, "Your group is created, with “Monthly dues” to pay into. Invite your people now.", "Your group is created. Invite your people now.")
	return httpapi.Recorded(c, said, contract.Created{Id: id}, pos, err)
}

// JoinGroupSavings is POST JoinGroupSavings.
func (h Savings) JoinGroupSavings(c *echo.Context, params contract.JoinGroupSavingsParams) error {
	form, err := httpapi.Bind[contract.JoinGroupRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	in, pos, err := h.Groups.JoinGroup(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.Code)
	if err != nil {
		return err
	}
	h.Invited.Used(c.Request().Context(), httpapi.Caller(c).UserID, invited.Savings, form.GroupId)
	if in {
		return httpapi.Did(c, joined, pos, nil)
	}
	return httpapi.Did(c, "You asked to join "+h.Groups.GroupName(c.Request().Context(), form.GroupId)+"; an approver lets you in.", pos, nil)
}

// ApproveGroupMember is PATCH ApproveGroupMember.
func (h Savings) ApproveGroupMember(c *echo.Context, params contract.ApproveGroupMemberParams) error {
	form, err := httpapi.Bind[contract.GroupMemberRequest](c)
	if err != nil {
		return err
	}
	added, pos, err := h.Groups.ApproveMember(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.MemberId)
	return httpapi.Did(c, either(added, "Member added successfully", "The member is active again."), pos, err)
}

// SetGroupValidator is PATCH SetGroupValidator.
func (h Savings) SetGroupValidator(c *echo.Context, params contract.SetGroupValidatorParams) error {
	form, err := httpapi.Bind[contract.GroupMemberRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Groups.AppointValidator(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.GroupId, form.MemberId)
	return httpapi.Did(c, "They are the validator now. Every member is told.", pos, err)
}

// CreateSubAccount is POST CreateSubAccount.
func (h Savings) CreateSubAccount(c *echo.Context, params contract.CreateSubAccountParams) error {
	form, err := httpapi.Bind[contract.CreateSubAccountRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	id, pos, err := h.Groups.OpenSubAccount(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), groups.NewSubAccount{
		GroupID: form.GroupSavingsId, Name: form.Name, Description: orElse(form.Description, ""), Type: string(form.PaymentType),
		Frequency: string(form.PaymentFrequency), Amount: form.AmountPayable, ShowTotal: orElse(form.ShowTotalToMembers, true),
		FirstDay: orElse(form.FirstDay, ""),
		Late:     groups.LateTerms{GraceDays: orElse(form.GraceDays, 0), Penalty: string(orElse(form.PenaltyType, "")), Amount: form.PenaltyAmount, Percent: form.PenaltyPercent},
	})
	return httpapi.Recorded(c, "“"+strings.TrimSpace(form.Name)+"” is open: members can pay into it.", contract.Created{Id: id}, pos, err)
}

// SubAccountPayment is POST SubAccountPaymentVfd.
func (h Savings) SubAccountPayment(c *echo.Context, params contract.SubAccountPaymentParams) error {
	form, err := httpapi.Bind[contract.SubAccountPaymentRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	started, pos, err := h.Payments.PayIntoSubAccount(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.SubAccountId, form.Amount, dues.DueOf(form.MonthId, form.Period), form.Channel, payments.UseCard(form.CardId, form.SaveCard))
	return httpapi.Recorded(c, "Your payment is started. It counts once the money has arrived.", started, pos, err)
}

// GetGroupSavingsInfo is GET GetGroupSavingsInfo/{id}.
func (h Savings) GetGroupSavingsInfo(c *echo.Context, id contract.Id, params contract.GetGroupSavingsInfoParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	view, err := h.Groups.Group(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetUserGroupSavings is GET GetUserGroupSavings/{id}.
func (h Savings) GetUserGroupSavings(c *echo.Context, id contract.Id, params contract.GetUserGroupSavingsParams) error {
	if err := httpapi.SelfUser(c, id); err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	views, err := h.Groups.Groups(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, views, err)
}

// GetGroupSubAccounts is GET GetGroupSubAccounts/{id}.
func (h Savings) GetGroupSubAccounts(c *echo.Context, id contract.Id, params contract.GetGroupSubAccountsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, groups.ReadModels...)
	view, err := h.Dues.SubAccounts(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetInvitation is GET v1/savings/invitations/{id}. It also serves visitors who are not logged in.
func (h Savings) GetInvitation(c *echo.Context, id contract.Id, params contract.GetInvitationParams) error {
	caller, _ := httpapi.CallerIf(c)
	view, err := h.Groups.Invitation(c.Request().Context(), caller.UserID, id, params.Code)
	return httpapi.Answer(c, view, err)
}

// SearchGroupSavings is GET v1/savings/search.
func (h Savings) SearchGroupSavings(c *echo.Context, params contract.SearchGroupSavingsParams) error {
	rows, err := h.Groups.Search(c.Request().Context(), httpapi.Caller(c).UserID, params.Q)
	return httpapi.Answer(c, rows, err)
}
