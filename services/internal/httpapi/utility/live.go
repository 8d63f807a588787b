package utility

import (
	"context"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/live"
	"adashi.ng/services/internal/people"
)

// Feed is the live part of the API.
type Feed struct {
	Hub    *live.Hub
	People *people.Service
}

// Live is GET /api/live.
func (h Feed) Live(c *echo.Context, _ contract.LiveParams) error {
	caller := httpapi.Caller(c)
	return h.Hub.Handler(c, caller, func(ctx context.Context) error { return h.People.Stands(ctx, caller) })
}
