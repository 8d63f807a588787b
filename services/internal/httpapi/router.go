package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/labstack/echo/v5"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/checks"
)

// Deps are the dependencies of the edge. API, Authenticate, Standing and Now are required.
type Deps struct {
	API            contract.ServerInterface
	Authenticate   Authenticate
	KnowsDevice    KnowsDevice            // May be nil.
	Standing       func() checks.Standing // The state that /readyz reports.
	Now            clock.Clock            // The clock of the limits, and of how long a caller counts as stepped up.
	Web            http.Handler           // Answers every GET that is not the API's; nil is 404.
	Inbox          http.Handler           // /dev/inbox and below; nil is not mounted.
	Sandbox        http.Handler           // /sandbox and below, by full path; nil is not mounted.
	OverTLS        bool                   // People reach us by https: adds HSTS.
	TrustedProxies []netip.Prefix         // The proxies whose X-Forwarded-For we trust.
	Metrics        http.Handler           // GET /metrics; nil is not mounted.
	Observe        Observe                // Called for every answer; may be nil.
}

// KnowsDevice reports whether somebody has proved their identity on the device with that secret.
type KnowsDevice func(ctx context.Context, secret string) (bool, error)

// Observe gets an answer's route template, empty for an unknown route, and the time that it took.
type Observe func(method, route string, status int, took time.Duration)

// Router returns the whole HTTP surface as one handler. It panics when the contract does not say who may call a route.
func Router(deps Deps) http.Handler {
	e := echo.NewWithConfig(echo.Config{
		Logger:           slog.Default(),
		HTTPErrorHandler: handleError,
		IPExtractor:      addresses(deps.TrustedProxies),
		Router:           echo.NewRouter(echo.RouterConfig{AutoHandleHEAD: true, NotFoundHandler: elsewhere(deps.Web)}),
	})
	if deps.Observe != nil {
		e.Pre(timed(deps.Observe))
	}
	e.Pre(frame(deps.OverTLS, deps.Now), compressed)
	limits := newLimiter(deps.Now)
	limits.known = deps.KnowsDevice
	contract.RegisterHandlers(guarded{echo: e, authenticate: deps.Authenticate, now: deps.Now, limits: limits}, deps.API)
	e.GET("/healthz", alive)
	e.GET("/readyz", readiness(deps.Standing))
	if deps.Metrics != nil {
		e.GET("/metrics", echo.WrapHandler(deps.Metrics))
	}
	mount(e, "/dev/inbox", deps.Inbox)
	mount(e, "/sandbox", deps.Sandbox)
	return e
}

// Server gives the router the limits of a server that faces the internet. A stream lifts its own write deadline through
// http.ResponseController. The caller listens, serves and shuts it down.
func Server(handler http.Handler) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelDebug),
	}
}

// Health is all that a process without the API role serves: whether it is alive and ready, and its metrics.
func Health(standing func() checks.Standing, metrics http.Handler) http.Handler {
	e := echo.NewWithConfig(echo.Config{Logger: slog.Default(), HTTPErrorHandler: handleError})
	e.GET("/healthz", alive)
	e.GET("/readyz", readiness(standing))
	e.GET("/metrics", echo.WrapHandler(metrics))
	return e
}

func alive(c *echo.Context) error { return OKMessage[any](c, "Alive", nil) }

func mount(e *echo.Echo, prefix string, handler http.Handler) {
	if handler == nil {
		return
	}
	for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut} {
		e.Add(method, prefix, echo.WrapHandler(handler))
		e.Add(method, prefix+"/*", echo.WrapHandler(handler))
	}
}

// elsewhere answers unknown routes: with the web app's pages, and otherwise 404.
func elsewhere(web http.Handler) echo.HandlerFunc {
	return func(c *echo.Context) error {
		request := c.Request()
		reads := request.Method == http.MethodGet || request.Method == http.MethodHead
		if web == nil || !reads || isAPI(request.URL.Path) {
			return echo.ErrNotFound
		}
		web.ServeHTTP(c.Response(), request)
		return nil
	}
}

// readiness answers 200 while payments can be taken, and 503 otherwise, for a load balancer. Both list every check.
func readiness(standing func() checks.Standing) echo.HandlerFunc {
	return func(c *echo.Context) error {
		c.Response().Header()["Cache-Control"] = noStore
		s := standing()
		if !s.Ready {
			return write(c, http.StatusServiceUnavailable, Envelope[readyz]{
				Message: "Not ready: " + s.Why(), ReturnedObject: readyz{"not ready", s.Checks}, ReturnedCode: fault.Unavailable,
			})
		}
		if lacks := s.Lacks(); lacks != "" {
			return OKMessage(c, "Payments are taken, and not all is well: "+lacks, readyz{"lacking", s.Checks})
		}
		return OKMessage(c, "Ready", readyz{"ready", s.Checks})
	}
}

type readyz struct {
	Status string          `json:"status"`
	Checks []checks.Result `json:"checks"`
}

// addresses trusts X-Forwarded-For only from the trusted proxies.
func addresses(trusted []netip.Prefix) echo.IPExtractor {
	if len(trusted) == 0 {
		return echo.ExtractIPDirect()
	}
	options := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, prefix := range trusted {
		options = append(options, echo.TrustIPRange(&net.IPNet{
			IP: prefix.Addr().AsSlice(), Mask: net.CIDRMask(prefix.Bits(), prefix.Addr().BitLen()),
		}))
	}
	return echo.ExtractIPFromXFFHeader(options...)
}
