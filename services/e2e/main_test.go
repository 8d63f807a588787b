// Package e2e opens the whole product and uses it as people, gateways and operators do: over HTTP and as processes.
package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/shopspring/decimal"
	"github.com/stretchr/testify/require"

	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/usecase"
)

const password = "Naira-Test-2026"

var (
	once   sync.Once
	shared *boot.Instance
	failed error
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	dir, err := os.MkdirTemp("", "adashi-e2e-")
	if err != nil {
		panic(err)
	}
	folder = dir
	code := m.Run()
	if shared != nil {
		if !sharedIsDecidedAgain() {
			code = max(code, 1)
		}
		shared.Stop()
	}
	printFaults()
	if !allSaid() {
		code = max(code, 1)
	}
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var folder string // Removed at the end.

// product is the instance, started once for all tests that do not need one of their own.
func product(t testing.TB) *boot.Instance {
	t.Helper()
	once.Do(func() {
		shared, failed = boot.Start(context.Background(), settings(folder+"/shared"), boot.All)
	})
	require.NoError(t, failed)
	return shared
}

// settings are those of a product in a folder. An empty folder becomes a copy of one in which a product has run and
// ended: to make the stores and their tables takes most of a start.
func settings(data string) config.Config {
	if err := prepare(data); err != nil {
		panic(err)
	}
	return plain(data)
}

// prepare copies what prepared made, unless there is something in the folder already.
func prepare(data string) error {
	made, err := prepared()
	if err != nil {
		return err
	}
	if found, err := os.ReadDir(data); err == nil && len(found) > 0 {
		return nil
	}
	// It keeps modes and owners, which Postgres insists on.
	out, err := exec.Command("cp", "-a", made+"/.", data).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return os.Remove(data + "/instance.json") // Each is an instance of its own.
}

// prepared is the folder of a product that has run and ended, made once.
var prepared = sync.OnceValues(func() (string, error) {
	data := folder + "/prepared"
	i, err := boot.Start(context.Background(), plain(data), boot.All)
	if err != nil {
		return "", err
	}
	i.Stop()
	return data, nil
})

func plain(data string) config.Config {
	return config.Config{
		Host: "127.0.0.1", PortGiven: true, Data: data, Rail: config.RailSandbox, NATSReplicas: 1,
		FastHashing:    true,                                                 // Hundreds of people log in.
		TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, // We are the proxy of many people: see fromAnywhere.
	}
}

// person is somebody with a browser.
type person struct {
	testing.TB
	base             string
	id, email, token string
	secret           string // What must come with the token.
	device           string // What the device is known by.
}

// reply is the envelope of every answer.
type reply struct {
	status         int
	header         http.Header
	IsSuccessful   bool            `json:"isSuccessful"`
	Message        string          `json:"message"`
	ReturnedCode   string          `json:"returnedCode"`
	ReturnedObject json.RawMessage `json:"returnedObject"`
}

var client = &http.Client{
	Timeout:       40 * time.Second,
	Transport:     &http.Transport{MaxIdleConnsPerHost: 64, ExpectContinueTimeout: 20 * time.Second},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// try sends a request. body is marshalled unless it is a string already; headers are name, value, name, value.
func (p *person) try(method, path string, body any, headers ...string) (reply, error) {
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return reply{}, err
		}
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequest(method, p.base+path, reader)
	if err != nil {
		return reply{}, err
	}
	if reader != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if p.token != "" {
		p.shows(request)
	}
	if p.device != "" {
		request.Header.Set("X-Device-Secret", p.device)
	}
	request.Header.Set("X-Forwarded-For", fromAnywhere())
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	r, err := send(request)
	heard(method, path, r)
	return r, err
}

// fromAnywhere is another address each time: all tests together are more than one household.
func fromAnywhere() string {
	n := callers.Add(1)
	return fmt.Sprintf("102.%d.%d.%d", n>>16&255, n>>8&255, n&255)
}

var callers atomic.Uint32

// shows whose session it is.
func (p *person) shows(request *http.Request) {
	request.Header.Set("Authorization", "Bearer "+p.token)
	request.Header.Set("X-Session-Secret", p.secret)
}

func send(request *http.Request) (reply, error) {
	response, err := client.Do(request)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	r := reply{status: response.StatusCode, header: response.Header}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		err = json.Unmarshal(raw, &r)
	}
	return r, err
}

// ask sends a request. What has to stand for a position is asked for again until it does: a read waits for 300 ms.
func (p *person) ask(method, path string, body any, headers ...string) reply {
	p.Helper()
	for began := time.Now(); ; {
		r, err := p.try(method, path, body, headers...)
		require.NoError(p, err)
		if !slices.Contains(headers, "X-Min-Position") || r.header.Get("X-Stale") == "" {
			return r
		}
		require.Less(p, time.Since(began), time.Minute, "%s is older than what was written", path)
	}
}

// must asks, holds that it went well and answers the object.
func must[T any](p *person, method, path string, body any, headers ...string) T {
	p.Helper()
	r := p.ask(method, path, body, headers...)
	require.Equal(p, 200, r.status, "%s %s: %s", method, path, r.Message)
	require.True(p, r.IsSuccessful)
	require.Equal(p, "OK", r.ReturnedCode)
	var out T
	if len(r.ReturnedObject) > 0 {
		require.NoError(p, json.Unmarshal(r.ReturnedObject, &out))
	}
	return out
}

type object = map[string]any

var serial atomic.Int64

// somebody is a verified person who is logged in.
func somebody(t testing.TB, i *boot.Instance, name string) *person {
	t.Helper()
	email := fmt.Sprintf("%s-%d@example.com", strings.ToLower(name), serial.Add(1))
	_, err := i.People.CreateVerified(context.Background(), people.Registration{
		Email: email, Password: password, FirstName: name, LastName: "Test", Phone: "08031234567", DateOfBirth: "1990-01-01",
	})
	require.NoError(t, err)
	p := &person{TB: t, base: i.Address, email: email}
	p.logIn()
	return p
}

func (p *person) logIn() {
	p.Helper()
	r := p.ask("POST", "/api/Account/GetToken", object{"email": p.email, "password": password}, "X-Session-Binding", "header")
	require.Equal(p, 200, r.status, r.Message)
	login := r.object(p)
	p.device = r.header.Get("X-Device-Secret")
	p.id, p.token, p.secret = login["id"].(string), login["token"].(string), login["sessionSecret"].(string)
}

func nobody(t testing.TB, base string) *person { return &person{TB: t, base: base} }

// form posts an HTML form.
func (p *person) form(path string, values url.Values) *http.Response {
	p.Helper()
	response, err := client.PostForm(p.base+path, values)
	require.NoError(p, err)
	_, _ = io.Copy(io.Discard, response.Body)
	_ = response.Body.Close()
	return response
}

func (p *person) page(path string) string {
	p.Helper()
	response, err := client.Get(p.base + path)
	require.NoError(p, err)
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	require.NoError(p, err)
	return string(raw)
}

// naira reads an amount as the wire has it.
func naira(t testing.TB, amount any) string {
	t.Helper()
	switch a := amount.(type) {
	case float64:
		return decimal.NewFromFloat(a).StringFixed(2)
	case nil:
		return "none"
	default:
		require.Failf(t, "no amount", "%v", a)
		return ""
	}
}

func (p *person) balance() string {
	p.Helper()
	return naira(p, must[object](p, "GET", "/api/Wallet/GetWalletBalance/?email="+url.QueryEscape(p.email), nil)["balance"])
}

// holds waits until the wallet shows so much.
func (p *person) holds(want string) {
	p.Helper()
	require.Eventually(p, func() bool { return p.balance() == want }, time.Minute, 10*time.Millisecond, "the wallet never held %s", want)
}

// sends pays a started transfer at the sandbox bank's counter.
func (p *person) sends(payment object, amount string) *http.Response {
	p.Helper()
	return p.form("/sandbox/send", url.Values{"account": {payment["accountNumber"].(string)}, "amount": {amount}, "sender": {"Bisi Test"}})
}

// funded has money in the wallet, by transfer.
func (p *person) funded(amount int) *person {
	p.Helper()
	payment := must[object](p, "POST", "/api/Wallet/FundWalletVfd", object{"amount": amount, "email": p.email})
	require.Equal(p, 303, p.sends(payment, strconv.Itoa(amount)).StatusCode)
	p.holds(decimal.NewFromInt(int64(amount)).StringFixed(2))
	return p
}

// club is an active group with a monthly sub-account of ₦5,000.
type club struct {
	owner, validator, approver, member *person
	group, sub                         string
}

func found(t testing.TB, i *boot.Instance) club {
	t.Helper()
	c := club{owner: somebody(t, i, "Ada"), validator: somebody(t, i, "Chidi"), approver: somebody(t, i, "Femi"), member: somebody(t, i, "Bisi")}
	c.owner.known()
	c.group = c.owner.founds("Balogun Traders")
	c.admitsAll(c.validator, c.approver, c.member)
	c.appoints()
	c.sub = c.opens("Monthly dues", "FIXED", "MONTHLY", 5000)
	return c
}

// settled is a group as found makes it, whose officials have held their offices for longer than it takes until these
// count for money, have a verified BVN, and whose payments wait for no notice.
func settled(t testing.TB, i *boot.Instance) club {
	t.Helper()
	c := club{owner: somebody(t, i, "Ada"), validator: somebody(t, i, "Chidi"), approver: somebody(t, i, "Femi"), member: somebody(t, i, "Bisi")}
	for _, p := range []*person{c.owner, c.validator, c.approver} {
		p.known()
	}
	c.founded(i)
	c.sub = c.opens("Monthly dues", "FIXED", "MONTHLY", 5000)
	return c
}

// founded makes the group of its people, whose officials have held their offices for longer than it takes until these
// count for money, and whose payments wait for no notice.
func (c *club) founded(i *boot.Instance) {
	t, ctx := c.owner.TB, context.Background()
	t.Helper()
	then, owner := i.App.At(time.Now().Add(-savings.CoolOff-time.Hour)), usecase.Who{User: c.owner.id, Email: c.owner.email}
	id, _, err := then.Groups.CreateGroup(ctx, owner, groups.NewGroup{Name: "Balogun Traders", Amount: wire.FromKobo(5_000_00), Capacity: 10, StartMonth: lagosMonth(), ShowTotal: true})
	require.NoError(t, err)
	c.group = id
	for _, p := range []*person{c.validator, c.approver, c.member} {
		_, _, err := then.Groups.JoinGroup(ctx, usecase.Who{User: p.id, Email: p.email}, id, then.Groups.InvitationCode(id))
		require.NoError(t, err)
		_, _, err = then.Groups.ApproveMember(ctx, owner, id, p.id)
		require.NoError(t, err)
	}
	_, err = then.Groups.AppointApprover(ctx, owner, id, c.approver.id)
	require.NoError(t, err)
	_, err = then.Groups.AppointValidator(ctx, owner, id, c.validator.id)
	require.NoError(t, err)
	_, err = then.Groups.SetNotice(ctx, owner, id, 0)
	require.NoError(t, err)
}

// admitsAll lets people in by the link.
func (c club) admitsAll(people ...*person) {
	c.owner.Helper()
	code := c.owner.code(c.group)
	for _, p := range people {
		must[any](p, "POST", "/api/GroupSavings/JoinGroupSavings", object{"groupId": c.group, "code": code, "email": p.email})
		must[any](c.owner, "PATCH", "/api/GroupSavings/ApproveGroupMember", object{"groupId": c.group, "memberId": p.id})
	}
}

// appoints gives the validator and the approver their offices. The group of an owner with a verified BVN is active
// then.
func (c club) appoints() {
	c.owner.Helper()
	must[any](c.owner, "POST", "/api/v1/savings/groups/"+c.group+"/approvers", object{"memberId": c.approver.id})
	must[any](c.owner, "PATCH", "/api/GroupSavings/SetGroupValidator", object{"groupId": c.group, "memberId": c.validator.id})
}

// known opens an account at the sandbox's counter for somebody, and has it and their BVN verified: the owner of an
// active group needs that.
func (p *person) known() sandbox.Person {
	p.Helper()
	info := must[object](p, "GET", "/api/Account/GetUserInfoById/"+p.id, nil)
	at := sandbox.Person{
		FirstName: info["firstName"].(string), LastName: info["lastName"].(string), Account: "1" + digits(9), BVN: "2" + digits(10), BankCode: "082",
	}
	require.Equal(p, 303, p.form("/sandbox/people", url.Values{
		"first_name": {at.FirstName}, "last_name": {at.LastName}, "bank": {at.BankCode}, "account": {at.Account}, "bvn": {at.BVN},
	}).StatusCode)
	p.verified(at)
	return at
}

func (p *person) founds(name string) string {
	p.Helper()
	return must[object](p, "POST", "/api/GroupSavings/CreateGroupSavings", object{
		"name": name, "amount": 5000, "memberCapacity": 20, "startMonthId": lagosMonth(), "userEmail": p.email, "monthlyDues": false,
	})["id"].(string)
}

func lagosMonth() int { return int(time.Now().In(lagos.Zone).Month()) }

func (c club) opens(name, kind, rhythm string, amount int) string {
	c.owner.Helper()
	opened := c.owner.acts("POST", "/api/GroupSavings/CreateSubAccount", object{
		"groupSavingsId": c.group, "name": name, "paymentType": kind, "paymentFrequency": rhythm, "amountPayable": amount, "userId": c.owner.id,
	})
	var sub struct{ ID string }
	require.NoError(c.owner, json.Unmarshal(opened.ReturnedObject, &sub))
	return sub.ID
}

var codeInLink = regexp.MustCompile(`code=([A-Za-z0-9_-]+)`)

// code is the secret of the group's invitation link, as soon as its owner sees it.
func (p *person) code(group string) (code string) {
	p.Helper()
	require.Eventually(p, func() bool {
		r := p.ask("GET", "/api/GroupSavings/GetGroupSavingsInfo/"+group, nil)
		if match := codeInLink.FindSubmatch(r.ReturnedObject); match != nil {
			code = string(match[1])
		}
		return code != ""
	}, time.Minute, 10*time.Millisecond)
	return code
}

func (p *person) pays(sub string, amount any, headers ...string) reply {
	p.Helper()
	return p.ask("POST", "/api/Wallet/make-payment-with-wallet", object{"amount": amount, "subAccountId": sub, "userId": p.id}, headers...)
}
