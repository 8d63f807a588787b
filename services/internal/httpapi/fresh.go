package httpapi

import (
	"time"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/engine"
)

// waitMax is how long a read waits for the position that its caller just wrote.
const waitMax = 300 * time.Millisecond

// Fresh waits until the read models have come to the position that the caller asks for, and says in the reply what
// position they stand for, and that they are stale when they are not there yet.
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
