package utility

import (
	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/live"
)

// Feed is the live part of the API.
type Feed struct{ Hub *live.Hub }

// Live is GET /api/live.
func (h Feed) Live(c *echo.Context, _ contract.LiveParams) error {
	return h.Hub.Handler(c, httpapi.Caller(c))
}
