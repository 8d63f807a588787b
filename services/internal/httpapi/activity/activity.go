// Package activity handles the calls about a member's movements, dashboard and agenda.
package activity

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/agenda"
	"adashi.ng/services/internal/httpapi"
)

// Activity has its handlers.
type Activity struct {
	Activity *activity.Service
	Agenda   *agenda.Service
	Tracker  *engine.Tracker
}

// GetActivity is GET v1/activity.
func (h Activity) GetActivity(c *echo.Context, params contract.GetActivityParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	models := activity.MovementModels
	if params.Search != nil {
		models = activity.SearchModels
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, models...)
	wanted := activity.Wanted{Kinds: params.Kind, GroupID: params.GroupId, From: params.From, To: params.To, Search: params.Search}
	if params.Direction != nil {
		wanted.Direction = string(*params.Direction)
	}
	if params.Channel != nil {
		wanted.Channel = string(*params.Channel)
	}
	page, err := h.Activity.Movements(c.Request().Context(), httpapi.Caller(c).UserID, wanted, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetActivityDetail is GET v1/activity/{id}.
func (h Activity) GetActivityDetail(c *echo.Context, id contract.Id, params contract.GetActivityDetailParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activity.DetailModels...)
	detail, err := h.Activity.Movement(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, detail, err)
}

// GetActivityMonths is GET v1/activity/months.
func (h Activity) GetActivityMonths(c *echo.Context, params contract.GetActivityMonthsParams) error {
	months := 12
	if params.Months != nil {
		months = *params.Months
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activity.MovementModels...)
	flows, err := h.Activity.MonthFlows(c.Request().Context(), httpapi.Caller(c).UserID, months)
	return httpapi.Answer(c, flows, err)
}

// GetDashboard is GET v1/dashboard.
func (h Activity) GetDashboard(c *echo.Context, params contract.GetDashboardParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activity.DashboardModels...)
	view, err := h.Activity.Dashboard(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, view, err)
}

// GetAgenda is GET v1/agenda.
func (h Activity) GetAgenda(c *echo.Context, params contract.GetAgendaParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, agenda.ReadModels...)
	rows, err := h.Agenda.Agenda(c.Request().Context(), httpapi.Caller(c))
	return httpapi.Answer(c, rows, err)
}
