package disputes

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/timemachine"
)

// Support has the handlers of the desk, for Support and Admin.
type Support struct {
	Disputes    *disputes.Service
	TimeMachine *timemachine.Service
	Tracker     *engine.Tracker
}

// GetCases is GET v1/support/cases.
func (h Support) GetCases(c *echo.Context, params contract.GetCasesParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	list := ""
	if params.List != nil {
		list = string(*params.List)
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	page, err := h.Disputes.Cases(c.Request().Context(), httpapi.Caller(c).UserID, list, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetCase is GET v1/support/cases/{id}.
func (h Support) GetCase(c *echo.Context, id contract.Id, params contract.GetCaseParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	view, err := h.Disputes.Case(c.Request().Context(), httpapi.Who(c, nil), id)
	return httpapi.Answer(c, view, err)
}

// GetCaseRow is GET v1/support/cases/{id}/row.
func (h Support) GetCaseRow(c *echo.Context, id contract.Id, params contract.GetCaseRowParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, disputes.ReadModels...)
	row, err := h.Disputes.CaseRow(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, row, err)
}

// TakeCase is POST v1/support/cases/{id}/take.
func (h Support) TakeCase(c *echo.Context, id contract.Id, params contract.TakeCaseParams) error {
	view, pos, err := h.Disputes.Take(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, params.Version)
	return httpapi.Recorded(c, "The case is yours. The member is told.", view, pos, err)
}

// AskMember is POST v1/support/cases/{id}/ask.
func (h Support) AskMember(c *echo.Context, id contract.Id, params contract.AskMemberParams) error {
	form, err := httpapi.Bind[contract.DisputeWordsRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Disputes.Ask(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Words)
	return httpapi.Recorded(c, "The member is asked. The clock stands still for seven days at most.", view, pos, err)
}

// ResolveCase is POST v1/support/cases/{id}/resolve.
func (h Support) ResolveCase(c *echo.Context, id contract.Id, params contract.ResolveCaseParams) error {
	form, err := httpapi.Bind[contract.ResolveCaseRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Disputes.Resolve(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Decided. The member is told.", view, pos, err)
}

// AllowHold is POST v1/support/cases/{id}/hold.
func (h Support) AllowHold(c *echo.Context, id contract.Id, params contract.AllowHoldParams) error {
	view, pos, err := h.Disputes.AllowHold(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Recorded(c, "It is held. The member and the group's officials are told.", view, pos, err)
}

// GetCasePaper is GET v1/support/cases/{id}/papers/{paper}.
func (h Support) GetCasePaper(c *echo.Context, id contract.Id, paper string) error {
	file, data, err := h.Disputes.CasePaper(c.Request().Context(), httpapi.Who(c, nil), id, paper)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, file.ContentType, data)
}

// UnmaskNames is POST v1/support/cases/{id}/names.
func (h Support) UnmaskNames(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.UnmaskRequest](c)
	if err != nil {
		return err
	}
	names, err := h.Disputes.CaseNames(c.Request().Context(), httpapi.Who(c, nil), id, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "The names, and that you asked for them is recorded.", names)
}

// ReplayCase is GET v1/support/cases/{id}/replay.
func (h Support) ReplayCase(c *echo.Context, id contract.Id, params contract.ReplayCaseParams) error {
	moment := timemachine.Moment{Position: params.Position, Recorded: params.Recorded, Effective: params.Effective}
	view, err := h.TimeMachine.At(c.Request().Context(), httpapi.Who(c, nil), id, params.Subject, moment)
	return httpapi.Answer(c, view, err)
}

// RunLab is POST v1/support/cases/{id}/labs.
func (h Support) RunLab(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.LabRequest](c)
	if err != nil {
		return err
	}
	result, err := h.TimeMachine.Lab(c.Request().Context(), httpapi.Who(c, nil), id, form)
	if err != nil {
		return err
	}
	return httpapi.OKMessage(c, "This is what would have followed. Nothing of it was recorded.", result)
}

// GetLabs is GET v1/support/cases/{id}/labs.
func (h Support) GetLabs(c *echo.Context, id contract.Id) error {
	labs, err := h.TimeMachine.Labs(c.Request().Context(), httpapi.Who(c, nil), id)
	return httpapi.Answer(c, labs, err)
}

// GetCaseSteps is GET v1/support/cases/{id}/steps.
func (h Support) GetCaseSteps(c *echo.Context, id contract.Id, params contract.GetCaseStepsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	back := params.Back != nil && *params.Back
	steps, err := h.TimeMachine.Steps(c.Request().Context(), httpapi.Who(c, nil), id, params.Subject, params.From, back, limit)
	return httpapi.Answer(c, steps, err)
}
