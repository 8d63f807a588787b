package savings

import (
	"io"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/httpapi"
)

// text converts an optional value of the contract to a text.
func text[T ~string](p *T) *string {
	if p == nil {
		return nil
	}
	s := string(*p)
	return &s
}

// GetMemberSavings is GET member-savings/{id}.
func (h Savings) GetMemberSavings(c *echo.Context, id contract.Id, params contract.GetMemberSavingsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	page, err := h.Groups.MemberSavings(c.Request().Context(), httpapi.Caller(c).UserID, id, params.Q, text(params.Status), params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetUserUnsettledPayments is GET user-unsettled-payments/{a}/{b}.
func (h Savings) GetUserUnsettledPayments(c *echo.Context, group, member string, params contract.GetUserUnsettledPaymentsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	view, err := h.Dues.UserUnsettled(c.Request().Context(), httpapi.Caller(c).UserID, group, member)
	return httpapi.Answer(c, view, err)
}

// GetUnsettledPayments is GET v1/savings/groups/{id}/unsettled.
func (h Savings) GetUnsettledPayments(c *echo.Context, id contract.Id, params contract.GetUnsettledPaymentsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	page, err := h.Dues.Unsettled(c.Request().Context(), httpapi.Caller(c).UserID, id, params.SubAccountId, params.Q, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetSavingsPaymentHistory is POST savings-payment-history: it only reads.
func (h Savings) GetSavingsPaymentHistory(c *echo.Context) error {
	form, err := httpapi.Bind[contract.PaymentHistoryRequest](c)
	if err != nil {
		return err
	}
	if form.UserId != nil {
		if err := httpapi.SelfUser(c, *form.UserId); err != nil {
			return err
		}
	}
	limit, err := httpapi.Limit(form.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, nil, dues.ReadModels...)
	page, err := h.Dues.MyHistory(c.Request().Context(), httpapi.Caller(c).UserID, form.GroupId, orElse(form.All, false), dues.HistoryWanted{
		SubAccountID: form.SubAccountId, From: form.From, To: form.To, Before: form.Before, Limit: limit,
	})
	return httpapi.Answer(c, page, err)
}

// GetSavingsPaymentHistoryAdmin is GET savings-payment-history-admin/{id}.
func (h Savings) GetSavingsPaymentHistoryAdmin(c *echo.Context, id contract.Id, params contract.GetSavingsPaymentHistoryAdminParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	page, err := h.Dues.AllHistory(c.Request().Context(), httpapi.Caller(c).UserID, id, params.UserId, dues.HistoryWanted{
		SubAccountID: params.SubAccountId, From: params.From, To: params.To, Before: params.Before, Limit: limit,
	})
	return httpapi.Answer(c, page, err)
}

// GetSubAccount is GET sub-account/{a}/{b}.
func (h Savings) GetSubAccount(c *echo.Context, sub, member string, params contract.GetSubAccountParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	view, err := h.Dues.SubAccount(c.Request().Context(), httpapi.Caller(c).UserID, sub, member)
	return httpapi.Answer(c, view, err)
}

// GetPaymentGrid is GET v1/savings/groups/{id}/grid.
func (h Savings) GetPaymentGrid(c *echo.Context, id contract.Id, params contract.GetPaymentGridParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	periods, err := httpapi.Count("periods", params.Periods, dues.GridPeriods, spanMost)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	grid, err := h.Dues.Grid(c.Request().Context(), httpapi.Caller(c).UserID, id, dues.GridWanted{
		SubAccountID: params.SubAccountId, From: params.From, Query: params.Q, Before: params.Before, Periods: periods, Limit: limit,
	})
	return httpapi.Answer(c, grid, err)
}

// chartMonths is the default number of months in a chart; spanMost is the most that it, or a grid, may have.
const (
	chartMonths = 12
	spanMost    = 24
)

// GetGroupCharts is GET v1/savings/groups/{id}/charts.
func (h Savings) GetGroupCharts(c *echo.Context, id contract.Id, params contract.GetGroupChartsParams) error {
	months, err := httpapi.Count("months", params.Months, chartMonths, spanMost)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	charts, err := h.Dues.Charts(c.Request().Context(), httpapi.Caller(c).UserID, id, months)
	return httpapi.Answer(c, charts, err)
}

// GetWaivers is GET v1/savings/groups/{id}/waivers.
func (h Savings) GetWaivers(c *echo.Context, id contract.Id, params contract.GetWaiversParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	page, err := h.Dues.Waivers(c.Request().Context(), httpapi.Caller(c).UserID, id, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// RequestWaiver is POST v1/savings/waivers.
func (h Savings) RequestWaiver(c *echo.Context, params contract.RequestWaiverParams) error {
	form, err := httpapi.Bind[contract.WaiverRequest](c)
	if err != nil {
		return err
	}
	id, pos, err := h.Dues.RequestWaiver(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "The waiver is asked for. Another approver decides.", contract.Created{Id: id}, pos, err)
}

// DecideWaiver is POST v1/savings/waivers/{id}/decide.
func (h Savings) DecideWaiver(c *echo.Context, id contract.Id, params contract.DecideWaiverParams) error {
	form, err := httpapi.Bind[contract.DecideWaiverRequest](c)
	if err != nil {
		return err
	}
	pos, err := h.Dues.DecideWaiver(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Did(c, either(form.Approve, "You agreed to the waiver.", "You turned the waiver down."), pos, err)
}

// GetCoverable is GET v1/savings/cover.
func (h Savings) GetCoverable(c *echo.Context, params contract.GetCoverableParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, dues.ReadModels...)
	view, err := h.Dues.Coverable(c.Request().Context(), httpapi.Caller(c).UserID, params.SubAccountId, params.MemberId)
	return httpapi.Answer(c, view, err)
}

// CoverMember is POST v1/savings/cover.
func (h Savings) CoverMember(c *echo.Context, params contract.CoverMemberParams) error {
	form, err := httpapi.Bind[contract.CoverRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	receipt, err := h.Dues.Cover(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "You paid for them. It counts as their savings.", receipt, receipt.Position, err)
}

// RemindMembers is POST v1/savings/groups/{id}/remind.
func (h Savings) RemindMembers(c *echo.Context, id contract.Id, params contract.RemindMembersParams) error {
	form, err := httpapi.Bind[contract.RemindRequest](c)
	if err != nil {
		return err
	}
	n, pos, err := h.Dues.RemindMembers(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, orElse(form.MemberIds, nil))
	return httpapi.Recorded(c, either(n == 0, "Nobody needed a reminder.", count(n, "member was", "members were")+" reminded."), contract.Reminded{Reminded: n}, pos, err)
}

// ExportGroupBook is GET v1/savings/groups/{id}/book.csv: a stream. After it has begun, an error breaks the connection,
// so that nobody takes a part for the whole.
func (h Savings) ExportGroupBook(c *echo.Context, id contract.Id, params contract.ExportGroupBookParams) error {
	begun := false
	httpapi.Position(c, h.Tracker.Position(dues.BookModels...))
	err := h.Dues.ExportBook(c.Request().Context(), httpapi.Caller(c).UserID, id, params.SubAccountId, params.From, params.To, func() io.Writer {
		begun = true
		header := c.Response().Header()
		header.Set("Content-Type", "text/csv; charset=utf-8")
		header.Set("Content-Disposition", `attachment; filename="adashi-group-book.csv"`)
		c.Response().WriteHeader(http.StatusOK)
		return c.Response()
	})
	if err != nil && begun {
		slog.WarnContext(c.Request().Context(), "a group's book broke off", "error", err)
		panic(http.ErrAbortHandler)
	}
	return err
}

// GetGroupBook is GET v1/savings/groups/{id}/book.pdf.
func (h Savings) GetGroupBook(c *echo.Context, id contract.Id, params contract.GetGroupBookParams) error {
	httpapi.Position(c, h.Tracker.Position(dues.BookModels...))
	pdf, err := h.Dues.Book(c.Request().Context(), httpapi.Caller(c).UserID, id, params.SubAccountId, params.From, params.To)
	if err != nil {
		return err
	}
	header := c.Response().Header()
	header.Set("Content-Disposition", `attachment; filename="adashi-group-book.pdf"`)
	header.Set("Content-Length", strconv.Itoa(len(pdf)))
	return c.Blob(http.StatusOK, "application/pdf", pdf)
}
