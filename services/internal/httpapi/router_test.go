package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v5"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/people"
)

var ada = people.Caller{UserID: "0199a000-0000-7000-8000-000000000001", Email: "ada@example.com", FirstName: "Ada", SessionID: "s1"}

// api answers a few operations in every way a handler can; this test never calls the rest.
type api struct{ contract.ServerInterface }

func (api) FundWallet(c *echo.Context, _ contract.FundWalletParams) error {
	form, err := httpapi.Bind[contract.FundWalletRequest](c)
	if err != nil {
		return err
	}
	if err := httpapi.SelfEmail(c, form.Email); err != nil {
		return err
	}
	if form.Amount.String() == "13" { // The database's reply to the commit never comes.
		return fmt.Errorf("commit: %w", io.ErrUnexpectedEOF)
	}
	httpapi.Position(c, 42)
	return httpapi.OK(c, contract.Created{Id: "1"})
}

func (api) GetActivityDetail(_ *echo.Context, id contract.Id, _ contract.GetActivityDetailParams) error {
	switch id {
	case "panic":
		panic("a bug with secret detail")
	case "broken":
		return errors.New("secret detail")
	case "late":
		return context.DeadlineExceeded
	case "cut":
		return fmt.Errorf("read: %w", io.ErrUnexpectedEOF)
	case "busy":
		return fault.New(fault.Unavailable, "Please try again shortly.")
	case "poor":
		return fault.New(fault.Insufficient, "You have ₦5.00.")
	}
	return fault.New(fault.NotFound, "There is no such activity.")
}

func (api) GetActivity(c *echo.Context, params contract.GetActivityParams) error {
	if _, err := httpapi.Limit(params.Limit); err != nil {
		return err
	}
	return httpapi.OK(c, []string(nil))
}

func (api) GetInvitation(c *echo.Context, _ contract.Id, _ contract.GetInvitationParams) error {
	caller, _ := httpapi.CallerIf(c)
	return httpapi.OK(c, caller.FirstName)
}

func (api) GetMonths(c *echo.Context) error { return httpapi.OK[any](c, nil) }

func authenticate(_ context.Context, token, _ string) (people.Caller, error) {
	switch token {
	case "ada":
		return ada, nil
	case "down":
		return people.Caller{}, fault.New(fault.Unavailable, "Please try again shortly.")
	}
	return people.Caller{}, fault.New(fault.Unauthenticated, "x")
}

var unready = checks.Standing{Checks: []checks.Result{{Name: "relay", Says: "it is behind"}, {Name: "payments", Needed: true, Says: "the disk is full"}}}

func router(t testing.TB) http.Handler {
	t.Helper()
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "page "+r.URL.Path) })
	return httpapi.Router(httpapi.Deps{
		Now: time.Now,
		API: api{}, Authenticate: authenticate, Standing: func() checks.Standing { return unready }, Web: page, Sandbox: page,
	})
}

type answer struct {
	status   int
	header   http.Header
	body     string
	envelope httpapi.Envelope[any]
}

func ask(t testing.TB, handler http.Handler, method, target, token, body string) answer {
	t.Helper()
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json; charset=utf-8")
	}
	return do(t, handler, request)
}

func do(t testing.TB, handler http.Handler, request *http.Request) answer {
	t.Helper()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	got := answer{status: recorder.Code, header: recorder.Header(), body: recorder.Body.String()}
	if strings.HasPrefix(recorder.Header().Get("Content-Type"), "application/json") && got.body != "" {
		require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &got.envelope), got.body)
	}
	return got
}

const fund = "/api/Wallet/FundWalletVfd"

func TestAnswersTellTheTimeOfTheProductsClock(t *testing.T) {
	t.Parallel()
	at := time.Date(2027, time.March, 5, 23, 59, 58, 999, time.UTC)
	handler := httpapi.Router(httpapi.Deps{Now: func() time.Time { return at }, API: api{}, Authenticate: authenticate, Standing: func() checks.Standing { return unready }})
	require.Equal(t, "api", ask(t, handler, "GET", "/api/no/such/thing", "", "").header.Get("X-Adashi"), "errors too")
	require.Equal(t, "Fri, 05 Mar 2027 23:59:58 GMT", ask(t, handler, "POST", fund, "ada", `{"amount": 5000, "email": "ada@example.com"}`).header.Get("Date"))
}

func TestSuccessIsTheEnvelope(t *testing.T) {
	t.Parallel()
	got := ask(t, router(t), "POST", fund, "ada", `{"amount": 5000, "email": " ADA@example.com "}`)
	require.Equal(t, 200, got.status)
	require.JSONEq(t, `{"isSuccessful":true,"message":"Operation Successful!","returnedObject":{"id":"1"},"returnedCode":"OK"}`, got.body)
	require.Equal(t, "42", got.header.Get("X-Position"))
	require.Equal(t, "no-store", got.header.Get("Cache-Control"))
	require.Equal(t, "nosniff", got.header.Get("X-Content-Type-Options"))
	require.Equal(t, "no-referrer", got.header.Get("Referrer-Policy"))
	require.Contains(t, got.header.Get("Content-Security-Policy"), "frame-ancestors 'none'")
	require.NotEmpty(t, got.header.Get("X-Request-Id"))
}

func TestNilSliceIsAnEmptyList(t *testing.T) {
	t.Parallel()
	require.Contains(t, ask(t, router(t), "GET", "/api/v1/activity", "ada", "").body, `"returnedObject":[]`)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	const good = `{"amount": 5000, "email": "ada@example.com"}`
	for name, c := range map[string]struct {
		method, target, token, body string
		status                      int
		code, says                  string
	}{
		"no session":        {"POST", fund, "", good, 401, "UNAUTHENTICATED", "Your session has expired, please log in to continue"},
		"unknown session":   {"POST", fund, "eve", good, 401, "UNAUTHENTICATED", "Your session has expired"},
		"sessions down":     {"POST", fund, "down", good, 503, "UNAVAILABLE", "try again"},
		"somebody else":     {"POST", fund, "ada", `{"amount": 1, "email": "eve@example.com"}`, 403, "FORBIDDEN", "your own account"},
		"bad body":          {"POST", fund, "ada", `{"amount": -1, "email": "ada@example.com"}`, 400, "INVALID", "amount"},
		"large body":        {"POST", fund, "ada", strings.Repeat(" ", 70_000), 413, "TOO_LARGE", "send less"},
		"unknown route":     {"GET", "/api/nothing", "", "", 404, "NOT_FOUND", "There is nothing at this address."},
		"unknown post":      {"POST", "/login", "", "{}", 404, "NOT_FOUND", "There is nothing at this address."},
		"wrong method":      {"PUT", fund, "ada", good, 405, "INVALID", "kind of request"},
		"not found":         {"GET", "/api/v1/activity/x", "ada", "", 404, "NOT_FOUND", "no such activity"},
		"NUL in an id":      {"GET", "/api/v1/activity/%00", "ada", "", 404, "NOT_FOUND", "nothing"},
		"bad UTF-8 id":      {"GET", "/api/v1/activity/%ff", "ada", "", 404, "NOT_FOUND", "nothing"},
		"slash in an id":    {"GET", "/api/v1/activity/a%2fb", "ada", "", 404, "NOT_FOUND", "nothing"},
		"long id":           {"GET", "/api/v1/activity/" + strings.Repeat("a", 500), "ada", "", 404, "NOT_FOUND", "nothing"},
		"NUL in a query":    {"GET", "/api/v1/activity?before=%00", "ada", "", 400, "INVALID", "could not read"},
		"bad limit":         {"GET", "/api/v1/activity?limit=many", "ada", "", 400, "INVALID", "could not read"},
		"limit too large":   {"GET", "/api/v1/activity?limit=101", "ada", "", 400, "INVALID", "limit must be"},
		"missing query":     {"GET", "/api/v1/savings/invitations/1", "", "", 400, "INVALID", "could not read"},
		"insufficient":      {"GET", "/api/v1/activity/poor", "ada", "", 422, "INSUFFICIENT", "₦5.00"},
		"unavailable":       {"GET", "/api/v1/activity/busy", "ada", "", 503, "UNAVAILABLE", "try again"},
		"a bug":             {"GET", "/api/v1/activity/broken", "ada", "", 500, "INTERNAL", "Something went wrong"},
		"a panic":           {"GET", "/api/v1/activity/panic", "ada", "", 500, "INTERNAL", "Something went wrong"},
		"a missed deadline": {"GET", "/api/v1/activity/late", "ada", "", 503, "UNAVAILABLE", "try again"},
		"a dropped reply":   {"GET", "/api/v1/activity/cut", "ada", "", 503, "UNAVAILABLE", "could not answer just now. Please try again"},
		"a dropped commit":  {"POST", fund, "ada", `{"amount": 13, "email": "ada@example.com"}`, 503, "UNAVAILABLE", "Please look whether it did before you try again"},
		"not ready":         {"GET", "/readyz", "", "", 503, "UNAVAILABLE", "the disk is full"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := ask(t, router(t), c.method, c.target, c.token, c.body)
			require.Equal(t, c.status, got.status, got.body)
			require.False(t, got.envelope.IsSuccessful)
			require.Equal(t, fault.Code(c.code), got.envelope.ReturnedCode)
			require.Contains(t, got.envelope.Message, c.says)
			require.NotContains(t, got.body, "secret detail")
		})
	}
}

func TestReadinessNamesWhatIsLookedAt(t *testing.T) {
	t.Parallel()
	stands := unready
	handler := httpapi.Health(func() checks.Standing { return stands }, http.NotFoundHandler())
	require.Contains(t, ask(t, handler, "GET", "/readyz", "", "").body, `"returnedObject":{"status":"not ready","checks":[{"name":"relay","ok":false,`)
	stands.Ready = true
	got := ask(t, handler, "GET", "/readyz", "", "")
	require.Equal(t, 200, got.status)
	require.Contains(t, got.body, `"status":"ready"`)
	require.Contains(t, got.body, `"says":"it is behind"`)
	stands.Checks = append(stands.Checks, checks.Result{Name: "payouts", Lacks: true, Says: "withdrawals are not sent"})
	got = ask(t, handler, "GET", "/readyz", "", "")
	require.Equal(t, 200, got.status)
	require.Contains(t, got.body, `"status":"lacking"`)
	require.Equal(t, "Payments are taken, and not all is well: withdrawals are not sent", got.envelope.Message)
}

func TestContentTypeMustBeJSON(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequest("POST", fund, strings.NewReader(`{}`))
	request.Header.Set("Authorization", "bearer ada")
	request.Header.Set("Content-Type", "text/plain")
	require.Contains(t, do(t, router(t), request).envelope.Message, "application/json")
}

func TestChunkedBodyIsBounded(t *testing.T) {
	t.Parallel()
	request := httptest.NewRequest("POST", fund, io.MultiReader(strings.NewReader(strings.Repeat(" ", 70_000))))
	request.Header.Set("Authorization", "Bearer ada")
	request.Header.Set("Content-Type", "application/json")
	require.Equal(t, 413, do(t, router(t), request).status)
}

func TestIdempotencyKeyIsJudged(t *testing.T) {
	t.Parallel()
	for key, status := range map[string]int{"12345678": 200, "short": 400, strings.Repeat("k", 129): 400, "12345678\xff": 400} {
		request := httptest.NewRequest("POST", fund, strings.NewReader(`{"amount": 1, "email": "ada@example.com"}`))
		request.Header.Set("Authorization", "Bearer ada")
		request.Header.Set("Content-Type", "application/json")
		request.Header["Idempotency-Key"] = []string{key}
		require.Equal(t, status, do(t, router(t), request).status, "%q", key)
	}
}

func TestOptionalSessionIsKnownAndNeverDemanded(t *testing.T) {
	t.Parallel()
	const target = "/api/v1/savings/invitations/1?code=c"
	require.Equal(t, "Ada", ask(t, router(t), "GET", target, "ada", "").envelope.ReturnedObject)
	require.Equal(t, "", ask(t, router(t), "GET", target, "", "").envelope.ReturnedObject)
	require.Equal(t, 200, ask(t, router(t), "GET", target, "eve", "").status)
}

func TestEverythingElseIsTheWebApps(t *testing.T) {
	t.Parallel()
	require.Equal(t, "page /dashboard/wallet/", ask(t, router(t), "GET", "/dashboard/wallet/", "", "").body)
	require.Equal(t, "page /sandbox/checkout/x", ask(t, router(t), "POST", "/sandbox/checkout/x", "", "").body)
	require.Equal(t, 200, ask(t, router(t), "HEAD", "/login", "", "").status)
	require.Equal(t, 200, ask(t, router(t), "GET", "/healthz", "", "").status)
	require.Equal(t, "page /dev/inbox", ask(t, router(t), "GET", "/dev/inbox", "", "").body) // Not mounted here.
}

// TestOpenRoutesAreTheContracts compares the table in code with the contract's security: [].
func TestOpenRoutesAreTheContracts(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../proto/http/openapi.yaml")
	require.NoError(t, err)
	paths, _, _ := strings.Cut(string(raw), "\ncomponents:")
	operation := regexp.MustCompile(`(?m)^  (/\S+):$|^    (get|post|patch|delete|put):(.*)$|^      security: \[\]$`)
	want := map[string]bool{}
	path, at := "", ""
	for _, match := range operation.FindAllStringSubmatch(paths, -1) {
		switch {
		case match[1] != "":
			path = regexp.MustCompile(`\{(\w+)\}`).ReplaceAllString(match[1], "1")
		case match[2] != "":
			at = strings.ToUpper(match[2]) + " " + path
			want[at] = strings.Contains(match[3], "*lookup")
		default:
			want[at] = true
		}
	}
	require.Greater(t, len(want), 30)
	for route, public := range want {
		method, target, _ := strings.Cut(route, " ")
		request := httptest.NewRequest(method, target, nil)
		recorder := httptest.NewRecorder()
		router(t).ServeHTTP(recorder, request)
		require.Equal(t, public, recorder.Code != http.StatusUnauthorized, "%s answered %d", route, recorder.Code)
		require.NotEqual(t, http.StatusNotFound, recorder.Code, route)
	}
}

func BenchmarkSmallPost(b *testing.B) {
	var calls int
	many := func(context.Context, string, string) (people.Caller, error) { // A single caller would reach their limit.
		calls++
		caller := ada
		caller.UserID = strconv.Itoa(calls % 1000)
		return caller, nil
	}
	handler := httpapi.Router(httpapi.Deps{Now: time.Now, API: api{}, Authenticate: many, Standing: func() checks.Standing { return checks.Standing{Ready: true} }})
	b.ReportAllocs()
	for b.Loop() {
		request := httptest.NewRequest("POST", fund, strings.NewReader(`{"amount": 5000, "email": "ada@example.com"}`))
		request.Header.Set("Authorization", "Bearer ada")
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Idempotency-Key", "0199a000-0000-7000-8000-000000000001")
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		if recorder.Code != 200 {
			b.Fatal(recorder.Body.String())
		}
	}
}

func TestForwardedAddressesAreBelievedOfProxiesAlone(t *testing.T) {
	t.Parallel()
	ask := func(handler http.Handler, n int) int {
		request := httptest.NewRequest("GET", "/api/Utility/GetMonths", nil)
		request.RemoteAddr = "10.0.0.1:1234"
		request.Header.Set("X-Forwarded-For", fmt.Sprintf("102.0.%d.%d", n/256, n%256))
		return do(t, handler, request).status
	}
	limited := func(trusted ...netip.Prefix) (count int) {
		handler := httpapi.Router(httpapi.Deps{Now: time.Now, API: api{}, Authenticate: authenticate, Standing: func() checks.Standing { return checks.Standing{Ready: true} }, TrustedProxies: trusted})
		for n := range 1200 {
			if ask(handler, n) == 429 {
				count++
			}
		}
		return count
	}
	require.Positive(t, limited(), "a stranger who names another address each time is one stranger")
	require.Positive(t, limited(netip.MustParsePrefix("10.0.0.2/32")))
	require.Zero(t, limited(netip.MustParsePrefix("10.0.0.1/32")), "a proxy brings many people")
}

// ends is a body at whose end a session ends.
type ends struct {
	io.Reader
	session *bool
}

func (e ends) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		*e.session = false
	}
	return n, err
}

func TestASessionThatEndsBeforeItsBodyIsThereDoesNothing(t *testing.T) {
	t.Parallel()
	stands := true
	handler := httpapi.Router(httpapi.Deps{Now: time.Now, API: api{}, Standing: func() checks.Standing { return unready }, Authenticate: func(ctx context.Context, token, secret string) (people.Caller, error) {
		if !stands {
			return people.Caller{}, fault.New(fault.Unauthenticated, "x")
		}
		return authenticate(ctx, token, secret)
	}})
	for _, whole := range []bool{true, false} { // A body of known length, and one in chunks.
		stands = true
		body := `{"amount":5000,"email":"ada@example.com"}`
		request := httptest.NewRequest(http.MethodPost, "/api/Wallet/FundWalletVfd", ends{strings.NewReader(body), &stands})
		request.ContentLength = map[bool]int64{true: int64(len(body)), false: -1}[whole]
		request.Header.Set("Authorization", "Bearer ada")
		request.Header.Set("Content-Type", "application/json")
		recorder := httptest.NewRecorder()
		handler.ServeHTTP(recorder, request)
		require.Equal(t, http.StatusUnauthorized, recorder.Code, recorder.Body.String())
	}
}
