package savings

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/months"
)

// GetClosedMonths is GET v1/months/{id}.
func (h Savings) GetClosedMonths(c *echo.Context, id contract.Id, params contract.GetClosedMonthsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, months.ReadModels...)
	view, err := h.Months.Months(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// CloseMonth is POST v1/months/{id}.
func (h Savings) CloseMonth(c *echo.Context, id contract.Id, params contract.CloseMonthParams) error {
	form, err := httpapi.Bind[contract.CloseMonthRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Months.Close(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "The list is sealed. The sample is drawn within minutes.", view, pos, err)
}

// SubmitMonthBeacon is POST v1/months/{id}/beacon.
func (h Savings) SubmitMonthBeacon(c *echo.Context, id contract.Id, params contract.SubmitMonthBeaconParams) error {
	form, err := httpapi.Bind[contract.AjoBeaconRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Months.Submit(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Signature)
	return httpapi.Recorded(c, "The sample is drawn.", view, pos, err)
}

// AttestMonth is POST v1/months/{id}/attest.
func (h Savings) AttestMonth(c *echo.Context, id contract.Id, params contract.AttestMonthParams) error {
	form, err := httpapi.Bind[contract.AttestMonthRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Months.Attest(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Month)
	return httpapi.Recorded(c, "The month is closed.", view, pos, err)
}

// GetMonthDraw is GET v1/months/{id}/draw.
func (h Savings) GetMonthDraw(c *echo.Context, id contract.Id, params contract.GetMonthDrawParams) error {
	view, err := h.Months.Draw(c.Request().Context(), httpapi.Caller(c).UserID, id, params.Month)
	return httpapi.Answer(c, view, err)
}
