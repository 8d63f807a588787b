// Package wallet handles the Wallet and Payment calls.
package wallet

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/standingorders"
)

// Wallet has its handlers.
type Wallet struct {
	Activity       *activity.Service
	Ajo            *ajo.Service
	Dues           *dues.Service
	Payments       *payments.Service
	StandingOrders *standingorders.Service
	Payouts        *payouts.Service
	Tracker        *engine.Tracker
}

// FundWallet is POST Wallet/FundWalletVfd.
func (h Wallet) FundWallet(c *echo.Context, params contract.FundWalletParams) error {
	form, err := httpapi.Bind[contract.FundWalletRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	started, pos, err := h.Payments.FundWallet(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.Amount, form.Channel, payments.UseCard(form.CardId, form.SaveCard))
	return httpapi.Recorded(c, "Your payment is started. It is in your wallet once the money has arrived.", started, pos, err)
}

// GetWalletBalance is GET Wallet/GetWalletBalance/?email.
func (h Wallet) GetWalletBalance(c *echo.Context, params contract.GetWalletBalanceParams) error {
	return h.balances(c, params.Email, params.XMinPosition)
}

// GetUserBalance is GET Wallet/get-user-balance?email.
func (h Wallet) GetUserBalance(c *echo.Context, params contract.GetUserBalanceParams) error {
	return h.balances(c, params.Email, params.XMinPosition)
}

func (h Wallet) balances(c *echo.Context, email *string, least *contract.MinPosition) error {
	if err := httpapi.SelfEmailIf(c, email); err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, least, activity.BalanceModels...)
	b, err := h.Activity.Balances(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, b, err)
}

// GetUserWalletTransactions is GET Wallet/GetUserWalletTransactions?email.
func (h Wallet) GetUserWalletTransactions(c *echo.Context, params contract.GetUserWalletTransactionsParams) error {
	if err := httpapi.SelfEmailIf(c, params.Email); err != nil {
		return err
	}
	limit, err := httpapi.Limit(params.Limit)
	if err != nil {
		return err
	}
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, activity.MovementModels...)
	page, err := h.Activity.Movements(c.Request().Context(), httpapi.Caller(c).UserID, activity.Wanted{}, params.Before, limit)
	return httpapi.Answer(c, page, err)
}

// text returns an optional text, empty when there is none.
func text(t *string) string {
	if t == nil {
		return ""
	}
	return *t
}

// MakePaymentWithWallet is POST Wallet/make-payment-with-wallet.
func (h Wallet) MakePaymentWithWallet(c *echo.Context, params contract.MakePaymentWithWalletParams) error {
	form, err := httpapi.Bind[contract.WalletPaymentRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	if form.AjoId != nil && *form.AjoId != "" {
		what := contract.AjoPayRequest{What: "DUE", Amount: form.Amount, Cycle: form.Cycle, Seat: form.Seat, UserId: form.UserId}
		if form.Cycle == nil {
			what.What = "DEPOSIT"
		}
		receipt, err := h.Ajo.Pay(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), *form.AjoId, what)
		return httpapi.Recorded(c, "Paid from your wallet.", receipt, receipt.Position, err)
	}
	receipt, err := h.Dues.PayFromWallet(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), text(form.SubAccountId), form.Amount, dues.DueOf(form.MonthId, form.Period))
	if err != nil {
		return err
	}
	httpapi.Position(c, receipt.Position)
	return httpapi.OKMessage(c, "Paid from your wallet.", receipt)
}

// MakePaymentsWithWallet is POST v1/wallet/make-payments-with-wallet.
func (h Wallet) MakePaymentsWithWallet(c *echo.Context, params contract.MakePaymentsWithWalletParams) error {
	form, err := httpapi.Bind[contract.WalletPaymentsRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfUser(c, form.UserId); err != nil {
		return err
	}
	receipts, err := h.Dues.PayManyFromWallet(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form.Payments)
	if err != nil {
		return err
	}
	httpapi.Position(c, receipts[len(receipts)-1].Position)
	return httpapi.OKMessage(c, "All of them are paid from your wallet.", receipts)
}

// GetOpenPayments is GET v1/wallet/open-payments.
func (h Wallet) GetOpenPayments(c *echo.Context, params contract.GetOpenPaymentsParams) error {
	httpapi.Fresh(c, h.Tracker, params.XMinPosition, payments.ReadModels...)
	open, err := h.Payments.OpenPayments(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, open, err)
}
