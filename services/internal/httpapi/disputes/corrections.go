package disputes

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/corrections"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/httpapi"
)

// Corrections has the handlers of corrections of cases. The contract says who may call each.
type Corrections struct {
	Corrections *corrections.Service
	Tracker     *engine.Tracker
}

// GetCorrections is GET v1/support/plans.
func (h Corrections) GetCorrections(c *echo.Context, params contract.GetCorrectionsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	page, err := h.Corrections.Waiting(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetCorrection is GET v1/support/cases/{id}/plan.
func (h Corrections) GetCorrection(c *echo.Context, id contract.Id, params contract.GetCorrectionParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	state, err := h.Corrections.State(c.Request().Context(), httpapi.Who(c, nil), id)
	return httpapi.Answer(c, state, err)
}

// PreviewCorrection is POST v1/support/cases/{id}/plan/preview.
func (h Corrections) PreviewCorrection(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.PreviewCorrectionRequest](c)
	if err != nil {
		return err
	}
	view, err := h.Corrections.Preview(c.Request().Context(), httpapi.Who(c, nil), id, corrections.Form{CountsFrom: form.CountsFrom, Steps: form.Steps})
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "This is what would happen. Nothing was recorded.", view)
}

// CorrectionFromLab is POST v1/support/cases/{id}/plan/from-lab.
func (h Corrections) CorrectionFromLab(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.LabRequest](c)
	if err != nil {
		return err
	}
	view, err := h.Corrections.FromLab(c.Request().Context(), httpapi.Who(c, nil), id, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "This could be proposed. Nothing was recorded.", view)
}

// ProposeCorrection is POST v1/support/cases/{id}/plan.
func (h Corrections) ProposeCorrection(c *echo.Context, id contract.Id, params contract.ProposeCorrectionParams) error {
	form, err := httpapi.Bind[contract.ProposeCorrectionRequest](c)
	if err != nil {
		return err
	}
	state, pos, err := h.Corrections.Propose(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, corrections.Form{CountsFrom: form.CountsFrom, Steps: form.Steps, Words: form.Words})
	return httpapi.Recorded(c, "Proposed. Two Admins decide.", state, pos, err)
}

// ApproveCorrection is POST v1/support/cases/{id}/plan/approve.
func (h Corrections) ApproveCorrection(c *echo.Context, id contract.Id, params contract.ApproveCorrectionParams) error {
	form, err := httpapi.Bind[contract.DecideCorrectionRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	state, pos, err := h.Corrections.Decide(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.PlanId, true, "")
	return httpapi.Recorded(c, approved(state), state, pos, err)
}

// approved describes the result of an approval.
func approved(state contract.CorrectionState) string {
	switch {
	case state.Plan == nil:
		return ""
	case state.Plan.Status == contract.CorrectionStatusAPPLIED:
		return "Approved and applied. The member sees it."
	case state.Plan.Status == contract.CorrectionStatusSTALE:
		return "Approved, but not applied: something has happened here since."
	default:
		return "Approved. Another Admin must agree too."
	}
}

// DeclineCorrection is POST v1/support/cases/{id}/plan/decline.
func (h Corrections) DeclineCorrection(c *echo.Context, id contract.Id, params contract.DeclineCorrectionParams) error {
	form, err := httpapi.Bind[contract.DeclineCorrectionRequest](c)
	if err != nil {
		return err
	}
	state, pos, err := h.Corrections.Decide(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.PlanId, false, form.Words)
	return httpapi.Recorded(c, "The correction is off. Nothing was done.", state, pos, err)
}
