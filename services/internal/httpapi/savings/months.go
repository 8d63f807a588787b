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
	view, pos, err := h.Months.Attest(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "The month is closed.", view, pos, err)
}

// GetAttestKeys is GET v1/attest/keys.
func (h Savings) GetAttestKeys(c *echo.Context, _ contract.GetAttestKeysParams) error {
	keys, err := h.Months.Keys(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, keys, err)
}

// RegisterAttestKey is POST v1/attest/keys.
func (h Savings) RegisterAttestKey(c *echo.Context, params contract.RegisterAttestKeyParams) error {
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	form, err := httpapi.Bind[contract.AttestKeyRequest](c)
	if err != nil {
		return err
	}
	keys, pos, err := h.Months.Register(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "This device signs for you.", keys, pos, err)
}

// RevokeAttestKey is POST v1/attest/keys/revoke.
func (h Savings) RevokeAttestKey(c *echo.Context, params contract.RevokeAttestKeyParams) error {
	form, err := httpapi.Bind[contract.AttestKeyRevokeRequest](c)
	if err != nil {
		return err
	}
	keys, pos, err := h.Months.Revoke(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.PublicKey)
	return httpapi.Recorded(c, "That device does not sign for you any more.", keys, pos, err)
}

// GetMonthDraw is GET v1/months/{id}/draw.
func (h Savings) GetMonthDraw(c *echo.Context, id contract.Id, params contract.GetMonthDrawParams) error {
	view, err := h.Months.Draw(c.Request().Context(), httpapi.Caller(c).UserID, id, params.Month)
	return httpapi.Answer(c, view, err)
}
