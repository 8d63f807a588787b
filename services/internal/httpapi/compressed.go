package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
)

// compressedFrom is the least length in bytes of an answer that is worth compressing: less fits into one packet.
const compressedFrom = 1400

// compressed sends the longer answers of the API's reads as gzip to whoever takes it. Bearer tokens are in a header
// that other sites cannot have a browser send, so nobody learns secrets from the length of an answer (BREACH).
var compressed = middleware.GzipWithConfig(middleware.GzipConfig{
	Level:     1,
	MinLength: compressedFrom,
	Skipper: func(c *echo.Context) bool {
		request := c.Request()
		return request.Method != http.MethodGet || !isAPI(request.URL.Path) || request.URL.Path == streamPath
	},
})

// streamPath is the one answer that never ends, and whose parts must not wait for each other.
const streamPath = "/api/live"
