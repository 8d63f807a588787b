package wallet

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/payouts"
	"adashi.ng/services/internal/httpapi"
)

// GetWalletLimits is GET v1/wallet/limits. It stands for the ledger itself.
func (h Wallet) GetWalletLimits(c *echo.Context, _ contract.GetWalletLimitsParams) error {
	limits, err := h.Payouts.Limits(c.Request().Context(), httpapi.Caller(c).UserID)
	if err != nil {
		return err
	}
	return httpapi.OK(c, limits)
}

// QuoteWithdrawal is POST v1/wallet/withdrawals/quote.
func (h Wallet) QuoteWithdrawal(c *echo.Context) error {
	form, err := httpapi.Bind[contract.WithdrawalQuoteRequest](c)
	if err != nil {
		return err
	}
	quote, err := h.Payouts.QuoteWithdrawal(c.Request().Context(), httpapi.Caller(c).UserID, form.Amount)
	if err != nil {
		return err
	}
	return httpapi.OK(c, quote)
}

// GetWithdrawals is GET v1/wallet/withdrawals.
func (h Wallet) GetWithdrawals(c *echo.Context, params contract.GetWithdrawalsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, payouts.Name)
	page, err := h.Payouts.Withdrawals(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	if err != nil {
		return err
	}
	return httpapi.OK(c, page)
}

// Withdraw is POST v1/wallet/withdrawals. Money that leaves always steps up.
func (h Wallet) Withdraw(c *echo.Context, params contract.WithdrawParams) error {
	form, err := httpapi.Bind[contract.WithdrawRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SteppedUp(c); err != nil {
		return err
	}
	note := ""
	if form.Note != nil {
		note = *form.Note
	}
	withdrawal, pos, err := h.Payouts.Withdraw(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.Amount, form.Net, note)
	if err != nil {
		return err
	}
	httpapi.Position(c, pos)
	return httpapi.OKMessage(c, "Your withdrawal is on its way to your bank.", withdrawal)
}

// GetWithdrawal is GET v1/wallet/withdrawals/{id}.
func (h Wallet) GetWithdrawal(c *echo.Context, id contract.Id, params contract.GetWithdrawalParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, payouts.Name)
	withdrawal, err := h.Payouts.Withdrawal(c.Request().Context(), httpapi.Caller(c).UserID, id)
	if err != nil {
		return err
	}
	return httpapi.OK(c, withdrawal)
}
