package ajo

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/people/invited"
)

// Ajo has the handlers of rotating savings, and of cards. The contract says who may call each.
type Ajo struct {
	Ajo     *ajo.Service
	Audit   *audit.Service
	Invited invited.Store
	Tracker *engine.Tracker
}

// GetAvailableAjoGroups is GET Ajo/GetAvailableAjoGroups.
func (h Ajo) GetAvailableAjoGroups(c *echo.Context, params contract.GetAvailableAjoGroupsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Available(c.Request().Context(), httpapi.Caller(c).UserID, params.Q)
	return httpapi.Answer(c, view, err)
}

// GetAjoById is GET Ajo/GetAjoById/{id}.
func (h Ajo) GetAjoById(c *echo.Context, id contract.Id, params contract.GetAjoByIdParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.View(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetAjoDataById is GET Ajo/GetAjoDataById/{id}. It also serves visitors who are not logged in.
func (h Ajo) GetAjoDataById(c *echo.Context, id contract.Id, params contract.GetAjoDataByIdParams) error {
	caller, _ := httpapi.CallerIf(c)
	view, err := h.Ajo.Data(c.Request().Context(), caller.UserID, id, params.Code)
	return httpapi.Answer(c, view, err)
}

// GetUserAjoGroups is GET Ajo/GetUserAjoGroups?userId.
func (h Ajo) GetUserAjoGroups(c *echo.Context, params contract.GetUserAjoGroupsParams) error {
	if params.UserId != nil {
		if err := httpapi.SelfUser(c, *params.UserId); err != nil {
			return err
		}
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Own(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, view, err)
}

// CreateAjo is POST Ajo/CreateExistingGroupAjo.
func (h Ajo) CreateAjo(c *echo.Context, params contract.CreateAjoParams) error {
	form, err := httpapi.Bind[contract.CreateAjoRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	view, pos, err := h.Ajo.Create(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "Your ajo is there. Invite the others now.", view, pos, err)
}

// JoinAjo is POST Ajo/JoinAjoGroup.
func (h Ajo) JoinAjo(c *echo.Context, params contract.JoinAjoParams) error {
	form, err := httpapi.Bind[contract.JoinAjoRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	view, pos, err := h.Ajo.Join(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	if err == nil {
		h.Invited.Used(c.Request().Context(), httpapi.Caller(c).UserID, invited.Ajo, form.AjoId)
	}
	return httpapi.Recorded(c, "Congratulations, you have successfully joined the group.", view, pos, err)
}

// GetAjoContributions is GET Ajo/member-contribution/{id}.
func (h Ajo) GetAjoContributions(c *echo.Context, id contract.Id, params contract.GetAjoContributionsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Contributions(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// GetAjoPaymentHistory is POST Ajo/ajo-payment-history.
func (h Ajo) GetAjoPaymentHistory(c *echo.Context) error {
	form, err := httpapi.Bind[contract.AjoHistoryRequest](c)
	if err != nil {
		return err
	}
	if form.UserId != nil {
		if err := httpapi.SelfUser(c, *form.UserId); err != nil {
			return err
		}
	}
	view, err := h.Ajo.History(c.Request().Context(), httpapi.Caller(c).UserID, form)
	return httpapi.Answer(c, view, err)
}

// GetAjoMember is GET Ajo/member?ajoId&ajoMemberId.
func (h Ajo) GetAjoMember(c *echo.Context, params contract.GetAjoMemberParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Member(c.Request().Context(), httpapi.Caller(c).UserID, params.AjoId, params.AjoMemberId)
	return httpapi.Answer(c, view, err)
}

// RequestAjoPayout is POST Payment/ajo-liquidation-request.
func (h Ajo) RequestAjoPayout(c *echo.Context, params contract.RequestAjoPayoutParams) error {
	form, err := httpapi.Bind[contract.AjoPayoutRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	view, pos, err := h.Ajo.RequestPayout(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form, func() error { return httpapi.SteppedUp(c) })
	return httpapi.Recorded(c, "You have asked for the pot. It is paid once enough members have approved it.", view, pos, err)
}

// PreviewAjo is POST v1/ajo/preview.
func (h Ajo) PreviewAjo(c *echo.Context) error {
	form, err := httpapi.Bind[contract.AjoTermsRequest](c)
	if err != nil {
		return err
	}
	view, err := h.Ajo.Preview(c.Request().Context(), httpapi.Caller(c).UserID, form)
	return httpapi.Answer(c, view, err)
}

// GetAjoDues is GET v1/ajo/dues.
func (h Ajo) GetAjoDues(c *echo.Context, params contract.GetAjoDuesParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Dues(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, view, err)
}

// ChangeAjoTerms is POST v1/ajo/{id}/terms.
func (h Ajo) ChangeAjoTerms(c *echo.Context, id contract.Id, params contract.ChangeAjoTermsParams) error {
	form, err := httpapi.Bind[contract.AjoTermsRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.ChangeTerms(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "The terms are changed. Whoever has joined accepts them now, or is released.", view, pos, err)
}

// AcceptAjoTerms is POST v1/ajo/{id}/terms/accept.
func (h Ajo) AcceptAjoTerms(c *echo.Context, id contract.Id, params contract.AcceptAjoTermsParams) error {
	form, err := httpapi.Bind[contract.AjoTermsHash](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.AcceptTerms(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.TermsHash)
	return httpapi.Recorded(c, "You have accepted the terms.", view, pos, err)
}

// LeaveAjo is POST v1/ajo/{id}/leave.
func (h Ajo) LeaveAjo(c *echo.Context, id contract.Id, params contract.LeaveAjoParams) error {
	pos, err := h.Ajo.Leave(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Did(c, "You have left. Your deposit is in your wallet.", pos, err)
}

// CancelAjo is POST v1/ajo/{id}/cancel.
func (h Ajo) CancelAjo(c *echo.Context, id contract.Id, params contract.CancelAjoParams) error {
	form, err := httpapi.Bind[contract.AjoReason](c)
	if err != nil {
		return err
	}
	pos, err := h.Ajo.Cancel(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Did(c, "The ajo is cancelled. Deposits are in their wallets.", pos, err)
}

// CloseAjoList is POST v1/ajo/{id}/close.
func (h Ajo) CloseAjoList(c *echo.Context, id contract.Id, params contract.CloseAjoListParams) error {
	form, err := httpapi.Bind[contract.CloseAjoRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.CloseList(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Order)
	return httpapi.Recorded(c, "The list is sealed.", view, pos, err)
}

// TellAjoPast is POST v1/ajo/{id}/past.
func (h Ajo) TellAjoPast(c *echo.Context, id contract.Id, params contract.TellAjoPastParams) error {
	form, err := httpapi.Bind[contract.AjoPastRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.TellPast(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Existing)
	return httpapi.Recorded(c, "The past is told. The others confirm it.", view, pos, err)
}

// AnswerAjoPast is POST v1/ajo/{id}/past/answer.
func (h Ajo) AnswerAjoPast(c *echo.Context, id contract.Id, params contract.AnswerAjoPastParams) error {
	form, err := httpapi.Bind[contract.AjoPastAnswer](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.AnswerPast(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Confirmed)
	return httpapi.Recorded(c, "Thank you. Your word is recorded.", view, pos, err)
}

// SubmitAjoBeacon is POST v1/ajo/{id}/beacon.
func (h Ajo) SubmitAjoBeacon(c *echo.Context, id contract.Id, params contract.SubmitAjoBeaconParams) error {
	form, err := httpapi.Bind[contract.AjoBeaconRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.SubmitBeacon(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Signature)
	return httpapi.Recorded(c, "The order is drawn.", view, pos, err)
}

// SendAjoInvitationLink is POST Ajo/SendAjoInvitationLink.
func (h Ajo) SendAjoInvitationLink(c *echo.Context, params contract.SendAjoInvitationLinkParams) error {
	form, err := httpapi.Bind[contract.SendAjoInvitationRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.UserEmail); err != nil {
		return err
	}
	sent, err := h.Ajo.Invite(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.AjoId, form.Emails)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "The invitations are on their way.", contract.InvitationsSent{Sent: sent})
}

// PayAjo is POST v1/ajo/{id}/pay.
func (h Ajo) PayAjo(c *echo.Context, id contract.Id, params contract.PayAjoParams) error {
	form, err := httpapi.Bind[contract.AjoPayRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	receipt, err := h.Ajo.Pay(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Paid from your wallet.", receipt, receipt.Position, err)
}

// GetAjoPayout is GET v1/ajo/{id}/payouts/{cycle}.
func (h Ajo) GetAjoPayout(c *echo.Context, id contract.Id, cycle string, params contract.GetAjoPayoutParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.PayoutOf(c.Request().Context(), httpapi.Caller(c).UserID, id, cycle)
	return httpapi.Answer(c, view, err)
}

// ExportAjoBook is GET v1/ajo/{id}/book.csv.
func (h Ajo) ExportAjoBook(c *echo.Context, id contract.Id) error {
	book, err := h.Ajo.Book(c.Request().Context(), httpapi.Caller(c).UserID, id)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, "text/csv; charset=utf-8", []byte(book))
}
