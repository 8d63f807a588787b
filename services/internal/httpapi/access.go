package httpapi

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/session"
)

const requestTimeMax = 20 * time.Second

const (
	callerKey    = "caller"
	steppedUpKey = "stepped up" // Whether they have proved their identity again.
)

// SecretCookie is the cookie in which browsers store a session's second secret; other clients send secretHeader.
const (
	SecretCookie = "__Host-adashi" //nolint:gosec // A name.
	secretHeader = "X-Session-Secret"
)

// deviceCookie is the cookie by which we recognize a browser on which a member has logged in; other clients get the
// secret in deviceHeader and send it back. It gives no access.
const (
	deviceCookie = "__Host-adashi-device"
	deviceHeader = "X-Device-Secret"
)

// Origin is where a call comes from, with or without a session.
func Origin(c *echo.Context) people.Origin {
	return people.Origin{Address: subscriber(c.RealIP()), Secret: deviceOf(c.Request())}
}

func deviceOf(request *http.Request) string {
	if secret := request.Header.Get(deviceHeader); secret != "" {
		return secret
	}
	cookie, err := request.Cookie(deviceCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// KeepDevice stores the secret of a known device at the client.
func KeepDevice(c *echo.Context, secret string) {
	if Headers(c) {
		c.Response().Header().Set(deviceHeader, secret)
		return
	}
	KeepCookie(c, deviceCookie, secret, int(people.DeviceMax.Seconds()))
}

// Headers reports whether a client that is not a browser wants the secrets in headers instead of cookies.
func Headers(c *echo.Context) bool { return c.Request().Header.Get("X-Session-Binding") == "header" }

// KeepCookie stores a secret in the browser for so many seconds, where no script and no other site can read it; a
// negative number removes it.
func KeepCookie(c *echo.Context, name, secret string, seconds int) {
	c.SetCookie(&http.Cookie{
		Name: name, Value: secret, Path: "/", MaxAge: seconds, Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// Caller returns the caller. Only routes that require a session may use it: without a session it panics, because that
// is a bug.
func Caller(c *echo.Context) people.Caller { return c.Get(callerKey).(people.Caller) }

// CallerIf returns the caller of a route where a session is optional, and whether there is one.
func CallerIf(c *echo.Context) (people.Caller, bool) {
	caller, ok := c.Get(callerKey).(people.Caller)
	return caller, ok
}

// SteppedUp returns fault.StepUp unless the caller has recently proved their identity again.
func SteppedUp(c *echo.Context) error {
	if is, _ := c.Get(steppedUpKey).(bool); is {
		return nil
	}
	return fault.New(fault.StepUp, "Please confirm that it is you.")
}

// SteppedUpByCode returns fault.StepUp unless the caller has recently entered a code of their second factor: a person
// with only the password must not be able to remove that factor.
func SteppedUpByCode(c *echo.Context) error {
	if SteppedUp(c) == nil && Caller(c).SteppedUpByCode {
		return nil
	}
	return fault.New(fault.StepUp, "Please confirm it with a code from your authenticator app, or with a recovery code. The password alone is not enough here.")
}

const notYours = "You can only do this for your own account."

// SelfEmail returns fault.Forbidden unless the e-mail, normalised, is the caller's.
func SelfEmail(c *echo.Context, email string) error {
	if people.NormaliseEmail(email) != Caller(c).Email {
		return fault.New(fault.Forbidden, notYours)
	}
	return nil
}

// SelfEmailIf is SelfEmail for a query parameter that may be absent.
func SelfEmailIf(c *echo.Context, email *string) error {
	if email == nil {
		return nil
	}
	return SelfEmail(c, *email)
}

// SelfUser returns fault.Forbidden unless the id is the caller's.
func SelfUser(c *echo.Context, id string) error {
	if !strings.EqualFold(strings.TrimSpace(id), Caller(c).UserID) {
		return fault.New(fault.Forbidden, notYours)
	}
	return nil
}

// Authenticate finds the caller of a token and its second secret. It returns fault.Unauthenticated for an unknown,
// expired or revoked token, and for another session's secret.
type Authenticate func(ctx context.Context, token, secret string) (people.Caller, error)

// guarded registers the generated routes, each behind the checks that the contract requires: a session, a role, a rate
// limit, a time limit. SelfUser and SelfEmail check that the subject is the caller's; usecase.Relation, package
// membership and the ledger's deciders check the caller's relation to its group.
type guarded struct {
	echo         *echo.Echo
	authenticate Authenticate
	now          clock.Clock
	limits       *limiter
}

func (g guarded) add(method, path string, h echo.HandlerFunc, extra []echo.MiddlewareFunc) echo.RouteInfo {
	row := accessOf(method + " " + path)
	chain := []echo.MiddlewareFunc{bounded(!row.Stream)}
	if !row.Limit.ByCaller {
		chain = append(chain, g.limits.limited(row.Limit))
	}
	var look echo.MiddlewareFunc
	switch {
	case verdict(row, 0) == Deny:
		look = g.demand
	case row.Recognise:
		look = g.recognise
	}
	if look != nil {
		chain = append(chain, look)
	}
	if roles := staffRoles(row); roles != nil {
		chain = append(chain, only(roles))
	}
	if row.Limit.ByCaller {
		chain = append(chain, g.limits.limited(row.Limit))
	}
	if look != nil { // After the role and the limit: we need not read what they refuse.
		chain = append(chain, func(next echo.HandlerFunc) echo.HandlerFunc { return whole(look(next), next) })
	}
	return g.echo.Add(method, path, h, append(append(chain, wellFormed), extra...)...)
}

// only refuses a caller who has none of the roles.
func only(roles []string) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c *echo.Context) error {
			if !Caller(c).Has(roles...) {
				return fault.New(fault.Forbidden, "This is for Adashi's own staff.")
			}
			return next(c)
		}
	}
}

// whole reads the body to its end and then checks the session again, followed by next: a body may arrive slowly, and
// the session may end meanwhile. A call without a body was checked just now.
func whole(again, next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if c.Request().ContentLength == 0 {
			return next(c)
		}
		if err := readBody(c); err != nil {
			return err
		}
		c.Set(callerKey, nil)
		return again(c)
	}
}

// demand refuses a call without a session.
func (g guarded) demand(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		caller, err := g.caller(c)
		if fault.Is(err, fault.Unauthenticated) {
			return sessionExpired()
		}
		if err != nil {
			return err
		}
		g.enter(c, caller)
		return next(c)
	}
}

// recognise finds the caller if possible; a session that has ended counts as none.
func (g guarded) recognise(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if caller, err := g.caller(c); err == nil {
			g.enter(c, caller)
		}
		return next(c)
	}
}

// enter stores the caller and their session with the call.
func (g guarded) enter(c *echo.Context, caller people.Caller) {
	c.Set(callerKey, caller)
	c.Set(steppedUpKey, g.now().Before(caller.SteppedUpUntil))
	c.SetRequest(c.Request().WithContext(session.With(c.Request().Context(), caller.SessionID)))
}

// readBody reads the whole body into memory. The frame limits its size.
func readBody(c *echo.Context) error {
	request := c.Request()
	body, err := io.ReadAll(request.Body)
	if err != nil {
		return bodyFault(err)
	}
	request.Body = io.NopCloser(bytes.NewReader(body))
	return nil
}

func (g guarded) caller(c *echo.Context) (people.Caller, error) {
	scheme, token, _ := strings.Cut(c.Request().Header.Get("Authorization"), " ")
	if token == "" || !strings.EqualFold(scheme, "Bearer") {
		return people.Caller{}, sessionExpired()
	}
	from := subscriber(c.RealIP())
	if wait := g.limits.wait(tokens, from); wait > 0 && !g.limits.knows(c.Request()) {
		return people.Caller{}, fault.Wait(wait)
	}
	caller, err := g.authenticate(c.Request().Context(), token, secretOf(c.Request()))
	if fault.Is(err, fault.Unauthenticated) {
		g.limits.take(tokens, from)
	}
	return caller, err
}

// secretOf returns the second secret of a request, or empty.
func secretOf(request *http.Request) string {
	if secret := request.Header.Get(secretHeader); secret != "" {
		return secret
	}
	cookie, err := request.Cookie(SecretCookie)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// bounded gives every route but the streams a deadline, so that no caller waits for ever.
func bounded(deadline bool) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		if !deadline {
			return next
		}
		return func(c *echo.Context) error {
			request := c.Request()
			ctx, cancel := context.WithTimeout(request.Context(), requestTimeMax)
			defer cancel()
			c.SetRequest(request.WithContext(ctx))
			return next(c)
		}
	}
}

// The rest makes guarded the router on which the generated code registers.

func (g guarded) CONNECT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodConnect, path, h, m)
}

func (g guarded) DELETE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodDelete, path, h, m)
}

func (g guarded) GET(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodGet, path, h, m)
}

func (g guarded) HEAD(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodHead, path, h, m)
}

func (g guarded) OPTIONS(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodOptions, path, h, m)
}

func (g guarded) PATCH(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodPatch, path, h, m)
}

func (g guarded) POST(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodPost, path, h, m)
}

func (g guarded) PUT(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodPut, path, h, m)
}

func (g guarded) TRACE(path string, h echo.HandlerFunc, m ...echo.MiddlewareFunc) echo.RouteInfo {
	return g.add(http.MethodTrace, path, h, m)
}
