package wallet

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/rails"
)

// Webhooks is what the gateways tell us.
type Webhooks struct {
	App  *app.App
	Card rails.Collector
	Bank interface {
		rails.Collector
		SecretIs(given string) bool // The part of the webhook's path that only the bank knows.
	}
	// Identity takes what a gateway tells of checks of BVNs, the card gateway's alone; may be nil.
	Identity func(ctx context.Context, header http.Header, body []byte) error
}

const webhookMax = 64 << 10

// PaystackWebhook is POST v1/webhooks/paystack.
func (h Webhooks) PaystackWebhook(c *echo.Context) error { return h.take(c, h.Card, h.Identity) }

// VfdWebhook is POST v1/webhooks/vfd/{secret}.
func (h Webhooks) VfdWebhook(c *echo.Context, secret string) error {
	if !h.Bank.SecretIs(secret) {
		return fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return h.take(c, h.Bank, nil)
}

// take reads the raw body, which is what a signature is over. A gateway sends again whatever we do not answer with 200.
func (h Webhooks) take(c *echo.Context, from rails.Collector, otherwise func(context.Context, http.Header, []byte) error) error {
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, webhookMax))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(fault.TooLarge, "This webhook is too large.")
	}
	if err != nil {
		return fault.New(fault.Invalid, "This webhook could not be read.")
	}
	notice, err := from.ParseWebhook(c.Request().Header, body)
	if errors.Is(err, rails.ErrNoPayment) {
		if otherwise != nil {
			if err := otherwise(c.Request().Context(), c.Request().Header, body); err != nil {
				return err
			}
		}
		return httpapi.OK[any](c, nil)
	}
	if err != nil {
		return err
	}
	if err := h.App.Webhook(c.Request().Context(), notice); err != nil {
		return err
	}
	return httpapi.OK[any](c, nil)
}
