package savings

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/liquidations"
)

// QuoteLiquidation is POST v1/savings/liquidations/quote.
func (h Savings) QuoteLiquidation(c *echo.Context) error {
	form, err := httpapi.Bind[contract.LiquidationQuoteRequest](c)
	if err != nil {
		return err
	}
	quote, err := h.Liquidations.QuoteRequest(c.Request().Context(), httpapi.Caller(c).UserID, liquidations.NewRequest{
		SubAccountID: form.SubAccountId, Kind: form.Kind, Amount: form.Amount, BankCode: orElse(form.BankCode, ""), Account: orElse(form.AccountNumber, ""),
	})
	return httpapi.Answer(c, quote, err)
}

// RequestLiquidation is POST group-savings-liquidation-vfd. Money that leaves always requires a step-up.
func (h Savings) RequestLiquidation(c *echo.Context, params contract.RequestLiquidationParams) error {
	form, err := httpapi.Bind[contract.LiquidationRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	view, pos, err := h.Liquidations.RequestLiquidation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), liquidations.NewRequest{
		GroupID: form.GroupId, SubAccountID: form.SubAccountId, Kind: form.Kind, Amount: form.Amount, Net: form.Net, Reason: form.Reason,
		BankCode: orElse(form.BankCode, ""), Account: orElse(form.AccountNumber, ""),
	}, steppedUp(c))
	return httpapi.Recorded(c, "Your request is sent to those who decide.", view, pos, err)
}

func steppedUp(c *echo.Context) func() error { return func() error { return httpapi.SteppedUp(c) } }

// ValidateLiquidationByLink is GET validate-liquidation-request/{a}/{b}/{c}. It changes state, as the product's
// contract requires: a repeated call is done once, and calls that only load ahead are refused.
func (h Savings) ValidateLiquidationByLink(c *echo.Context, group, id string, verdict contract.ValidateLiquidationByLinkParamsC) error {
	if !deliberate(c.Request()) {
		return fault.New(fault.Forbidden, "This link decides on a request, so it answers only who opens it. Nothing was decided.")
	}
	key := "by link " + id + " " + string(verdict)
	return h.decide(c, string(verdict), func(approve bool) (liquidations.Liquidation, int64, error) {
		return h.Liquidations.DecideByLink(c.Request().Context(), httpapi.Who(c, &key), group, id, approve, steppedUp(c))
	})
}

// deliberate reports whether a person opened a page, and not a browser or a scanner that loads ahead.
func deliberate(r *http.Request) bool {
	if r.Method != http.MethodGet {
		return false
	}
	for _, name := range []string{"Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"} {
		if r.Header.Get(name) != "" {
			return false // Prefetch, prerender, preview: only such loading ahead names a purpose.
		}
	}
	switch r.Header.Get("Sec-Fetch-Mode") {
	case "", "navigate", "cors", "same-origin":
	default:
		return false
	}
	switch dest := r.Header.Get("Sec-Fetch-Dest"); dest {
	case "", "document", "empty":
		return true
	default:
		return false
	}
}

// ValidateLiquidation is POST validate-liquidation-request/{a}/{b}/{c}.
func (h Savings) ValidateLiquidation(c *echo.Context, group, id string, verdict contract.ValidateLiquidationParamsC, params contract.ValidateLiquidationParams) error {
	form, err := httpapi.Bind[contract.OptionalReasonRequest](c)
	if err != nil {
		return err
	}
	return h.decide(c, string(verdict), func(approve bool) (liquidations.Liquidation, int64, error) {
		return h.Liquidations.DecideLiquidation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), group, id, approve, strings.TrimSpace(orElse(form.Reason, "")), steppedUp(c))
	})
}

func (h Savings) decide(c *echo.Context, verdict string, decided func(approve bool) (liquidations.Liquidation, int64, error)) error {
	approve := verdict == "approve"
	if !approve && verdict != "reject" {
		return fault.New(fault.NotFound, "There is no such page.")
	}
	view, pos, err := decided(approve)
	return httpapi.Recorded(c, either(approve, "You agreed to the request.", "You turned the request down. Its money is free again."), view, pos, err)
}

// GetLiquidations is GET get-savings-liquidation-request-list/{id}.
func (h Savings) GetLiquidations(c *echo.Context, id contract.Id, params contract.GetLiquidationsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, liquidations.ReadModels...)
	page, err := h.Liquidations.Liquidations(c.Request().Context(), httpapi.Caller(c).UserID, id, string(orElse(params.Status, "")), params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// GetLiquidation is GET v1/savings/liquidations/{id}.
func (h Savings) GetLiquidation(c *echo.Context, id contract.Id, params contract.GetLiquidationParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, liquidations.ReadModels...)
	view, err := h.Liquidations.Liquidation(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, view, err)
}

// CancelLiquidation is POST v1/savings/liquidations/{id}/cancel.
func (h Savings) CancelLiquidation(c *echo.Context, id contract.Id, params contract.CancelLiquidationParams) error {
	view, pos, err := h.Liquidations.CancelLiquidation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id)
	return httpapi.Recorded(c, "The request is called off. Its money is free again.", view, pos, err)
}

// RetryLiquidation is POST v1/savings/liquidations/{id}/retry. Money that leaves always requires a step-up.
func (h Savings) RetryLiquidation(c *echo.Context, id contract.Id, params contract.RetryLiquidationParams) error {
	view, pos, err := h.Liquidations.RetryLiquidation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, steppedUp(c))
	return httpapi.Recorded(c, "The payment is sent to the bank again.", view, pos, err)
}

// ObjectToLiquidation is POST v1/savings/liquidations/{id}/object.
func (h Savings) ObjectToLiquidation(c *echo.Context, id contract.Id, params contract.ObjectToLiquidationParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Liquidations.ObjectToLiquidation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Recorded(c, "Your objection is recorded. Two members put the payment on hold.", view, pos, err)
}

// AnswerObjections is POST v1/savings/liquidations/{id}/answer.
func (h Savings) AnswerObjections(c *echo.Context, id contract.Id, params contract.AnswerObjectionsParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Liquidations.AnswerObjections(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason, steppedUp(c))
	return httpapi.Recorded(c, "Your answer is sent to every member.", view, pos, err)
}

// ReleaseLiquidation is POST v1/savings/liquidations/{id}/release.
func (h Savings) ReleaseLiquidation(c *echo.Context, id contract.Id, params contract.ReleaseLiquidationParams) error {
	form, err := httpapi.Bind[contract.ReasonRequest](c)
	if err != nil {
		return err
	}
	view, pos, err := h.Liquidations.ReleaseLiquidation(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), id, form.Reason)
	return httpapi.Recorded(c, "The money is back in the sub-account.", view, pos, err)
}
