package wallet

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/payouts"
)

// GetWalletLimits is GET v1/wallet/limits. It reads the ledger itself.
func (h Wallet) GetWalletLimits(c *echo.Context, _ contract.GetWalletLimitsParams) error {
	limits, err := h.Payouts.Limits(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, limits, err)
}

// QuoteWithdrawal is POST v1/wallet/withdrawals/quote.
func (h Wallet) QuoteWithdrawal(c *echo.Context) error {
	form, err := httpapi.Bind[contract.WithdrawalQuoteRequest](c)
	if err != nil {
		return err
	}
	quote, err := h.Payouts.QuoteWithdrawal(c.Request().Context(), httpapi.Caller(c).UserID, form.Amount)
	return httpapi.Answer(c, quote, err)
}

// GetWithdrawals is GET v1/wallet/withdrawals.
func (h Wallet) GetWithdrawals(c *echo.Context, params contract.GetWithdrawalsParams) error {
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, payouts.ReadModels...)
	page, err := h.Payouts.Withdrawals(c.Request().Context(), httpapi.Caller(c).UserID, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// Withdraw is POST v1/wallet/withdrawals. Money that leaves always requires a step-up.
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
	return httpapi.Recorded(c, standing(withdrawal.Status), withdrawal, pos, err)
}

// standing describes a withdrawal's status. A retry with the same key may find it further on.
func standing(status contract.WithdrawalStatus) string {
	switch status {
	case contract.WithdrawalStatusSENT:
		return "Your withdrawal is on its way to your bank."
	case contract.WithdrawalStatusPAID:
		return "Your withdrawal has arrived at your bank."
	case contract.WithdrawalStatusFAILED, contract.WithdrawalStatusREVERSED:
		return "Your withdrawal did not go through. The money is in your wallet again."
	}
	return "Your withdrawal is set aside. It goes to your bank next, and we tell you when it is there."
}

// GetWithdrawal is GET v1/wallet/withdrawals/{id}.
func (h Wallet) GetWithdrawal(c *echo.Context, id contract.Id, params contract.GetWithdrawalParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, payouts.ReadModels...)
	withdrawal, err := h.Payouts.Withdrawal(c.Request().Context(), httpapi.Caller(c).UserID, id)
	return httpapi.Answer(c, withdrawal, err)
}
