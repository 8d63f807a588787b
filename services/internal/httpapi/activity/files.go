package activity

import (
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/httpapi"
)

// ExportActivity is GET v1/activity/export.csv: a stream. After it has begun, an error breaks the connection, so that
// nobody takes a part for the whole.
func (h Activity) ExportActivity(c *echo.Context, params contract.ExportActivityParams) error {
	wanted := activity.Wanted{Kinds: params.Kind, GroupID: params.GroupId, From: params.From, To: params.To, Search: params.Search}
	if params.Direction != nil {
		wanted.Direction = string(*params.Direction)
	}
	if params.Channel != nil {
		wanted.Channel = string(*params.Channel)
	}
	begun := false
	httpapi.Position(c, h.Tracker.Position(activity.MovementModels...))
	err := h.Activity.ExportMovements(c.Request().Context(), httpapi.Caller(c).UserID, wanted, func() io.Writer {
		begun = true
		header := c.Response().Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="adashi-activity.csv"`)
		c.Response().WriteHeader(http.StatusOK)
		return c.Response()
	})
	if err != nil && begun {
		slog.WarnContext(c.Request().Context(), "an export of movements broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// GetStatement is GET v1/activity/statement.pdf.
func (h Activity) GetStatement(c *echo.Context, params contract.GetStatementParams) error {
	issued, err := h.Activity.Statement(c.Request().Context(), httpapi.Caller(c).UserID, params.From, params.To)
	if err != nil {
		return err
	}
	httpapi.Position(c, issued.Position)
	header := c.Response().Header()
	header.Set("Content-Disposition", `attachment; filename="adashi-statement-`+issued.Code+`.pdf"`)
	header.Set("Content-Length", strconv.Itoa(len(issued.PDF)))
	return c.Blob(http.StatusOK, "application/pdf", issued.PDF)
}

// GetReceiptFile is GET v1/activity/{id}/receipt-file.
func (h Activity) GetReceiptFile(c *echo.Context, id contract.Id, params contract.GetReceiptFileParams) error {
	picture := params.Format == contract.PNG
	issued, err := h.Activity.ReceiptFile(c.Request().Context(), httpapi.Caller(c).UserID, id, picture)
	if err != nil {
		return err
	}
	ending, kind := ".pdf", "application/pdf"
	if picture {
		ending, kind = ".png", "image/png"
	}
	header := c.Response().Header()
	header.Set("Content-Disposition", `attachment; filename="adashi-receipt-`+issued.Code+ending+`"`)
	header.Set("Content-Length", strconv.Itoa(len(issued.File)))
	return c.Blob(http.StatusOK, kind, issued.File)
}

// VerifyStatement is GET v1/statements/{code}, for everybody.
func (h Activity) VerifyStatement(c *echo.Context, code string) error {
	facts, err := h.Activity.StatementFacts(c.Request().Context(), code)
	return httpapi.Answer(c, facts, err)
}

// GetActivityReceipt is GET v1/activity/{id}/receipt.
func (h Activity) GetActivityReceipt(c *echo.Context, id contract.Id, params contract.GetActivityReceiptParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activity.MovementModels...)
	receipt, err := h.Activity.MovementProof(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, receipt, err)
}
