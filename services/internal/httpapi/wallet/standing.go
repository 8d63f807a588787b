package wallet

import (
	"context"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/standingorders"
	"adashi.ng/services/internal/usecase"
)

// GetStandingOrders is GET v1/wallet/standing-orders.
func (h Wallet) GetStandingOrders(c *echo.Context, params contract.GetStandingOrdersParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, standingorders.ReadModels...)
	orders, err := h.StandingOrders.StandingOrders(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, orders, err)
}

// CreateStandingOrder is POST v1/wallet/standing-orders.
func (h Wallet) CreateStandingOrder(c *echo.Context, params contract.CreateStandingOrderParams) error {
	form, err := httpapi.Bind[contract.CreateStandingOrderRequest](c)
	if err != nil {
		return err
	}
	order, pos, err := h.StandingOrders.SetStandingOrder(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "Your standing order is set.", order, pos, err)
}

// PauseStandingOrder is POST v1/wallet/standing-orders/{id}/pause.
func (h Wallet) PauseStandingOrder(c *echo.Context, id contract.Id) error {
	return change(c, id, "Your standing order rests. The days meanwhile are left out.", h.StandingOrders.PauseStandingOrder)
}

// ResumeStandingOrder is POST v1/wallet/standing-orders/{id}/resume.
func (h Wallet) ResumeStandingOrder(c *echo.Context, id contract.Id) error {
	return change(c, id, "Your standing order goes on.", h.StandingOrders.ResumeStandingOrder)
}

// EndStandingOrder is DELETE v1/wallet/standing-orders/{id}.
func (h Wallet) EndStandingOrder(c *echo.Context, id contract.Id) error {
	return change(c, id, "Your standing order has ended.", h.StandingOrders.EndStandingOrder)
}

func change(c *echo.Context, id, message string, do func(context.Context, usecase.Who, string) (contract.StandingOrder, int64, error)) error {
	order, pos, err := do(c.Request().Context(), httpapi.Who(c, nil), id)
	return httpapi.Recorded(c, message, order, pos, err)
}
