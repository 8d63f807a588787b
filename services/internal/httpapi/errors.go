package httpapi

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/fault"
)

const (
	codeInternal fault.Code = "INTERNAL"

	nothingHere    = "There is nothing at this address."
	wrongMethod    = "This address does not take that kind of request."
	tooLarge       = "That is more than this address accepts. Please send less."
	expired        = "Your session has expired, please log in to continue"
	somethingWrong = "Something went wrong"
	noAnswer       = "We could not answer just now. Please try again shortly."
	notKnownKeyed  = "We do not know yet whether this went through. Please try again: it will not be done twice."
	notKnown       = "We do not know yet whether this went through. Please look whether it did before you try again."
	notUnderstood  = "We could not read that request. Please check it and try again."
)

// statuses is the one place that maps refusals to HTTP statuses.
var statuses = map[fault.Code]int{
	fault.Invalid:         http.StatusBadRequest,
	fault.Credentials:     http.StatusBadRequest,
	fault.Unauthenticated: http.StatusUnauthorized,
	fault.Forbidden:       http.StatusForbidden,
	fault.StepUp:          http.StatusForbidden,
	fault.NotFound:        http.StatusNotFound,
	fault.Conflict:        http.StatusConflict,
	fault.TooLarge:        http.StatusRequestEntityTooLarge,
	fault.TooMany:         http.StatusTooManyRequests,
	fault.Insufficient:    http.StatusUnprocessableEntity,
	fault.Unavailable:     http.StatusServiceUnavailable,
}

// Status returns the HTTP status of a refusal's code: 500 for an unknown code.
func Status(code fault.Code) int {
	if status, known := statuses[code]; known {
		return status
	}
	return http.StatusInternalServerError
}

// sessionExpired is the only fault that the edge turns into a 401.
func sessionExpired() error { return fault.New(fault.Unauthenticated, expired) }

// handleError is echo's HTTPErrorHandler: every error of every handler ends here and becomes an envelope.
func handleError(c *echo.Context, err error) {
	if response, _ := echo.UnwrapResponse(c.Response()); response != nil && response.Committed {
		if !errors.Is(err, context.Canceled) {
			logError(c, "reply broken off", err)
		}
		return
	}
	if errors.Is(err, context.Canceled) && c.Request().Context().Err() != nil {
		return // The caller has disconnected.
	}
	status, code, message := translate(c, err)
	if status == http.StatusServiceUnavailable {
		c.Response().Header().Set("Retry-After", "2")
	}
	if refusal := fault.As(err); refusal != nil && refusal.Wait > 0 {
		c.Response().Header().Set("Retry-After", strconv.Itoa(int((refusal.Wait+time.Second-1)/time.Second)))
	}
	envelope := Envelope[any]{Message: message, ReturnedCode: code}
	if refusal := fault.As(err); refusal != nil && refusal.Field != "" {
		envelope.ReturnedObject = about{refusal.Field}
	} else if name := badParameter(err); refusal == nil && name != "" {
		envelope.ReturnedObject = about{name}
	}
	if err := write(c, status, envelope); err != nil {
		logError(c, "reply not sent", err)
	}
}

// outage reports whether a dependency did not answer, or not in time: a missed deadline, a lost connection (also while
// it replied, which pgx reports as the end of the file) or Postgres's own "not now" (SQLSTATE 08, 53 and 57P).
func outage(err error) bool {
	var answered *pgconn.PgError
	if errors.As(err, &answered) {
		return strings.HasPrefix(answered.Code, "08") || strings.HasPrefix(answered.Code, "53") || strings.HasPrefix(answered.Code, "57P")
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &connect) || errors.As(err, &network) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.Is(err, pgconn.ErrConnClosed)
}

// unanswered is the message of an outage for a request. A read did nothing; for a write we do not know whether it was
// done. A retry with the same key does it once.
func unanswered(r *http.Request) string {
	switch {
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		return noAnswer
	case r.Header.Get("Idempotency-Key") != "":
		return notKnownKeyed
	}
	return notKnown
}

// about names the input field that a refusal is about.
type about struct {
	Field string `json:"field"`
}

// badParameter returns the query or path parameter that the generated binding could not read, or "".
func badParameter(err error) string {
	var refused *echo.HTTPError
	if !errors.As(err, &refused) {
		return ""
	}
	about, found := strings.CutPrefix(refused.Message, "Invalid format for parameter ")
	name, _, _ := strings.Cut(about, ":")
	if !found {
		return ""
	}
	return name
}

// translate returns an error's form for the caller. An error that is neither a fault nor echo's own is a 500 and is
// logged.
func translate(c *echo.Context, err error) (int, fault.Code, string) {
	if refusal := fault.As(err); refusal != nil {
		if refusal.Code == fault.Unavailable {
			slog.WarnContext(c.Request().Context(), "unavailable", requestAttrs(c, err)...)
		}
		if status, known := statuses[refusal.Code]; known {
			return status, refusal.Code, refusal.Message
		}
	}
	var tooBig *http.MaxBytesError
	if errors.As(err, &tooBig) {
		return http.StatusRequestEntityTooLarge, fault.TooLarge, tooLarge
	}
	switch status := echo.StatusCode(err); {
	case outage(err):
		slog.WarnContext(c.Request().Context(), "outage", requestAttrs(c, err)...)
		return http.StatusServiceUnavailable, fault.Unavailable, unanswered(c.Request())
	case status == http.StatusNotFound:
		return status, fault.NotFound, nothingHere
	case status == http.StatusMethodNotAllowed:
		return status, fault.Invalid, wrongMethod
	case status == http.StatusRequestEntityTooLarge:
		return status, fault.TooLarge, tooLarge
	case status >= 400 && status < 500: // The generated parameter binding, whose messages are not for people.
		return http.StatusBadRequest, fault.Invalid, notUnderstood
	}
	logError(c, "request failed", err)
	return http.StatusInternalServerError, codeInternal, somethingWrong
}

func logError(c *echo.Context, message string, err error) {
	slog.ErrorContext(c.Request().Context(), message, requestAttrs(c, err)...)
}

// requestAttrs names the route's pattern, never the query or the path's values: they may contain an e-mail or a token.
func requestAttrs(c *echo.Context, err error) []any {
	return []any{"method", c.Request().Method, "path", c.Path(), "request_id", c.Response().Header().Get("X-Request-Id"), "error", err}
}
