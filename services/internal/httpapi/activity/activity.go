// Package activity answers for a member's movements and dashboard.
package activity

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	activitymodel "adashi.ng/projections/activity"
	"adashi.ng/projections/engine"
	"adashi.ng/projections/groups"
	"adashi.ng/projections/payouts"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/httpapi"
)

// Activity is its handlers.
type Activity struct {
	Activity *activity.Service
	Tracker  *engine.Tracker
}

// GetActivity is GET v1/activity.
func (h Activity) GetActivity(c *echo.Context, params contract.GetActivityParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	models := []string{activitymodel.Name}
	if params.Search != nil {
		models = append(models, groups.Name) // Which knows the names of what was paid into.
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
	if err != nil {
		return err
	}
	return httpapi.OK(c, page)
}

// GetActivityDetail is GET v1/activity/{id}.
func (h Activity) GetActivityDetail(c *echo.Context, id contract.Id, params contract.GetActivityDetailParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activitymodel.Name, payouts.Name)
	detail, err := h.Activity.Movement(c.Request().Context(), httpapi.Caller(c).UserID, id)
	if err != nil {
		return err
	}
	return httpapi.OK(c, detail)
}

// GetActivityMonths is GET v1/activity/months.
func (h Activity) GetActivityMonths(c *echo.Context, params contract.GetActivityMonthsParams) error {
	months := 12
	if params.Months != nil {
		months = *params.Months
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activitymodel.Name)
	flows, err := h.Activity.MonthFlows(c.Request().Context(), httpapi.Caller(c).UserID, months)
	if err != nil {
		return err
	}
	return httpapi.OK(c, flows)
}

// GetDashboard is GET v1/dashboard.
func (h Activity) GetDashboard(c *echo.Context, params contract.GetDashboardParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activitymodel.Name, groups.Name)
	view, err := h.Activity.Dashboard(c.Request().Context(), httpapi.Caller(c).UserID)
	if err != nil {
		return err
	}
	return httpapi.OK(c, view)
}
