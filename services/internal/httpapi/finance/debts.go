package finance

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/finance"
	"adashi.ng/services/internal/httpapi"
)

// GetDebts is GET v1/finance/debts.
func (h Finance) GetDebts(c *echo.Context, params contract.GetDebtsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, finance.DebtModels...)
	page, err := h.Finance.Debts(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// ProposeWriteOff is POST v1/finance/debts/{id}/propose.
func (h Finance) ProposeWriteOff(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.ProposeWriteOffRequest](c)
	if err != nil {
		return err
	}
	debt, pos, err := h.Finance.ProposeWriteOff(c.Request().Context(), httpapi.Who(c, nil), id, form.Reason)
	return httpapi.Recorded(c, "Proposed. Another of the desk decides.", debt, pos, err)
}

// DecideWriteOff is POST v1/finance/debts/{id}/decide.
func (h Finance) DecideWriteOff(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.DecideWriteOffRequest](c)
	if err != nil {
		return err
	}
	debt, pos, err := h.Finance.DecideWriteOff(c.Request().Context(), httpapi.Who(c, nil), id, form)
	said := "Turned down. The member owes it as before."
	if form.Approve {
		said = "Written off. Adashi bears it, and the member is told."
	}
	return httpapi.Recorded(c, said, debt, pos, err)
}

// UnlockCards is POST v1/finance/cards/{id}/unlock.
func (h Finance) UnlockCards(c *echo.Context, id contract.Id) error {
	form, err := httpapi.Bind[contract.UnlockCardsRequest](c)
	if err != nil {
		return err
	}
	cards, pos, err := h.Finance.UnlockCards(c.Request().Context(), httpapi.Who(c, nil), id, form.Reason)
	return httpapi.Recorded(c, "The member may pay by card again, and is told.", cards, pos, err)
}
