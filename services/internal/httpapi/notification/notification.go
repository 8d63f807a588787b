// Package notification handles the Notification calls.
package notification

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/notices"
)

// Notification has its handlers.
type Notification struct {
	Notices *notices.Service
	Tracker *engine.Tracker
}

// GetNotifications is GET Notification/all.
func (h Notification) GetNotifications(c *echo.Context, params contract.GetNotificationsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, notices.ReadModels...)
	page, err := h.Notices.Notifications(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetUnread is GET /api/v1/notifications/unread.
func (h Notification) GetUnread(c *echo.Context, params contract.GetUnreadParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, notices.ReadModels...)
	unread, err := h.Notices.Unread(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, contract.Unread{Unread: unread}, err)
}

// ReadNotifications is PATCH Notification/all.
func (h Notification) ReadNotifications(c *echo.Context) error {
	if err := h.Notices.MarkAllRead(c.Request().Context(), httpapi.Caller(c).UserID); err != nil {
		return err
	}
	return httpapi.OK[any](c, nil)
}

// ClearNotifications is DELETE Notification/all.
func (h Notification) ClearNotifications(c *echo.Context) error {
	if err := h.Notices.Clear(c.Request().Context(), httpapi.Caller(c).UserID); err != nil {
		return err
	}
	return httpapi.OK[any](c, nil)
}

// GetNotification is GET Notification/{id}.
func (h Notification) GetNotification(c *echo.Context, id contract.Id) error {
	view, err := h.Notices.Notification(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// ReadNotification is PATCH Notification/{id}.
func (h Notification) ReadNotification(c *echo.Context, id contract.Id) error {
	if err := h.Notices.ReadNotification(c.Request().Context(), httpapi.Caller(c).UserID, id); err != nil {
		return err
	}
	return httpapi.OK[any](c, nil)
}
