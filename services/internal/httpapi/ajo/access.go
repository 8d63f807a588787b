// Package ajo handles the calls about ajo.
package ajo

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/ajoaccess"
	"adashi.ng/services/internal/httpapi"
)

// Access has the handlers of access to ajo with strangers: a member's own, and the desk's. The contract says who may
// call each.
type Access struct {
	Access  *ajoaccess.Service
	Tracker *engine.Tracker
}

// GetAjoAccess is GET v1/ajo/access.
func (h Access) GetAjoAccess(c *echo.Context) error {
	access, err := h.Access.Own(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, access, err)
}

// AskAjoAccess is POST v1/ajo/access.
func (h Access) AskAjoAccess(c *echo.Context, params contract.AskAjoAccessParams) error {
	access, pos, err := h.Access.Ask(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey))
	return httpapi.Recorded(c, "You have asked. Our finance team looks at your papers and tells you.", access, pos, err)
}

// WithdrawAjoAccess is DELETE v1/ajo/access.
func (h Access) WithdrawAjoAccess(c *echo.Context) error {
	access, pos, err := h.Access.Withdraw(c.Request().Context(), httpapi.Who(c, nil))
	return httpapi.Recorded(c, "Your request is withdrawn. You may ask again at any time.", access, pos, err)
}

// GetAjoAsks is GET v1/finance/ajo-access.
func (h Access) GetAjoAsks(c *echo.Context, params contract.GetAjoAsksParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajoaccess.ReadModels...)
	page, err := h.Access.Waiting(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetAjoAsk is GET v1/finance/ajo-access/{id}.
func (h Access) GetAjoAsk(c *echo.Context, id contract.Id) error {
	ask, err := h.Access.Look(c.Request().Context(), httpapi.Who(c, nil), id)
	return httpapi.Answer(c, ask, err)
}

// GetAjoPaper is GET v1/finance/ajo-access/{id}/papers/{paper}.
func (h Access) GetAjoPaper(c *echo.Context, id contract.Id, paper contract.AjoPaper) error {
	file, data, err := h.Access.Paper(c.Request().Context(), httpapi.Who(c, nil), id, paper)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, file.ContentType, data)
}

// GrantAjoAccess is POST v1/finance/ajo-access/{id}/grant.
func (h Access) GrantAjoAccess(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.GrantAjoAccessRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Access.Grant(c.Request().Context(), httpapi.Who(c, nil), id, form.AskId)
	return httpapi.Did(c, "Granted. The member is told.", pos, err)
}

// RefuseAjoAccess is POST v1/finance/ajo-access/{id}/refuse.
func (h Access) RefuseAjoAccess(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.RefuseAjoAccessRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Access.Refuse(c.Request().Context(), httpapi.Who(c, nil), id, form.AskId, form.Reason)
	return httpapi.Did(c, "Turned down. The member reads why and may ask again.", pos, err)
}
