package httpapi

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
)

// The headers are shared slices, so that a request allocates nothing for them.
var (
	csp = []string{"default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
		"frame-ancestors 'none'; base-uri 'none'; form-action 'self'"}
	nosniff    = []string{"nosniff"}
	noReferrer = []string{"no-referrer"}
	noStore    = []string{"no-store"}
	hsts       = []string{"max-age=31536000"}
	ours       = []string{"api"}
)

// frame wraps every request, for a known route or not: it adds a request id, the security headers and the body's limit,
// and turns a panic into an error.
func frame(overTLS bool, now func() time.Time) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) (err error) {
			defer recoverTo(&err)
			request := c.Request()
			header := c.Response().Header()
			header["X-Request-Id"] = []string{requestID(request)}
			header["Content-Security-Policy"] = csp
			header["X-Content-Type-Options"] = nosniff
			header["Referrer-Policy"] = noReferrer
			if overTLS {
				header["Strict-Transport-Security"] = hsts
			}
			if isAPI(request.URL.Path) {
				header["Cache-Control"] = noStore
				header["X-Adashi"] = ours                                      // A captive portal that answers in our place does not send it.
				header["Date"] = []string{now().UTC().Format(http.TimeFormat)} // Screens count down deadlines from it.
			}
			most := bodyMax(request)
			if request.ContentLength > most {
				return fault.New(fault.TooLarge, tooLarge)
			}
			if request.ContentLength < 0 { // A known length already limits the body.
				request.Body = http.MaxBytesReader(c.Response(), request.Body, most)
			}
			return next(c)
		}
	}
}

// sandboxUploads is the path for uploads to the sandbox's gateway.
const sandboxUploads = "/sandbox/uploads/"

// bodyMax limits the bytes that a request may send.
func bodyMax(request *http.Request) int64 {
	if request.Method == http.MethodPost && slices.Contains(uploadPaths, request.URL.Path) || request.Method == http.MethodPut && strings.HasPrefix(request.URL.Path, sandboxUploads) {
		return uploadBytesMax
	}
	return bodyBytesMax
}

func recoverTo(err *error) {
	switch cause := recover(); cause {
	case nil:
	case http.ErrAbortHandler:
		panic(cause) // net/http's own way to drop a connection.
	default:
		*err = fmt.Errorf("panic: %v\n%s", cause, debug.Stack())
	}
}

func isAPI(path string) bool { return path == "/api" || strings.HasPrefix(path, "/api/") }

// requestID accepts a valid one that a proxy made. It identifies a log line; it is not a secret.
func requestID(request *http.Request) string {
	given := request.Header.Get("X-Request-Id")
	plain := strings.IndexFunc(given, func(r rune) bool {
		return r != '-' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	}) < 0
	if given != "" && len(given) <= 64 && plain {
		return given
	}
	return fmt.Sprintf("%016x", rand.Uint64())
}
