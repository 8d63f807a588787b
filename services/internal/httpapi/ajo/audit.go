package ajo

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/httpapi"
)

// GetAjoAudit is GET v1/ajo/{id}/audit.
func (h Ajo) GetAjoAudit(c *echo.Context, id contract.Id, params contract.GetAjoAuditParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, audit.AjoReadModels...)
	which := audit.WhichOfAjo{State: params.State, Cycle: params.Cycle, Sample: params.Sample, Narrowing: audit.NarrowingOf(c.QueryParams())}
	page, err := h.Audit.Ajo(c.Request().Context(), httpapi.Caller(c).UserID, id, which, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// MarkAjoPayments is POST v1/ajo/{id}/audit.
func (h Ajo) MarkAjoPayments(c *echo.Context, id contract.Id, params contract.MarkAjoPaymentsParams) error {
	form, err := httpapi.Bind[contract.MarkPaymentsRequest](c)
	if err != nil {
		return err
	}
	list := audit.Markings(form)
	coverage, pos, err := h.Audit.MarkAjo(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, list)
	return httpapi.Recorded(c, audit.Said(list), coverage, pos, err)
}

// ExportAjoAudit is GET v1/ajo/{id}/audit.csv.
func (h Ajo) ExportAjoAudit(c *echo.Context, id contract.Id, params contract.ExportAjoAuditParams) error {
	which := audit.WhichOfAjo{State: params.State, Cycle: params.Cycle, Sample: params.Sample, Narrowing: audit.NarrowingOf(c.QueryParams())}
	file, err := h.Audit.ExportAjo(c.Request().Context(), httpapi.Caller(c).UserID, id, which)
	if err != nil {
		return err
	}
	return httpapi.Attachment(c, "text/csv; charset=utf-8", []byte(file))
}
