package httpapi

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v5"

	"adashi.ng/ledger/fault"
	"adashi.ng/services/internal/people"
)

// access says what a route asks of its caller. A route without a row in open asks for a session.
type access int

const (
	session  access = iota // 401 without one.
	anyone                 // Never looks at the session.
	optional               // Knows the caller who has a session and serves the others too.
)

// open is the contract's operations with `security: []`, and the only routes that work without a session.
var open = map[string]access{
	"POST /api/Account/Register":               anyone,
	"POST /api/Account/GetToken":               anyone,
	"POST /api/v1/account/verify-email":        anyone,
	"GET /api/v1/savings/invitations/:id":      optional,
	"GET /api/Utility/GetGenders":              anyone,
	"GET /api/Utility/GetMonths":               anyone,
	"GET /api/Utility/GetStates":               anyone,
	"GET /api/Utility/GetPaymentCategoryTypes": anyone,
	"GET /api/Utility/GetPaymentFrequencies":   anyone,
	"GET /api/Utility/GetYears":                anyone,
	"GET /api/Utility/GetFeeTypes":             anyone,
	"GET /api/Utility/GetAjoTypes":             anyone,
	"GET /api/Utility/GetPaymentChannels":      anyone,
	"GET /api/Utility/GetFaqs":                 anyone,
	"GET /api/Payment/getbanks":                anyone,
	"GET /api/Payment/vfd-banks":               anyone,
	"POST /api/v1/account/guardian/consent":    anyone,
	"GET /api/Ledger/checkpoint":               anyone,
	"GET /api/Ledger/keys":                     anyone,
	"GET /api/Ledger/consistency":              anyone,
	"POST /api/v1/webhooks/paystack":           anyone,
	"POST /api/v1/webhooks/vfd/:secret":        anyone,
}

// staff are the routes that only some roles may use; 403 for others.
var staff = map[string][]string{
	"GET /api/Operator/projections":                operators,
	"GET /api/Operator/dead-letters":               operators,
	"POST /api/Operator/projections/:name/retry":   {people.RoleAdmin},
	"POST /api/Operator/projections/:name/rebuild": {people.RoleAdmin},
}

var operators = []string{people.RoleSupport, people.RoleFinanceOps, people.RoleAdmin}

// streams are the routes that may answer for longer than requestTimeMax.
var streams = map[string]bool{"GET /api/live": true}

const requestTimeMax = 20 * time.Second

const callerKey = "caller"

// Caller is who calls. Only routes that ask for a session may use it: without one it panics, as the bug it is.
func Caller(c *echo.Context) people.Caller { return c.Get(callerKey).(people.Caller) }

// CallerIf is the caller of a route where a session is optional, and whether there is one.
func CallerIf(c *echo.Context) (people.Caller, bool) {
	caller, ok := c.Get(callerKey).(people.Caller)
	return caller, ok
}

// SteppedUp answers fault.StepUp unless the caller has shown again who they are a short while ago.
func SteppedUp(c *echo.Context) error {
	if time.Now().Before(Caller(c).SteppedUpUntil) {
		return nil
	}
	return fault.New(fault.StepUp, "Please confirm that it is you.")
}

const notYours = "You can only do this for your own account."

// SelfEmail answers fault.Forbidden unless the e-mail, normalised, is the caller's.
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

// SelfUser answers fault.Forbidden unless the id is the caller's.
func SelfUser(c *echo.Context, id string) error {
	if !strings.EqualFold(strings.TrimSpace(id), Caller(c).UserID) {
		return fault.New(fault.Forbidden, notYours)
	}
	return nil
}

// Authenticate finds the caller of a token. A token that is unknown, expired or revoked is fault.Unauthenticated.
type Authenticate func(ctx context.Context, token string) (people.Caller, error)

// guarded registers the generated routes, each behind the checks that its row in open asks for.
type guarded struct {
	echo         *echo.Echo
	authenticate Authenticate
}

func (g guarded) add(method, path string, h echo.HandlerFunc, extra []echo.MiddlewareFunc) echo.RouteInfo {
	name := method + " " + path
	chain := []echo.MiddlewareFunc{bounded(!streams[name])}
	switch open[name] {
	case anyone:
	case optional:
		chain = append(chain, g.recognise)
	case session:
		chain = append(chain, g.demand)
	}
	if roles, asked := staff[name]; asked {
		chain = append(chain, only(roles))
	}
	return g.echo.Add(method, path, h, append(append(chain, tidy), extra...)...)
}

// only refuses a caller who holds none of the roles.
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
		c.Set(callerKey, caller)
		return next(c)
	}
}

// recognise knows the caller where it can; a session that has ended is as good as none.
func (g guarded) recognise(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c *echo.Context) error {
		if caller, err := g.caller(c); err == nil {
			c.Set(callerKey, caller)
		}
		return next(c)
	}
}

func (g guarded) caller(c *echo.Context) (people.Caller, error) {
	scheme, token, _ := strings.Cut(c.Request().Header.Get("Authorization"), " ")
	if token == "" || !strings.EqualFold(scheme, "Bearer") {
		return people.Caller{}, sessionExpired()
	}
	return g.authenticate(c.Request().Context(), token)
}

// bounded gives every route but the streams a deadline, so that no caller waits on us for ever.
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

// The rest makes guarded the router that the generated code registers on.

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
