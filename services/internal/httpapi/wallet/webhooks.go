package wallet

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v5"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/rails"
)

// Webhooks is what the gateways tell us.
type Webhooks struct {
	Payments *payments.Service
	Card     rails.Collector
	Bank     interface {
		rails.Collector
		SecretIs(given string) bool // The part of the webhook's path that only the bank knows.
	}
	// CardHooks take what the card gateway tells of anything but payments, the first that knows what it is about.
	CardHooks []Hook
}

// Hook takes a genuine webhook; rails.ErrNoPayment says that it is about something else.
type Hook func(ctx context.Context, header http.Header, body []byte) error

const webhookMax = 64 << 10

// PaystackWebhook is POST v1/webhooks/paystack.
func (h Webhooks) PaystackWebhook(c *echo.Context) error {
	return h.take(c, nairav1.Channel_CHANNEL_CARD, h.Card, h.CardHooks)
}

// VfdWebhook is POST v1/webhooks/vfd/{secret}.
func (h Webhooks) VfdWebhook(c *echo.Context, secret string) error {
	if !h.Bank.SecretIs(secret) {
		return fault.New(fault.NotFound, "There is nothing at this address.")
	}
	return h.take(c, nairav1.Channel_CHANNEL_BANK_TRANSFER, h.Bank, nil)
}

// take reads the raw body, which is what a signature is over. A gateway sends again whatever we do not answer with 200.
func (h Webhooks) take(c *echo.Context, channel nairav1.Channel, from rails.Collector, others []Hook) error {
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, webhookMax))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(fault.TooLarge, "This webhook is too large.")
	}
	if err != nil {
		return fault.New(fault.Invalid, "This webhook could not be read.")
	}
	notice, err := from.ParseWebhook(c.Request().Header, body)
	if err == nil {
		err = h.Payments.Webhook(c.Request().Context(), channel, notice)
	}
	for _, hook := range others {
		if errors.Is(err, rails.ErrNoPayment) {
			err = hook(c.Request().Context(), c.Request().Header, body)
		}
	}
	if err != nil && !errors.Is(err, rails.ErrNoPayment) {
		return err
	}
	return httpapi.OK[any](c, nil)
}
