package wallet

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/profile"
)

// QuotePayment is GET v1/payment/quote.
func (h Wallet) QuotePayment(c *echo.Context, params contract.QuotePaymentParams) error {
	quote, err := h.Payments.QuotePayment(c.Request().Context(), httpapi.Caller(c).UserID, params.Amount, params.Channel)
	return httpapi.Answer(c, quote, err)
}

// GenerateReference is POST Payment/generate-reference.
func (h Wallet) GenerateReference(c *echo.Context, params contract.GenerateReferenceParams) error {
	form, err := httpapi.Bind[contract.GenerateReferenceRequest](c)
	if err != nil {
		return err
	}
	started, pos, err := h.Payments.GenerateReference(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "Your payment is started. It counts once the money has arrived.", started, pos, err)
}

// MakePayment is POST Payment/make-payment. The reference makes a retry safe.
func (h Wallet) MakePayment(c *echo.Context, params contract.MakePaymentParams) error {
	form, err := httpapi.Bind[contract.MakePaymentRequest](c)
	if err != nil {
		return err
	}
	payment, pos, err := h.Payments.MakePayment(c.Request().Context(), httpapi.Who(c, params.IdempotencyKey), form)
	return httpapi.Recorded(c, "Your payment is started. It counts once the money has arrived.", payment, pos, err)
}

// VerifyTransactionByReference is GET Payment/verify-transaction/{reference}.
func (h Wallet) VerifyTransactionByReference(c *echo.Context, reference string) error {
	return h.verify(c, reference)
}

// VerifyTransaction is POST Payment/verifyFirstTransaction.
func (h Wallet) VerifyTransaction(c *echo.Context) error {
	form, err := httpapi.Bind[contract.VerifyTransactionRequest](c)
	if err != nil {
		return err
	}
	return h.verify(c, form.TransactionRef)
}

func (h Wallet) verify(c *echo.Context, reference string) error {
	payment, pos, err := h.Payments.VerifyPayment(c.Request().Context(), httpapi.Caller(c).UserID, reference)
	return httpapi.Recorded(c, httpapi.Done, payment, pos, err)
}

// Cards handles the calls about saved cards.
type Cards struct{ Profile *profile.Service }

// GetCards is GET v1/wallet/cards.
func (h Cards) GetCards(c *echo.Context) error {
	cards, err := h.Profile.Cards(c.Request().Context(), httpapi.Caller(c).UserID)
	return httpapi.Answer(c, cards, err)
}

// DeleteCard is DELETE v1/wallet/cards/{id}.
func (h Cards) DeleteCard(c *echo.Context, id contract.Id) error {
	if err := h.Profile.ForgetCard(c.Request().Context(), httpapi.Caller(c).UserID, id); err != nil {
		return err
	}
	return httpapi.OKMessage[any](c, "The card is removed.", nil)
}
