package account_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/httpapi/account"
	"adashi.ng/services/internal/httpapi/utility"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// rest has the areas that this test leaves out: one level deeper than the others, so the others win.
type rest struct{ contract.ServerInterface }

// api combines the areas as boot does.
type api struct {
	rest
	account.Account
	utility.Utility
}

type bundle struct {
	pool    *pgxpool.Pool
	people  *people.Service
	handler http.Handler
}

var migrated = ledgertest.Migrated(mail.Migrate, people.Migrate)

func setup(t *testing.T) bundle {
	t.Helper()
	pool := migrated.Pool(t)
	service, err := people.New(people.Options{Pool: pool, PublicURL: "http://adashi.test", Key: make([]byte, 32), FastHashing: true})
	require.NoError(t, err)
	t.Cleanup(service.Close)
	return bundle{pool, service, httpapi.Router(httpapi.Deps{
		Now: time.Now,
		API: api{Account: account.Account{People: service}, Utility: utility.Utility{Now: time.Now, Demo: func(context.Context) (bool, error) { return false, nil }}}, Authenticate: service.Authenticate, Standing: func() checks.Standing { return checks.Standing{Ready: true} },
	})}
}

type reply struct {
	IsSuccessful   bool
	Message        string
	ReturnedObject json.RawMessage
	ReturnedCode   string
}

// call sends a request as a client that is not a browser. session is its token and second secret, separated by a space.
func (b bundle) call(t *testing.T, method, target, session, body string) (int, reply) {
	t.Helper()
	token, secret, _ := strings.Cut(session, " ")
	recorder := b.send(method, target, body, "Authorization", "Bearer "+token, "X-Session-Secret", secret, "X-Session-Binding", "header")
	var r reply
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &r), recorder.Body.String())
	return recorder.Code, r
}

func (b bundle) send(method, target, body string, headers ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	recorder := httptest.NewRecorder()
	b.handler.ServeHTTP(recorder, request)
	return recorder
}

const (
	form  = `{"email":"ada@example.com","password":"correct horse","firstName":"Ada","lastName":"Obi","phone":"08031234567","dateOfBirth":"1990-05-17"}`
	creds = `{"email":"ada@example.com","password":"correct horse"}`
)

func TestSignUpToLogout(t *testing.T) {
	t.Parallel()
	b := setup(t)
	status, r := b.call(t, "POST", "/api/Account/Register", "", form)
	require.Equal(t, 200, status, r.Message)
	require.Equal(t, "Operation Successful! Kindly click on the email verification link sent to your email.", r.Message)
	_, again := b.call(t, "POST", "/api/Account/Register", "", form)
	require.Equal(t, r, again)

	status, r = b.call(t, "POST", "/api/Account/GetToken", "", creds)
	require.Equal(t, 403, status)
	require.Equal(t, "Kindly click on the email verification link sent to your email.", r.Message)

	letters, err := mail.Newest(t.Context(), b.pool, "")
	require.NoError(t, err)
	token := regexp.MustCompile(`token=(\S+)`).FindStringSubmatch(letters[0].Text)[1]
	status, _ = b.call(t, "POST", "/api/v1/account/verify-email", "", `{"token":"`+token+`","password":"correct horse"}`)
	require.Equal(t, 200, status)
	status, r = b.call(t, "POST", "/api/v1/account/verify-email", "", `{"token":"`+token+`","password":"correct horse"}`)
	require.Equal(t, 400, status)
	require.Equal(t, "CREDENTIALS", r.ReturnedCode)

	status, r = b.call(t, "POST", "/api/Account/GetToken", "", creds)
	require.Equal(t, 200, status)
	var login contract.Login
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &login))
	require.Equal(t, "+2348031234567", login.Phone)
	session := login.Token + " " + *login.SessionSecret

	status, _ = b.call(t, "POST", "/api/v1/account/logout", session, "")
	require.Equal(t, 200, status)
	status, r = b.call(t, "POST", "/api/v1/account/logout", session, "")
	require.Equal(t, 401, status)
	require.Equal(t, "Your session has expired, please log in to continue", r.Message)
}

// TestABrowserKeepsTheSecondSecretInACookie that scripts, other sites and plain http cannot read.
func TestABrowserKeepsTheSecondSecretInACookie(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.people.CreateVerified(t.Context(), people.Registration{
		Email: "ada@example.com", Password: "correct horse", FirstName: "Ada", LastName: "Obi", Phone: "08031234567", DateOfBirth: "1990-05-17",
	})
	require.NoError(t, err)
	answer := b.send("POST", "/api/Account/GetToken", creds)
	require.Equal(t, 200, answer.Code)
	require.NotContains(t, answer.Body.String(), "sessionSecret")
	cookies := answer.Result().Cookies()
	require.Len(t, cookies, 2)
	device, cookie := cookies[0], cookies[1]
	require.Equal(t, []string{"__Host-adashi-device", "__Host-adashi"}, []string{device.Name, cookie.Name})
	for _, c := range cookies {
		require.True(t, c.HttpOnly && c.Secure && c.SameSite == http.SameSiteStrictMode && c.Path == "/" && c.Domain == "", c.Name)
		require.NotContains(t, answer.Body.String(), c.Value)
	}
	require.Greater(t, device.MaxAge, 365*24*60*60, "the device is known long after the session")
	again := b.send("POST", "/api/Account/GetToken", creds, "Cookie", device.Name+"="+device.Value).Result().Cookies()
	require.Equal(t, device.Value, again[0].Value, "it stays the same device")
	planted := b.send("POST", "/api/Account/GetToken", creds, "Cookie", device.Name+"="+strings.Repeat("A", 43)).Result().Cookies()
	require.NotEqual(t, strings.Repeat("A", 43), planted[0].Value, "what we did not give out is no device")
	var login struct{ ReturnedObject contract.Login }
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &login))
	bearer, pair := "Bearer "+login.ReturnedObject.Token, cookie.Name+"="+cookie.Value

	require.Equal(t, 401, b.send("GET", "/api/v1/account/sessions", "", "Authorization", bearer).Code, "a stolen token")
	require.Equal(t, 401, b.send("GET", "/api/v1/account/sessions", "", "Cookie", pair).Code, "a cookie that another site had sent")
	require.Equal(t, 401, b.send("GET", "/api/v1/account/sessions", "", "Authorization", bearer, "Cookie", pair+"x").Code)
	require.Equal(t, 200, b.send("GET", "/api/v1/account/sessions", "", "Authorization", bearer, "Cookie", pair).Code, "nothing above ended it")
	out := b.send("POST", "/api/v1/account/logout", "", "Authorization", bearer, "Cookie", pair)
	require.Equal(t, 200, out.Code)
	require.Negative(t, out.Result().Cookies()[0].MaxAge)
	require.Equal(t, 401, b.send("GET", "/api/v1/account/sessions", "", "Authorization", bearer, "Cookie", pair).Code)
}

func TestWhatChangesTheAccountAsksForAStepUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, err := b.people.CreateVerified(t.Context(), people.Registration{
		Email: "ada@example.com", Password: "correct horse", FirstName: "Ada", LastName: "Obi", Phone: "08031234567", DateOfBirth: "1990-05-17",
	})
	require.NoError(t, err)
	_, r := b.call(t, "POST", "/api/Account/GetToken", "", creds)
	var login contract.Login
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &login))
	session := login.Token + " " + *login.SessionSecret
	for _, whose := range [][2]string{{"eve@example.com", login.Id}, {"ada@example.com", "0199a000-0000-7000-8000-000000000001"}} {
		status, _ := b.call(t, "POST", "/api/Account/ChangePassword", session,
			`{"email":"`+whose[0]+`","userId":"`+whose[1]+`","currentPassword":"correct horse","newPassword":"a better password"}`)
		require.Equal(t, 403, status, whose)
	}
	calls := [][3]string{
		{"POST", "/api/v1/account/totp", ""},
		{"DELETE", "/api/v1/account/totp", ""},
		{"POST", "/api/v1/account/totp/recovery-codes", ""},
		{"POST", "/api/v1/account/email", `{"email":"new@example.com"}`},
	}
	for _, c := range calls {
		status, r := b.call(t, c[0], c[1], session, c[2])
		require.Equal(t, 403, status, c)
		require.Equal(t, "STEP_UP", r.ReturnedCode, c)
	}
	status, r := b.call(t, "POST", "/api/v1/account/step-up", session, `{"password":"wrong"}`)
	require.Equal(t, 400, status)
	require.JSONEq(t, `{"field":"password"}`, string(r.ReturnedObject))
	status, _ = b.call(t, "POST", "/api/v1/account/step-up", session, `{"password":"correct horse"}`)
	require.Equal(t, 200, status)
	for _, c := range calls {
		status, r := b.call(t, c[0], c[1], session, c[2])
		require.NotEqual(t, 403, status, "%v %s", c, r.Message)
	}
}

func TestTooManyTriesSayHowLongToWait(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 11 {
		require.Equal(t, 400, b.send("POST", "/api/Account/GetToken", creds).Code)
	}
	refused := b.send("POST", "/api/Account/GetToken", creds)
	require.Equal(t, 429, refused.Code)
	require.Contains(t, []string{"1", "2"}, refused.Header().Get("Retry-After"))
	require.Contains(t, refused.Body.String(), "TOO_MANY")
}

func TestAMegabyteOfPasswordCostsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := `{"email":"ada@example.com","password":"` + strings.Repeat("x", 1<<20) + `"}`
	began := time.Now()
	require.Equal(t, 400, b.send("POST", "/api/Account/GetToken", creds).Code)
	hashing := time.Since(began)
	began = time.Now()
	for range 200 {
		require.Equal(t, 413, b.send("POST", "/api/Account/GetToken", long).Code)
	}
	require.Less(t, time.Since(began), 50*hashing, "200 cost less than hashing 50")
}

func TestWrongPassword(t *testing.T) {
	t.Parallel()
	status, r := setup(t).call(t, "POST", "/api/Account/GetToken", "", creds)
	require.Equal(t, 400, status)
	require.Equal(t, "CREDENTIALS", r.ReturnedCode)
	require.Equal(t, "The email or password is not right.", r.Message)
}

func TestLookups(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for path, count := range map[string]int{"GetGenders": 2, "GetYears": 11, "GetFeeTypes": 3, "GetAjoTypes": 2, "GetPaymentChannels": 3, "GetMonths": 12, "GetStates": 37, "GetPaymentCategoryTypes": 7, "GetPaymentFrequencies": 7} {
		status, r := b.call(t, "GET", "/api/Utility/"+path, "", "")
		require.Equal(t, 200, status)
		var values []contract.LookupValue
		require.NoError(t, json.Unmarshal(r.ReturnedObject, &values))
		require.Len(t, values, count, path)
		ids := map[string]bool{}
		for _, value := range values {
			require.NotEmpty(t, value.Name)
			ids[value.Id] = true
			if path == "GetPaymentFrequencies" {
				require.True(t, contract.PaymentFrequency(value.Id).Valid())
			}
		}
		require.Len(t, ids, count)
	}
}
