package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v5"

	"adashi.ng/proto/gen/access"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
)

// timed reports how long each answer took, by its route's template. It skips streams, which end when their reader
// disconnects.
func timed(observe Observe) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			began := clock.Start()
			err := next(c)
			method, route := c.Request().Method, c.Path()
			if !access.Routes[method+" "+route].Stream {
				observe(known(method), route, statusOf(c, err), began.Took())
			}
			return err
		}
	}
}

// known keeps invented methods from becoming labels.
func known(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

// statusOf returns the status that was written, or that handleError will write.
func statusOf(c *echo.Context, err error) int {
	if err == nil {
		if response, _ := echo.UnwrapResponse(c.Response()); response != nil && response.Status != 0 {
			return response.Status
		}
		return http.StatusOK
	}
	if refusal := fault.As(err); refusal != nil {
		if status, known := statuses[refusal.Code]; known {
			return status
		}
	}
	if outage(err) {
		return http.StatusServiceUnavailable
	}
	if status := echo.StatusCode(err); status != 0 {
		return status
	}
	return http.StatusInternalServerError
}
