package savings

import (
	"io"
	"log/slog"
	"net/http"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/httpapi"
)

// GetAudit is GET v1/savings/groups/{id}/audit.
func (h Savings) GetAudit(c *echo.Context, id contract.Id, params contract.GetAuditParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, audit.ReadModels...)
	which := audit.WhichPayments{State: params.State, SubAccount: params.SubAccountId, Sample: params.Sample, Narrowing: audit.NarrowingOf(c.QueryParams())}
	page, err := h.Audit.Audit(c.Request().Context(), httpapi.Caller(c).UserID, id, which, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// MarkPayments is POST v1/savings/groups/{id}/audit.
func (h Savings) MarkPayments(c *echo.Context, id contract.Id, params contract.MarkPaymentsParams) error {
	form, err := httpapi.Bind[contract.MarkPaymentsRequest](c)
	if err != nil {
		return err
	}
	list := audit.Markings(form)
	coverage, pos, err := h.Audit.MarkPayments(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, list)
	return httpapi.Recorded(c, audit.Said(list), coverage, pos, err)
}

// ExportAudit is GET v1/savings/groups/{id}/audit.csv: a stream. After it has begun, an error breaks the connection, so
// that nobody takes a part for the whole.
func (h Savings) ExportAudit(c *echo.Context, id contract.Id, params contract.ExportAuditParams) error {
	httpapi.Position(c, h.Tracker.Position(audit.ReadModels...))
	which := audit.WhichPayments{State: params.State, SubAccount: params.SubAccountId, Sample: params.Sample, Narrowing: audit.NarrowingOf(c.QueryParams())}
	return streamed(c, func(begin func() io.Writer) error {
		return h.Audit.ExportAudit(c.Request().Context(), httpapi.Caller(c).UserID, id, which, begin)
	})
}

// streamed answers with a file that is written while it is read from the database.
func streamed(c *echo.Context, write func(begin func() io.Writer) error) error {
	begun := false
	err := write(func() io.Writer {
		begun = true
		header := c.Response().Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="adashi-audit.csv"`)
		c.Response().WriteHeader(http.StatusOK)
		return c.Response()
	})
	if err != nil && begun {
		slog.WarnContext(c.Request().Context(), "an export of an audit broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// GetAuditDesk is GET v1/audit.
func (h Savings) GetAuditDesk(c *echo.Context, params contract.GetAuditDeskParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, audit.DeskReadModels...)
	which := audit.WhichOnDesk{Queue: orElse(params.Queue, audit.QueueOLDEST), Place: orElse(params.Place, ""), Narrowing: audit.NarrowingOf(c.QueryParams())}
	page, err := h.Audit.Desk(c.Request().Context(), httpapi.Caller(c).UserID, which, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// ExportAuditDesk is GET v1/audit.csv: a stream, as ExportAudit is.
func (h Savings) ExportAuditDesk(c *echo.Context, params contract.ExportAuditDeskParams) error {
	httpapi.Position(c, h.Tracker.Position(audit.DeskReadModels...))
	which := audit.WhichOnDesk{Queue: orElse(params.Queue, audit.QueueOLDEST), Place: orElse(params.Place, ""), Narrowing: audit.NarrowingOf(c.QueryParams())}
	return streamed(c, func(begin func() io.Writer) error {
		return h.Audit.ExportDesk(c.Request().Context(), httpapi.Caller(c).UserID, which, begin)
	})
}
