package httpapi

import (
	"time"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
)

// waitMax limits how long a read waits for the position that its caller just wrote.
const waitMax = 300 * time.Millisecond

// Fresh waits until the read models have reached the position that the caller asks for. It sets the position that they
// have reached in the reply, and marks the reply as stale when that is too low.
func Fresh(c *echo.Context, t *engine.Tracker, least *contract.MinPosition, models ...string) {
	if least == nil {
		Position(c, t.Position(models...))
		return
	}
	at := t.WaitFor(c.Request().Context(), *least, waitMax, models...)
	Position(c, at)
	if at < *least {
		Stale(c)
	}
}
