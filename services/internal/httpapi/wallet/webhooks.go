package wallet

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/rails"
)

// Webhooks has the handlers of the providers' webhooks.
type Webhooks struct {
	// Hooks returns a provider's hooks; the first that recognizes a webhook handles it. It is empty for a provider
	// without webhooks.
	Hooks func(provider event.Provider) []Hook
	// Opens reports whether a provider's webhooks may come by a path with this secret; empty for a path without one.
	Opens func(provider event.Provider, secret string) bool
}

// Hook handles a genuine webhook; rails.ErrNoPayment means that it is about something else.
type Hook func(ctx context.Context, header http.Header, body []byte) error

const webhookMax = 64 << 10

// PaystackWebhook is POST v1/webhooks/paystack.
func (h Webhooks) PaystackWebhook(c *echo.Context) error {
	return h.take(c, event.Paystack, "")
}

// VfdWebhook is POST v1/webhooks/vfd/{secret}.
func (h Webhooks) VfdWebhook(c *echo.Context, secret string) error {
	return h.take(c, event.Vfd, secret)
}

// RailWebhook is POST v1/webhooks/rails/{provider}.
func (h Webhooks) RailWebhook(c *echo.Context, provider string) error {
	return h.take(c, event.Provider(provider), "")
}

// RailSecretWebhook is POST v1/webhooks/rails/{provider}/{secret}.
func (h Webhooks) RailSecretWebhook(c *echo.Context, provider, secret string) error {
	return h.take(c, event.Provider(provider), secret)
}

// take reads the raw body, because the signature covers it. A gateway repeats a webhook that we do not answer with 200.
func (h Webhooks) take(c *echo.Context, provider event.Provider, secret string) error {
	hooks := h.Hooks(provider)
	if len(hooks) == 0 || !h.Opens(provider, secret) {
		return fault.New(fault.NotFound, "There is nothing at this address.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Response(), c.Request().Body, webhookMax))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return fault.New(fault.TooLarge, "This webhook is too large.")
	}
	if err != nil {
		return fault.New(fault.Invalid, "This webhook could not be read.")
	}
	err = rails.ErrNoPayment
	for _, hook := range hooks {
		if errors.Is(err, rails.ErrNoPayment) {
			err = hook(c.Request().Context(), c.Request().Header, body)
		}
	}
	if err != nil && !errors.Is(err, rails.ErrNoPayment) {
		return err
	}
	return httpapi.OK[any](c, nil)
}
