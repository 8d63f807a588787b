// Package disputes handles the calls about disputes: a member's own, and those of Support's desk.
package disputes

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/evidence"
	"adashi.ng/services/internal/httpapi"
)

// Disputes has the handlers of a member's own disputes. The contract says who may call each.
type Disputes struct {
	Disputes *disputes.Service
	Evidence *evidence.Service
	Tracker  *engine.Tracker
}

// GetDisputes is GET v1/disputes.
func (h Disputes) GetDisputes(c *echo.Context, params contract.GetDisputesParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	page, err := h.Disputes.Mine(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// OpenDispute is POST v1/disputes.
func (h Disputes) OpenDispute(c *echo.Context, params contract.OpenDisputeParams) error {
	form, err := httpapi.Bind[contract.OpenDisputeRequest](c)
	if err != nil {
		return err
	}
	dispute, pos, err := h.Disputes.Open(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "We look into it. Your number is "+dispute.Number+".", dispute, pos, err)
}

// SearchMoney is POST v1/disputes/search.
func (h Disputes) SearchMoney(c *echo.Context) error {
	form, err := httpapi.Bind[contract.SearchMoneyRequest](c)
	if err != nil {
		return err
	}
	finds, err := h.Disputes.Search(c.Request().Context(), httpapi.Caller(c).UserID, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "We have looked.", finds)
}

// GetDispute is GET v1/disputes/{id}.
func (h Disputes) GetDispute(c *echo.Context, id contract.Id, params contract.GetDisputeParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	dispute, err := h.Disputes.Dispute(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, dispute, err)
}

// AddEvidence is POST v1/disputes/{id}/evidence.
func (h Disputes) AddEvidence(c *echo.Context, id contract.Id, params contract.AddEvidenceParams) error {
	form, err := httpapi.Bind[contract.AddEvidenceRequest](c)
	if err != nil {
		return err
	}
	dispute, pos, err := h.Disputes.AddEvidence(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Added. Whoever has your case sees it.", dispute, pos, err)
}

// SaveDisputeDraft is PUT v1/disputes/{id}/draft.
func (h Disputes) SaveDisputeDraft(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.DisputeDraftForm](c)
	if err != nil {
		return err
	}
	draft, err := h.Disputes.SaveDraft(c.Request().Context(), httpapi.Caller(c).UserID, id, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "Kept for you. Nobody sees it before you send it.", draft)
}

// SubmitToDispute is POST v1/disputes/{id}/submit.
func (h Disputes) SubmitToDispute(c *echo.Context, id contract.Id, params contract.SubmitToDisputeParams) error {
	form, err := httpapi.Bind[contract.DisputeDraftForm](c)
	if err != nil {
		return err
	}
	dispute, pos, err := h.Disputes.Submit(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Sent. Whoever has your case sees it.", dispute, pos, err)
}

// AnswerDispute is POST v1/disputes/{id}/answer.
func (h Disputes) AnswerDispute(c *echo.Context, id contract.Id, params contract.AnswerDisputeParams) error {
	form, err := httpapi.Bind[contract.DisputeWordsRequest](c)
	if err != nil {
		return err
	}
	dispute, pos, err := h.Disputes.Answer(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Words)
	return httpapi.Recorded(c, "Thank you. We go on with it.", dispute, pos, err)
}

// WithdrawDispute is POST v1/disputes/{id}/withdraw.
func (h Disputes) WithdrawDispute(c *echo.Context, id contract.Id, params contract.WithdrawDisputeParams) error {
	dispute, pos, err := h.Disputes.Withdraw(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Recorded(c, "You took it back.", dispute, pos, err)
}

// ReopenDispute is POST v1/disputes/{id}/reopen.
func (h Disputes) ReopenDispute(c *echo.Context, id contract.Id, params contract.ReopenDisputeParams) error {
	form, err := httpapi.Bind[contract.DisputeWordsRequest](c)
	if err != nil {
		return err
	}
	dispute, pos, err := h.Disputes.Reopen(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Words)
	return httpapi.Recorded(c, "We look at it once more.", dispute, pos, err)
}

// GetDisputePaper is GET v1/disputes/{id}/papers/{paper}.
func (h Disputes) GetDisputePaper(c *echo.Context, id contract.Id, paper string) error {
	file, data, err := h.Disputes.Paper(c.Request().Context(), httpapi.Caller(c).UserID, id, paper)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, file.ContentType, data)
}

// GetDisputeBundle is GET v1/disputes/{id}/bundle.
func (h Disputes) GetDisputeBundle(c *echo.Context, id contract.Id, params contract.GetDisputeBundleParams) error {
	oldest := ""
	if params.Checkpoint != nil {
		oldest = *params.Checkpoint
	}
	bundle, err := h.Evidence.Bundle(c.Request().Context(), httpapi.Caller(c).UserID, id, oldest)
	if err != nil {
		return err
	}
	httpapi.Position(c, bundle.Position)
	return httpapi.NamedAttachment(c, bundle.Name, "text/html; charset=utf-8", bundle.Page)
}

// GetFreeze is GET v1/account/freeze.
func (h Disputes) GetFreeze(c *echo.Context) error {
	freeze, err := h.Disputes.Frozen(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, freeze, err)
}

// FreezeMoney is POST v1/account/freeze.
func (h Disputes) FreezeMoney(c *echo.Context, params contract.FreezeMoneyParams) error {
	freeze, pos, err := h.Disputes.Freeze(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey))
	return httpapi.Recorded(c, "Frozen. Nothing leaves your wallet.", freeze, pos, err)
}

// ThawMoney is POST v1/account/thaw.
func (h Disputes) ThawMoney(c *echo.Context, params contract.ThawMoneyParams) error {
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	freeze, pos, err := h.Disputes.Thaw(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey))
	return httpapi.Recorded(c, "Your money is thawed in 24 hours.", freeze, pos, err)
}
