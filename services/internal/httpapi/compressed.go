package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v5"
	"github.com/labstack/echo/v5/middleware"
)

// compressedFrom is the least length in bytes of an answer that is worth compressing: less fits into one packet.
const compressedFrom = 1400

// compressed gzips the longer answers to reads for clients that accept gzip. A browser sends the bearer token only for
// our own pages, so another site cannot learn a secret from the length of an answer (the BREACH attack).
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
