package town

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails/sandbox"
)

const password = "Naira-Town-2026" // Of people who are made up.

// character is what kind of person somebody is.
type character struct {
	name       string
	role       string // Of the staff; empty for a member.
	years      int    // How old they are when the year begins.
	puppetOf   int    // The number of the person whose accounts theirs are, from 1; 0 for nobody.
	unverified bool   // Their BVN is not verified when the year begins.
	home       bool   // They live in the first group from its beginning.
}

// characters are who lives in the town; savers fill up the rest.
var characters = []character{
	{name: "founder", years: 44, home: true},
	{name: "puppet", years: 30, puppetOf: 1, home: true},
	{name: "puppet", years: 31, puppetOf: 1, home: true},
	{name: "treasurer", years: 51, home: true},
	{name: "secretary", years: 39, home: true},
	{name: "auditor", years: 60, home: true},
	{name: "saver", years: 28, home: true},
	{name: "saver", years: 35, home: true},
	{name: "minor", years: 17, home: true},
	{name: "newcomer", years: 22, unverified: true},
	{name: "organiser", years: 47, home: true},
	{name: "support", role: people.RoleSupport, years: 33},
	{name: "support", role: people.RoleSupport, years: 29},
	{name: "finance", role: people.RoleFinanceOps, years: 41},
	{name: "finance", role: people.RoleFinanceOps, years: 37},
	{name: "admin", role: people.RoleAdmin, years: 50},
	{name: "admin", role: people.RoleAdmin, years: 36},
}

var firstNames = []string{"Ada", "Bisi", "Chidi", "Dayo", "Efe", "Femi", "Gozie", "Halima", "Ife", "Jide", "Kemi", "Lola", "Musa", "Ngozi", "Obi", "Pelumi", "Remi", "Sade", "Tunde", "Uche", "Vera", "Wale", "Yemi", "Zainab"}

// person is somebody of the town.
type person struct {
	character
	number                int // From 1.
	first, email          string
	id                    string
	token, secret, device string
	password              string
	stolen                time.Time      // Since when a thief uses their account; zero where nobody does.
	given                 bool           // Their account was given back, and they have not come back into it.
	truth                 sandbox.Person // Whose bank account and BVN these really are, which the product does not know.
}

func (p *person) String() string { return fmt.Sprintf("%s (%s)", p.first, p.name) }

// moveIn makes everybody's account, and their account at the bank.
func (t *Town) moveIn(ctx context.Context, count int) error {
	for n := range max(count, len(characters)) {
		c := character{name: "saver", years: 20 + n, home: n%2 == 0}
		if n < len(characters) {
			c = characters[n]
		}
		p := &person{character: c, number: n + 1, first: firstNames[n%len(firstNames)], password: password}
		p.email = fmt.Sprintf("%s%d@example.com", strings.ToLower(p.first), p.number)
		born := t.Now().In(lagos.Zone).AddDate(-c.years, 0, -40-n)
		if c.name == "minor" {
			born = t.Now().In(lagos.Zone).AddDate(-18, 0, 45) // They come of age in the year.
		}
		var roles []string
		if c.role != "" {
			roles = append(roles, c.role)
		}
		var err error
		p.id, err = t.instance.People.CreateVerified(ctx, people.Registration{
			Email: p.email, Password: password, FirstName: p.first, LastName: "Town", Phone: fmt.Sprintf("0803%07d", p.number), DateOfBirth: born.Format("2006-01-02"),
		}, roles...)
		if err != nil {
			return err
		}
		at := sandbox.Person{FirstName: p.first, LastName: "Town", Account: fmt.Sprintf("30%08d", p.number), BVN: fmt.Sprintf("22%09d", p.number), BankCode: "082"}
		if c.puppetOf > 0 {
			at.Owner = t.people[c.puppetOf-1].truth.BVN
		}
		if p.truth, err = t.instance.Bank.AddPerson(ctx, at); err != nil {
			return err
		}
		t.memory.names("user", p.id)
		t.people = append(t.people, p)
		t.byID[p.id] = p
	}
	var err error
	t.stranger, err = t.instance.Bank.AddPerson(ctx, sandbox.Person{FirstName: "Amaka", LastName: "Stranger", Account: "3999999999", BVN: "22999999999", BankCode: "058"})
	return err
}

// reply is the answer to a call.
type reply struct {
	status         int
	Message        string          `json:"message"`
	ReturnedCode   string          `json:"returnedCode"`
	ReturnedObject json.RawMessage `json:"returnedObject"`
	header         http.Header
}

// object reads what was answered as an object; nil where it is none.
func (r reply) object() (o map[string]any) {
	_ = json.Unmarshal(r.ReturnedObject, &o)
	return o
}

// call sends a request as a person, or as nobody when p is nil.
func (t *Town) call(ctx context.Context, p *person, method, path string, body any, headers ...string) (reply, error) {
	var reader io.Reader = http.NoBody
	kind := "application/json"
	switch b := body.(type) {
	case nil:
	case form:
		reader, kind = bytes.NewReader(b.raw), b.kind
	default:
		raw, err := json.Marshal(body)
		if err != nil {
			return reply{}, err
		}
		reader = bytes.NewReader(raw)
	}
	request, err := http.NewRequestWithContext(ctx, method, t.instance.Address+path, reader)
	if err != nil {
		return reply{}, err
	}
	request.Header.Set("Content-Type", kind)
	address := uint32(t.calls)
	t.calls++
	request.Header.Set("X-Forwarded-For", fmt.Sprintf("102.%d.%d.%d", address>>16&255, address>>8&255, address&255))
	if p != nil {
		if p.token != "" {
			request.Header.Set("Authorization", "Bearer "+p.token)
			request.Header.Set("X-Session-Secret", p.secret)
		}
		if p.device != "" {
			request.Header.Set("X-Device-Secret", p.device)
		}
	}
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := t.client.Do(request)
	if err != nil {
		return reply{}, fmt.Errorf("the product does not answer: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return reply{}, err
	}
	r := reply{status: response.StatusCode, header: response.Header}
	if strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(raw, &r); err != nil {
			return r, fmt.Errorf("%s %s answers what is not JSON: %w", method, path, err)
		}
	}
	return r, nil
}

// form is a body with a file.
type form struct {
	raw  []byte
	kind string
}

// logIn opens a session.
func (t *Town) logIn(ctx context.Context, p *person) (reply, error) {
	p.token, p.secret = "", ""
	if p.given {
		if err := t.comesBack(ctx, p); err != nil {
			return reply{}, err
		}
	}
	r, err := t.call(ctx, p, "POST", "/api/Account/GetToken", map[string]any{"email": p.email, "password": p.password}, "X-Session-Binding", "header")
	if err != nil || r.status != http.StatusOK {
		return r, err
	}
	o := r.object()
	p.token, _ = o["token"].(string)
	p.secret, _ = o["sessionSecret"].(string)
	if device := r.header.Get("X-Device-Secret"); device != "" {
		p.device = device
	}
	return r, nil
}

// does sends a command as a person would: they log in again where their session has ended, and show who they are where
// they are asked to.
func (t *Town) does(ctx context.Context, p *person, method, path string, body any, headers ...string) (reply, error) {
	if p.token == "" {
		if r, err := t.logIn(ctx, p); err != nil || r.status != http.StatusOK {
			return r, err
		}
	}
	r, err := t.call(ctx, p, method, path, body, headers...)
	if err == nil && r.status == http.StatusUnauthorized {
		if in, err := t.logIn(ctx, p); err != nil || in.status != http.StatusOK {
			return in, err
		}
		r, err = t.call(ctx, p, method, path, body, headers...)
	}
	if err == nil && r.ReturnedCode == "STEP_UP" {
		up, err := t.call(ctx, p, "POST", "/api/v1/account/step-up", map[string]any{"password": p.password})
		if err != nil || up.status != http.StatusOK {
			return up, err
		}
		return t.call(ctx, p, method, path, body, headers...)
	}
	return r, err
}
