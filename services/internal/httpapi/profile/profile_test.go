package profile_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/httpapi"
	api "adashi.ng/services/internal/httpapi/profile"
	"adashi.ng/services/internal/httpapi/wallet"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/leaving"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/vfd"
	"adashi.ng/services/internal/vault"
)

func TestMain(m *testing.M) { ledgertest.Main(m) }

type rest struct{ contract.ServerInterface }

type areas struct {
	rest
	api.Profile
	wallet.Webhooks
}

// bundle is the profile's part of the API over HTTP, with a bank behind it.
type bundle struct {
	*testing.T
	base    string
	pool    *pgxpool.Pool
	people  *people.Service
	ledger  *store.Store
	bank    *sandbox.Bank
	service *profile.Service
	mu      sync.Mutex
	ahead   time.Duration
	callers map[string]people.Caller
}

func (b *bundle) now() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return time.Now().Add(b.ahead)
}

func (b *bundle) pass(d time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ahead += d
}

var migrated = ledgertest.Migrated(store.Migrate, mail.Migrate, people.Migrate, sandbox.Migrate, items.Migrate, app.Migrate, vault.Migrate, vault.Grant)

// setup returns a bundle whose BVNs are verified by the bank, or by the card gateway.
func setup(t *testing.T, byCard bool) *bundle {
	t.Helper()
	b := &bundle{T: t, pool: migrated.Pool(t), callers: map[string]people.Caller{}}
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	b.base = server.URL
	var err error
	b.people, err = people.New(people.Options{Pool: b.pool, PublicURL: server.URL, Key: make([]byte, 32), FastHashing: true})
	require.NoError(t, err)
	t.Cleanup(b.people.Close)
	b.ledger = store.Open(store.Postgres(b.pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(b.ledger.Close)
	keys, err := vault.NewKeys("a master key of the tests, which is long enough")
	require.NoError(t, err)
	safe, err := vault.Open(t.Context(), b.pool, keys, 4)
	require.NoError(t, err)
	t.Cleanup(safe.Close)
	b.bank = sandbox.New(sandbox.Options{
		Pool: b.pool, BaseURL: server.URL, ConsumerKey: "key", ConsumerSecret: "secret", PaystackKey: "sk",
		VfdWebhookURL: server.URL + "/api/v1/webhooks/vfd/secret", PaystackWebhookURL: server.URL + "/api/v1/webhooks/paystack", Now: b.now,
	})
	bank := vfd.New(vfd.Options{Host: server.URL + "/sandbox/vfd", ConsumerKey: "key", ConsumerSecret: "secret", WalletName: "Adashi"})
	card := paystack.New(paystack.Options{Host: server.URL + "/sandbox/paystack", SecretKey: "sk"})
	var verifier rails.Verifier = bank
	if byCard {
		verifier = card
	}
	store := files.New(files.Options{Vault: safe, Share: func(_ context.Context, viewer, _ string) (bool, error) {
		return b.callers["bisi"].UserID == viewer, nil
	}})
	b.service = profile.New(profile.Options{
		Pool: b.pool, Vault: safe, Files: store, People: b.people, Ledger: b.ledger, Banks: banks.New(), Enquirer: bank, Verifier: verifier,
		PublicURL: "http://adashi.test", Now: b.now,
		Asked: func(context.Context, string) ([]contract.Question, error) { return []contract.Question{}, nil },
	})
	mux.Handle("/sandbox/", b.bank.Handler())
	mux.Handle("/", httpapi.Router(httpapi.Deps{
		Now: time.Now,
		API: areas{Profile: api.Profile{Service: b.service, Files: store, Leaving: &leaving.Service{People: b.people, Profile: b.service, Known: func(context.Context) error { return nil }, Groups: owner{}, Areas: []leaving.Area{owner{}}}}, Webhooks: wallet.Webhooks{Hooks: func(event.Provider) []wallet.Hook {
			return []wallet.Hook{func(ctx context.Context, header http.Header, body []byte) error {
				return b.service.IdentityWebhook(ctx, card, header, body)
			}}
		}, Opens: func(event.Provider, string) bool { return true }}},
		Authenticate: b.authenticate, Standing: func() checks.Standing { return checks.Standing{Ready: true} },
	}))
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- b.bank.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-stopped })
	return b
}

// owner is a person whom a group depends on.
type owner struct{}

func (owner) Leaves(context.Context, string) ([]dues.LeaveGroup, error) { return nil, nil }

func (owner) Ties(context.Context, string) ([]string, error) {
	return []string{"You own a group."}, nil
}

// authenticate recognizes everybody by their name; a + after it means that they have just proved their identity again.
func (b *bundle) authenticate(_ context.Context, token, _ string) (people.Caller, error) {
	name, stepped := strings.CutSuffix(token, "+")
	caller, known := b.callers[name]
	if !known {
		return caller, fault.New(fault.Unauthenticated, "no session")
	}
	if stepped {
		caller.SteppedUpUntil = time.Now().Add(time.Minute)
	}
	return caller, nil
}

// joins registers a person, born so many years ago today.
func (b *bundle) joins(name, last string, years int) {
	b.Helper()
	birth := time.Now().In(lagos.Zone).AddDate(-years, 0, 0).Format(time.DateOnly)
	email := name + "@example.com"
	id, err := b.people.CreateVerified(b.Context(), people.Registration{
		Email: email, Password: "correct horse battery", FirstName: strings.Title(name), LastName: last, Phone: "08031234567", DateOfBirth: birth, //nolint:staticcheck // ASCII.
	})
	require.NoError(b, err)
	b.callers[name] = people.Caller{UserID: id, Email: email, Roles: []string{people.RoleUser}}
}

type reply struct {
	status         int
	header         http.Header
	body           []byte
	Message        string          `json:"message"`
	ReturnedCode   string          `json:"returnedCode"`
	ReturnedObject json.RawMessage `json:"returnedObject"`
}

func (r reply) field() string {
	var about struct{ Field string }
	_ = json.Unmarshal(r.ReturnedObject, &about)
	return about.Field
}

func (b *bundle) do(request *http.Request, as string) reply {
	b.Helper()
	request.Header.Set("Authorization", "Bearer "+as)
	response, err := http.DefaultClient.Do(request)
	require.NoError(b, err)
	defer func() { _ = response.Body.Close() }()
	var raw bytes.Buffer
	_, err = raw.ReadFrom(response.Body)
	require.NoError(b, err)
	r := reply{status: response.StatusCode, header: response.Header, body: raw.Bytes()}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		require.NoError(b, json.Unmarshal(r.body, &r))
	}
	return r
}

type form = map[string]any

func (b *bundle) ask(as, method, path string, body form) reply {
	b.Helper()
	raw, err := json.Marshal(body)
	require.NoError(b, err)
	request, err := http.NewRequest(method, b.base+path, bytes.NewReader(raw))
	require.NoError(b, err)
	request.Header.Set("Content-Type", "application/json")
	return b.do(request, as)
}

func (b *bundle) ok(as, method, path string, body form) form {
	b.Helper()
	r := b.ask(as, method, path, body)
	require.Equal(b, 200, r.status, r.Message)
	var out form
	require.NoError(b, json.Unmarshal(r.ReturnedObject, &out))
	return out
}

const (
	update  = "/api/Account/UpdateUserInfo"
	lookUp  = "/api/Payment/bvn-look-up"
	profil  = "/api/Account/GetUserInfoById/"
	enquiry = "/api/v1/payment/name-enquiry"
)

func (b *bundle) account(name string) form {
	b.Helper()
	return b.ok(name, "GET", profil+b.callers[name].UserID, nil)
}

// filled is a form with the caller's own e-mail.
func filled(name string, fields form) form {
	out := form{"email": name + "@example.com"}
	for field, value := range fields {
		out[field] = value
	}
	return out
}

func TestDetailsAreChangedAsGivenAndTheRestStays(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	before := b.account("ada")
	require.Equal(t, "NONE", before["bvnStatus"])
	require.Equal(t, false, before["needsGuardian"])
	after := b.ok("ada", "POST", update, filled("ada", form{
		"gender": "FEMALE", "genderName": "Female", "stateId": "NG-LA", "address": " 12 Marina ", "monthlySalaray": 250000.5, "dateForSalary": "2026-11-28", "phone": "0803 999 0000",
	}))
	require.Equal(t, "Female", after["genderName"])
	require.Equal(t, "Lagos", after["stateName"])
	require.Equal(t, "12 Marina", after["address"])
	require.InDelta(t, 250000.5, after["monthlySalaray"], 0)
	require.Equal(t, "2026-11-27T23:00:00Z", after["dateForSalary"], "the start of that day in Lagos")
	require.Equal(t, "+2348039990000", after["phone"])
	again := b.ok("ada", "POST", update, filled("ada", form{"firstName": "Adaeze", "dateForSalary": "2026-11-28T09:30:00+01:00", "address": "", "roles": []string{"User"}, "bvnVerified": false, "id": b.callers["ada"].UserID}))
	require.Equal(t, "Adaeze", again["firstName"])
	require.Equal(t, "2026-11-28T08:30:00Z", again["dateForSalary"])
	require.Nil(t, again["address"])
	require.Equal(t, "Lagos", again["stateName"])
	require.Equal(t, again, b.account("ada"))
}

func TestWhatIsNotTheMembersToSetAndWhatIsWrong(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	b.joins("eve", "Obi", 30)
	before := b.account("ada")
	for field, value := range map[string]any{
		"id": b.callers["eve"].UserID, "roles": []string{"User", "Admin"}, "bvnVerified": true, "hasAjoAccess": true, "isEmailVerified": false,
		"bankName": "Another", "avatar": "/api/v1/files/x", "utilitybillUrl": "http://evil.example", "offerLetterUrl": "x", "bankAccountStatementUrl": "x", "genderName": "Male", "stateName": "Lagos",
	} {
		r := b.ask("ada", "POST", update, filled("ada", form{field: value, "address": "changed"}))
		require.Equal(t, 403, r.status, "%s: %s", field, r.Message)
		require.Equal(t, "FORBIDDEN", r.ReturnedCode)
		require.Equal(t, field, r.field())
	}
	for name, c := range map[string]struct {
		field string
		value any
	}{
		"nine digits":           {"bankAccountNumber", "123456789"},
		"eleven digits":         {"bankAccountNumber", "12345678901"},
		"letters in an account": {"bankAccountNumber", "12345abcde"},
		"no such gender":        {"gender", "ROBOT"},
		"no such state":         {"stateId", "US-NY"},
		"a salary below zero":   {"monthlySalaray", -1},
		"a salary beyond sense": {"monthlySalaray", 1000000001},
		"no such day":           {"dateForSalary", "2026-02-30"},
		"a day in words":        {"dateForSalary", "tomorrow"},
		"a time without zone":   {"dateForSalary", "2026-11-28T09:30:00"},
		"a long address":        {"address", strings.Repeat("x", 201)},
		"a bell in an address":  {"officeAddress", "12 \u0007 Marina"},
		"a name of digits":      {"firstName", "1234"},
		"a phone elsewhere":     {"phone", "+14155550100"},
		"a card typed in":       {"cardDetailsDtos", []form{{"last4": "4081"}}},
		"a field of our own":    {"secret", "x"},
	} {
		fields := form{c.field: c.value}
		if c.field == "bankAccountNumber" {
			fields["bankCode"] = "082"
		}
		r := b.ask("ada", "POST", update, filled("ada", fields))
		require.Equal(t, 400, r.status, "%s: %s", name, r.Message)
		require.Equal(t, c.field, r.field(), name)
	}
	require.Equal(t, 403, b.ask("ada", "POST", update, filled("eve", nil)).status, "another's e-mail")
	require.Equal(t, 403, b.ask("eve", "GET", profil+b.callers["ada"].UserID, nil).status, "another's account")
	require.Equal(t, before, b.account("ada"))
}

func TestSettingsAreKeptAndSafetyIsNeverMuted(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	const path = "/api/Account/UpdateUserSettings"
	settings := func(inApp bool, muted ...string) form {
		return filled("ada", form{"settings": form{"inApp": inApp, "email": true, "mutedInApp": muted, "mutedEmail": []string{}}})
	}
	require.Equal(t, 400, b.ask("ada", "POST", path, settings(true, "security_alert")).status)
	require.Equal(t, 400, b.ask("ada", "POST", path, settings(true, "nonsense")).status)
	b.ok("ada", "POST", path, settings(true, "payment_received", "member_joined", "payment_received"))
	require.Equal(t, []any{"member_joined", "payment_received"}, b.account("ada")["settings"].(form)["mutedInApp"])
	b.ok("ada", "POST", path, settings(false))
	hidden, err := b.service.Hidden(t.Context(), b.callers["ada"].UserID)
	require.NoError(t, err)
	require.Contains(t, hidden, "wallet_funded")
	require.NotContains(t, hidden, "security_alert")
}

var guardianToken = regexp.MustCompile(`/guardian-consent\?token=([A-Za-z0-9_-]+)`)

func (b *bundle) letterTo(address string) string {
	b.Helper()
	letters, err := mail.Newest(b.Context(), b.pool, address)
	require.NoError(b, err)
	require.NotEmpty(b, letters)
	return guardianToken.FindStringSubmatch(letters[0].Text)[1]
}

// lettersTo counts the letters to an address.
func (b *bundle) lettersTo(to string) int {
	b.Helper()
	letters, err := mail.Newest(b.Context(), b.pool, to)
	require.NoError(b, err)
	return len(letters)
}

func TestAGuardianConsentsForAMemberUnder18(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("tola", "Ade", 17)
	b.joins("ada", "Obi", 18)
	const ask, answer = "/api/v1/account/guardian", "/api/v1/account/guardian/consent"
	guardian := form{"name": "Bola Ade", "email": "Bola@Example.com", "relationship": "PARENT"}
	may := func(name string) error { return b.service.MayContribute(b.Context(), b.callers[name].UserID) }
	require.NoError(t, may("ada"))
	require.True(t, fault.Is(may("tola"), fault.Forbidden))
	require.Equal(t, true, b.account("tola")["needsGuardian"])
	require.Equal(t, 409, b.ask("ada", "POST", ask, guardian).status, "grown up")
	for field, value := range map[string]string{"email": "tola@example.com", "name": "<b>", "relationship": "FRIEND"} {
		wrong := form{"name": "Bola Ade", "email": "bola@example.com", "relationship": "PARENT"}
		wrong[field] = value
		r := b.ask("tola", "POST", ask, wrong)
		require.Equal(t, "400 "+field, fmt.Sprint(r.status, " ", r.field()))
	}
	b.ok("tola", "POST", ask, guardian)
	first := b.letterTo("bola@example.com")
	b.ok("tola", "POST", ask, guardian)
	token := b.letterTo("bola@example.com")
	require.Equal(t, 400, b.ask("", "POST", answer, form{"token": first}).status, "a newer link took its place")
	told := b.ok("", "POST", answer, form{"token": token})
	require.Equal(t, form{"minor": "Tola Ade", "guardian": "Bola Ade", "status": "ASKED"}, told)
	require.Equal(t, 400, b.ask("", "POST", answer, form{"token": token, "accept": true, "name": "Tola"}).status, "in another name")
	written := b.lettersTo("tola@example.com")
	for range 2 {
		require.Equal(t, "REFUSED", b.ok("", "POST", answer, form{"token": token, "accept": false})["status"])
		require.Equal(t, written+1, b.lettersTo("tola@example.com"), "said again is not written again")
	}
	require.Error(t, may("tola"))
	require.Equal(t, "CONSENTED", b.ok("", "POST", answer, form{"token": token, "accept": true, "name": "ade bola"})["status"])
	require.NoError(t, may("tola"))
	require.Equal(t, "CONSENTED", b.ok("", "POST", answer, form{"token": token, "accept": false})["status"], "it is given")
	require.Equal(t, false, b.account("tola")["needsGuardian"])
	require.True(t, b.state("tola").Consented)
	require.Equal(t, 409, b.ask("tola", "POST", ask, guardian).status)
	b.pass(15 * 24 * time.Hour)
	require.Equal(t, 400, b.ask("", "POST", answer, form{"token": token}).status, "after a fortnight")
}

func TestLeavingAndTakingOnesDataAlongNeedAStepUp(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	b.joins("ada", "Obi", 30)
	r := b.ask("ada", "GET", "/api/v1/account/export", nil)
	require.Equal(t, "STEP_UP", r.ReturnedCode)
	r = b.ask("ada", "POST", "/api/v1/account/close", filled("ada", nil))
	require.Equal(t, "STEP_UP", r.ReturnedCode)
	r = b.ask("ada+", "POST", "/api/v1/account/close", filled("eve", nil))
	require.Equal(t, "email", r.field())
	r = b.ask("ada+", "POST", "/api/v1/account/close", filled("ada", nil))
	require.Equal(t, "409 Your account cannot be closed yet. You own a group.", fmt.Sprint(r.status, " ", r.Message))
}

func TestBanksCarryBothCodes(t *testing.T) {
	t.Parallel()
	b := setup(t, false)
	require.NoError(t, b.service.RefreshBanks(t.Context()))
	for path, code := range map[string]string{"/api/Payment/getbanks": "044", "/api/Payment/vfd-banks": "000014"} {
		var list []contract.Bank
		require.NoError(t, json.Unmarshal(b.ask("", "GET", path, nil).ReturnedObject, &list))
		require.Len(t, list, 35)
		require.Equal(t, contract.Bank{Code: code, Name: "Access Bank", NipCode: "000014"}, list[0])
	}
}
