package ajo

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/httpapi"
)

// GetAjoCards is GET v1/ajo/cards.
func (h Ajo) GetAjoCards(c *echo.Context, params contract.GetAjoCardsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Cards(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, view, err)
}

// OpenAjoCard is POST v1/ajo/cards.
func (h Ajo) OpenAjoCard(c *echo.Context, params contract.OpenAjoCardParams) error {
	form, err := httpapi.Bind[contract.OpenAjoCardRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.OpenCard(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "Your card is open. Fill the first box.", view, pos, err)
}

// GetAjoRound is GET v1/ajo/cards/round.
func (h Ajo) GetAjoRound(c *echo.Context, params contract.GetAjoRoundParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Round(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, view, err)
}

// FillAjoCards is POST v1/ajo/cards/fill-many.
func (h Ajo) FillAjoCards(c *echo.Context, params contract.FillAjoCardsParams) error {
	form, err := httpapi.Bind[contract.FillAjoCardsRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	view, pos, err := h.Ajo.FillCards(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "All of them are filled. Their savers have their receipts.", view, pos, err)
}

// GetAjoCard is GET v1/ajo/cards/{id}.
func (h Ajo) GetAjoCard(c *echo.Context, id contract.Id, params contract.GetAjoCardParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, ajo.ReadModels...)
	view, err := h.Ajo.Card(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// FillAjoCard is POST v1/ajo/cards/{id}/fill.
func (h Ajo) FillAjoCard(c *echo.Context, id contract.Id, params contract.FillAjoCardParams) error {
	form, err := httpapi.Bind[contract.FillAjoCardRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	view, pos, err := h.Ajo.FillCard(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Boxes)
	return httpapi.Recorded(c, "Stamped.", view, pos, err)
}

// SetAjoCollector is POST v1/ajo/cards/{id}/collector.
func (h Ajo) SetAjoCollector(c *echo.Context, id contract.Id, params contract.SetAjoCollectorParams) error {
	form, err := httpapi.Bind[contract.AjoCollectorRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Ajo.SetCollector(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Saved.", view, pos, err)
}

// BreakAjoCard is POST v1/ajo/cards/{id}/break.
func (h Ajo) BreakAjoCard(c *echo.Context, id contract.Id, params contract.BreakAjoCardParams) error {
	form, err := httpapi.Bind[contract.BreakAjoCardRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	view, pos, err := h.Ajo.BreakCard(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form)
	return httpapi.Recorded(c, "Your card is broken, and the money is in your wallet.", view, pos, err)
}
