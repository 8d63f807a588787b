package account_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
	contract "adashi.ng/proto/gen/httpapi"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/httpapi/account"
	"adashi.ng/services/internal/httpapi/utility"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

// rest stands for the areas that this test has not: one step deeper than the ones it has, so these win.
type rest struct{ contract.ServerInterface }

// api is how boot puts the areas together.
type api struct {
	rest
	account.Account
	utility.Utility
}

type bundle struct {
	pool    *pgxpool.Pool
	handler http.Handler
}

func setup(t *testing.T) bundle {
	t.Helper()
	pool := ledgertest.Pool(t)
	require.NoError(t, mail.Migrate(t.Context(), pool))
	require.NoError(t, people.Migrate(t.Context(), pool))
	service, err := people.New(people.Options{Pool: pool, PublicURL: "http://adashi.test"})
	require.NoError(t, err)
	t.Cleanup(service.Close)
	return bundle{pool, httpapi.Router(httpapi.Deps{
		API: api{Account: account.Account{People: service}}, Authenticate: service.Authenticate, Ready: func() error { return nil },
	})}
}

type reply struct {
	IsSuccessful   bool
	Message        string
	ReturnedObject json.RawMessage
	ReturnedCode   string
}

func (b bundle) call(t *testing.T, method, target, token, body string) (int, reply) {
	t.Helper()
	request := httptest.NewRequest(method, target, strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+token)
	recorder := httptest.NewRecorder()
	b.handler.ServeHTTP(recorder, request)
	var r reply
	require.NoError(t, json.Unmarshal(recorder.Body.Bytes(), &r), recorder.Body.String())
	return recorder.Code, r
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

	var letter string
	require.NoError(t, b.pool.QueryRow(t.Context(), `SELECT body_text FROM mail_outbox ORDER BY id DESC LIMIT 1`).Scan(&letter))
	token := regexp.MustCompile(`token=(\S+)`).FindStringSubmatch(letter)[1]
	status, _ = b.call(t, "POST", "/api/v1/account/verify-email", "", `{"token":"`+token+`"}`)
	require.Equal(t, 200, status)
	status, r = b.call(t, "POST", "/api/v1/account/verify-email", "", `{"token":"`+token+`"}`)
	require.Equal(t, 400, status)
	require.Equal(t, "CREDENTIALS", r.ReturnedCode)

	status, r = b.call(t, "POST", "/api/Account/GetToken", "", creds)
	require.Equal(t, 200, status)
	var login contract.Login
	require.NoError(t, json.Unmarshal(r.ReturnedObject, &login))
	require.Equal(t, "+2348031234567", login.Phone)

	status, _ = b.call(t, "POST", "/api/v1/account/logout", login.Token, "")
	require.Equal(t, 200, status)
	status, r = b.call(t, "POST", "/api/v1/account/logout", login.Token, "")
	require.Equal(t, 401, status)
	require.Equal(t, "Your session has expired, please log in to continue", r.Message)
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
