package e2e

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/people"
)

// crowd is one person of every kind, around one group.
type crowd struct {
	scene
	code   string
	kinds  map[string]*person
	stands map[string]string // Each person's started payment.
	ajo    string            // One of the owner and the group's members, whose list is sealed.
	extra  *person           // Another member of the group, if there is one.
	waits  func()            // Moves the clock on for a person who calls faster than anybody may. Nil where the clock is real.
}

func newCrowd(t *testing.T, i *boot.Instance) crowd {
	t.Helper()
	s := newSceneIn(t, i)
	c := crowd{scene: s, code: s.owner.code(s.group), stands: map[string]string{}, kinds: map[string]*person{
		"anonymous": nobody(t, s.owner.base), "outsider": s.outsider, "member": s.member, "validator": s.validator, "owner": s.owner,
		"approver": s.approver,
		"support":  s.staff(t, "Sade", people.RoleSupport), "finance": s.staff(t, "Femi", people.RoleFinanceOps), "admin": s.staff(t, "Ayo", people.RoleAdmin),
	}}
	c.kinds["anonymous"].id = uuid.NewString()
	for _, p := range c.kinds {
		if p.token != "" {
			c.stands[p.id] = must[object](p, "POST", fund, object{"amount": 300, "email": p.email})["transactionRef"].(string)
		}
	}
	c.ajo = c.circle(t)
	return c
}

// staff is somebody of Adashi's own.
func (s scene) staff(t *testing.T, name, role string) *person {
	t.Helper()
	p := somebody(t, s.i, name)
	require.NoError(t, people.GrantRole(context.Background(), s.i.Pool, p.email, role))
	p.logIn()
	return p
}

// again is the same person with a session of its own, for what ends or changes one.
func (p *person) again() *person {
	if p.token == "" {
		return p
	}
	other := *p
	other.logIn()
	return &other
}

func (p *person) session() string {
	return must[[]object](p, "GET", "/api/v1/account/sessions", nil)[0]["id"].(string)
}

// tried makes the call of a row as somebody about somebody's things.
func (c crowd) tried(row httpapi.Permission, p, whose *person) (call, reply) {
	made := call{}
	if try := tries[row.Method+" "+row.Path]; try != nil {
		made = try(c, p, whose)
	}
	if made.path == "" {
		made.path = row.Path
	}
	if made.as == nil {
		made.as = p
	}
	if row.Path == "/api/live" {
		return made, reply{status: made.as.hears()}
	}
	if row.Path == "/api/GroupSavings/save-group-document" { // A form with a file.
		return made, made.as.keeps(c.group, "Our constitution", paper)
	}
	if made.body == nil && row.Method != http.MethodGet {
		made.body = object{}
	}
	var r reply
	require.Eventually(p, func() bool { // One person calls everything here, faster than any may.
		if r = made.as.ask(row.Method, made.path, made.body); r.status == http.StatusTooManyRequests && c.waits != nil {
			c.waits()
		}
		return r.status != http.StatusTooManyRequests
	}, time.Minute, 500*time.Millisecond, "%s %s", row.Method, made.path)
	return made, r
}

// hears answers the status of the live stream, and leaves it.
func (p *person) hears() int {
	request, err := http.NewRequest("GET", p.base+"/api/live", nil)
	require.NoError(p, err)
	p.shows(request)
	response, err := client.Transport.RoundTrip(request)
	require.NoError(p, err)
	require.NoError(p, response.Body.Close())
	return response.StatusCode
}

// unbuilt reports a call that the contract has and nobody has built yet.
func (r reply) unbuilt() bool { return r.Message == "not built yet" }

// TestTheTableOfPermissionsHolds drives every call of the contract as every kind of person.
func TestTheTableOfPermissionsHolds(t *testing.T) {
	t.Parallel()
	ahead := atomic.Int64{}
	cfg := settings(t.TempDir())
	cfg.Clock = func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	c := newCrowd(t, i)
	c.waits = func() { ahead.Add(int64(5 * time.Second)) }
	rows := httpapi.Permissions()
	require.Greater(t, len(rows), 75)
	for route := range tries {
		require.True(t, slices.ContainsFunc(rows, func(r httpapi.Permission) bool { return r.Method+" "+r.Path == route }), "%s is no row", route)
	}
	asked := 0
	for _, row := range rows {
		for _, kind := range httpapi.Kinds {
			p := c.kinds[kind]
			made, r := c.tried(row, p, p)
			asked++
			name := row.Method + " " + made.path + " as " + kind + ": " + r.Message
			require.True(t, made.absent || r.Message != "There is nothing at this address.", name)
			require.Less(t, r.status, 500, name)
			switch verdict := row.Verdicts[kind]; {
			case verdict == httpapi.Deny && kind == "anonymous":
				require.Equal(t, 401, r.status, name)
			case verdict == httpapi.Deny:
				require.Contains(t, []int{403, 404}, r.status, name)
				require.Contains(t, []string{"FORBIDDEN", "NOT_FOUND"}, r.ReturnedCode, name)
			default:
				letIn(t, row, made, r, name)
			}
			if kind != "anonymous" {
				require.NotEqual(t, 401, r.status, "an authorisation failure logged somebody out: %s", name)
			}
		}
	}
	require.Equal(t, len(rows)*9, asked)
}

// letIn holds that a call was not refused for who made it.
func letIn(t *testing.T, row httpapi.Permission, made call, r reply, name string) {
	t.Helper()
	switch {
	case r.unbuilt():
	case made.absent:
		require.NotEqual(t, 405, r.status, name)
	case r.ReturnedCode == "STEP_UP":
		require.Equal(t, 403, r.status, name)
	case row.Method == http.MethodGet:
		require.Equal(t, 200, r.status, name)
	default:
		require.Contains(t, []int{200, 400, 409, 422}, r.status, name)
	}
}

// TestNobodyActsForAnother asks for everything that is one's own as somebody else, of every kind.
func TestNobodyActsForAnother(t *testing.T) {
	t.Parallel()
	c := newCrowd(t, product(t))
	victim := somebody(t, c.i, "Ngozi").funded(500)
	c.stands[victim.id] = must[object](victim, "POST", fund, object{"amount": 300, "email": victim.email})["transactionRef"].(string)
	asked := 0
	for _, row := range httpapi.Permissions() {
		try := tries[row.Method+" "+row.Path]
		if try == nil || row.Verdicts["outsider"] != httpapi.Self {
			continue
		}
		for _, kind := range []string{"outsider", "member", "validator", "owner", "support", "finance", "admin"} {
			p := c.kinds[kind]
			made, r := c.tried(row, p, victim)
			if !strings.Contains(made.path+flat(made.body), victim.id) && !strings.Contains(made.path+flat(made.body), url.QueryEscape(victim.email)) &&
				!strings.Contains(flat(made.body), victim.email) && !strings.Contains(flat(made.body), c.stands[victim.id]) && !strings.Contains(row.Path, ":id") || r.unbuilt() {
				continue // It names nobody, so that it could only be one's own.
			}
			asked++
			require.Contains(t, []int{403, 404}, r.status, "%s %s as %s: %s", row.Method, made.path, kind, r.Message)
			require.NotContains(t, r.Message, victim.email)
		}
	}
	require.Greater(t, asked, 80)
	victim.holds("500.00")
	require.Equal(t, 200, victim.ask("GET", "/api/v1/account/sessions", nil).status)
}

func flat(body any) string {
	var all strings.Builder
	if values, ok := body.(object); ok {
		for _, value := range values {
			if text, ok := value.(string); ok {
				all.WriteString(text + " ")
			}
		}
	}
	return all.String()
}
