package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"adashi.ng/proto/gen/access"

	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/standing"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/httpapi"
)

// sentences are all that the table says to somebody about their own account.
func sentences() (all []string) {
	for _, act := range standing.Acts() {
		for _, s := range []standing.Standing{standing.Frozen, standing.Closed} {
			if sentence, allowed := act.Answer(s); act.ByThem() && !allowed {
				all = append(all, sentence)
			}
		}
	}
	return all
}

// sentenceOf is the longest of some sentences that an answer says, or "". Bulk commands also say which one was refused.
func sentenceOf(r reply, sentences []string) (longest string) {
	for _, sentence := range sentences {
		if strings.Contains(r.Message, sentence) && len(sentence) > len(longest) {
			longest = sentence
		}
	}
	return longest
}

// cell is what the table says of a command in a standing.
type cell struct {
	refused bool     // Whatever the body says.
	may     []string // The sentences with which it may be refused.
}

func cellOf(row httpapi.Permission, s standing.Standing) cell {
	c := cell{refused: true}
	for _, name := range access.Routes[row.Method+" "+row.Path].Acts {
		act, _ := standing.Named(name)
		sentence, allowed := act.Answer(s)
		if !allowed {
			c.may = append(c.may, sentence)
		}
		c.refused = c.refused && !allowed
	}
	return c
}

// commands are all of the contract. Those that change the account itself come last: a freeze changes what comes after.
func commands() []httpapi.Permission {
	keeps := func(row httpapi.Permission) int {
		if slices.Contains(access.Routes[row.Method+" "+row.Path].Acts, standing.Keep.String()) {
			return 1
		}
		return 0
	}
	all := slices.DeleteFunc(httpapi.Permissions(), func(row httpapi.Permission) bool { return row.Method == http.MethodGet })
	slices.SortStableFunc(all, func(a, b httpapi.Permission) int { return keeps(a) - keeps(b) })
	return all
}

// become has the ledger record that everybody's account is in a standing. Their sessions go on, as those do in which
// something was under way.
func (c crowd) become(s standing.Standing) {
	for kind, p := range c.kinds {
		if kind == "anonymous" {
			continue
		}
		must[any](p, "POST", "/api/v1/account/step-up", object{"password": password})
		switch s {
		case standing.Frozen:
			c.records(p, account.Freeze{User: p.id, HoldID: uuid.NewString(), Now: time.Now()})
		case standing.Closed:
			if balance := p.balance(); balance != "0.00" {
				r := p.pays(c.flexible, json.Number(balance))
				require.Equal(p, 200, r.status, r.Message)
			}
			c.records(p, account.Close{User: p.id})
		}
	}
}

func (c crowd) records(p *person, command event.Command) {
	p.Helper()
	_, err := c.i.App.Ledger.Append(context.Background(), store.Command{ID: store.NewCommandID(), Actor: p.id, Command: command})
	require.NoError(p, err)
}

// did is how many events somebody has caused.
func (c crowd) did(p *person) (n int) {
	require.NoError(p, c.i.Pool.QueryRow(context.Background(), "SELECT count(*) FROM events WHERE actor = $1", p.id).Scan(&n))
	return n
}

// answers tries every command of the contract as everybody who may give it, in one standing, and holds each answer to
// the cell. It answers them by command and kind.
func (c crowd) answers(t *testing.T, s standing.Standing) map[string]reply {
	t.Helper()
	all, said := map[string]reply{}, sentences()
	for _, row := range commands() {
		says := cellOf(row, s)
		for _, kind := range httpapi.Kinds {
			p := c.kinds[kind]
			if row.Verdicts[kind] == httpapi.Deny || p.token == "" {
				continue
			}
			before := c.did(p)
			r := c.does(row, p)
			name := row.Method + " " + row.Path + " as " + kind
			all[name] = r
			about := []any{"%s, %s: %d %s", s, name, r.status, r.Message}
			require.NotEqual(t, 401, r.status, about...)
			if sentence := sentenceOf(r, said); sentence != "" {
				require.Contains(t, says.may, sentence, about...)
				require.Equal(t, 409, r.status, about...)
			}
			if says.refused {
				require.NotEqual(t, 200, r.status, about...)
				require.Equal(t, before, c.did(p), about...)
			}
		}
	}
	return all
}

// serious are the tries of commands that those of the permissions only ask for: here an open account goes through.
var serious = map[string]func(c crowd, p *person) (path string, body any){
	"POST /api/Ajo/CreateExistingGroupAjo": func(_ crowd, p *person) (string, any) {
		next := time.Now().AddDate(0, 1, 0)
		return "", object{
			"name": "Another ajo", "description": "", "type": "GROUP", "amount": 5000, "duration": 4, "memberCapacity": 4,
			"startMonthId": int(next.Month()), "year": next.Year(), "email": p.email, "hands": "1", "nonce": strings.Repeat("07", 16),
		}
	},
	"POST /api/v1/ajo/cards": func(crowd, *person) (string, any) {
		return "", object{"name": "Rent", "amount": 200, "frequency": "DAILY", "boxes": 31}
	},
	"POST /api/v1/disputes": func(crowd, *person) (string, any) {
		return "", object{"kind": "NOT_ME", "words": "Somebody else is in my account."}
	},
	"POST /api/v1/wallet/withdrawals": func(crowd, *person) (string, any) { return "", object{"amount": 100, "net": 89.25} },
	"POST /api/v1/witness/keys":       func(_ crowd, p *person) (string, any) { return "", object{"publicKey": newWatcher(p).public()} },
	"PATCH /api/GroupSavings/ApproveGroupMember": func(c crowd, _ *person) (string, any) {
		return "", object{"groupId": c.group, "memberId": c.waiting().id}
	},
	"POST /api/v1/savings/members/reject": func(c crowd, _ *person) (string, any) {
		return "", object{"groupId": c.group, "memberId": c.waiting().id}
	},
	"PATCH /api/GroupSavings/DeactivateGroupMember": func(c crowd, _ *person) (string, any) {
		return "", object{"groupId": c.group, "memberId": c.extra.id}
	},
	"POST /api/GroupSavings/update-balance-display": func(c crowd, _ *person) (string, any) {
		return "", object{"groupId": c.group, "showTotalBalance": false}
	},
	"POST /api/GroupSavings/sub-account/update-balance-display": func(c crowd, _ *person) (string, any) {
		return "", object{"subAccountId": c.flexible, "showTotalToMembers": false}
	},
	"POST /api/v1/savings/groups/:id/search-view": func(c crowd, _ *person) (string, any) {
		return "/api/v1/savings/groups/" + c.group + "/search-view", object{"findable": false, "showTerms": false, "showTotals": false}
	},
	"POST /api/v1/savings/groups/:id/approvers": func(c crowd, _ *person) (string, any) {
		return "/api/v1/savings/groups/" + c.group + "/approvers", object{"memberId": c.member.id}
	},
	"POST /api/v1/savings/groups/:id/ownership/offer": func(c crowd, _ *person) (string, any) {
		return "/api/v1/savings/groups/" + c.group + "/ownership/offer", object{"memberId": c.approver.id}
	},
	"POST /api/v1/finance/members/tier": func(c crowd, _ *person) (string, any) {
		return "", object{"email": c.member.email, "case": "C-1", "tier": 2, "seen": "a member"}
	},
}

// waiting is somebody new who asks to join the crowd's group.
func (c crowd) waiting() *person {
	p := somebody(c.extra, c.i, "Wale")
	must[any](p, "POST", "/api/GroupSavings/JoinGroupSavings", object{"groupId": c.group, "code": c.code, "email": p.email})
	return p
}

// does gives a command as somebody, so that it goes through where that is simple.
func (c crowd) does(row httpapi.Permission, p *person) reply {
	try := serious[row.Method+" "+row.Path]
	if try == nil {
		_, r := c.tried(row, p, p)
		return r
	}
	path, body := try(c, p)
	if path == "" {
		path = row.Path
	}
	return p.ask(row.Method, path, body)
}

// TestTheStandingTableHolds tries every command of the contract while an account is open, frozen and closed. What an
// open account does is refused to the others with the sentence of their cell, and nothing else is.
func TestTheStandingTableHolds(t *testing.T) {
	t.Parallel()
	got := map[standing.Standing]map[string]reply{}
	for _, s := range []standing.Standing{standing.Open, standing.Frozen, standing.Closed} {
		c := newCrowd(t, product(t))
		c.owner.founds("Balogun Weavers") // For others to ask to join.
		c.extra = somebody(t, c.i, "Dayo")
		c.admitsAll(c.extra)
		c.become(s)
		got[s] = c.answers(t, s)
	}
	tried, said := map[string]bool{}, sentences()
	for _, row := range commands() {
		for _, kind := range httpapi.Kinds {
			name := row.Method + " " + row.Path + " as " + kind
			if got[standing.Open][name].status != 200 {
				continue
			}
			for _, s := range []standing.Standing{standing.Frozen, standing.Closed} {
				if says := cellOf(row, s); says.refused {
					tried[s.String()+" "+row.Method+" "+row.Path] = true
					require.Contains(t, says.may, sentenceOf(got[s][name], said), "%s, %s: an open account does it, and this one reads %q", s, name, got[s][name].Message)
				}
			}
		}
	}
	require.Greater(t, len(tried), 35, "hardly anything went through")
}

// TestAClosedAccountHasNoSession closes an account as people do, and tries every command that needs a session.
func TestAClosedAccountHasNoSession(t *testing.T) {
	t.Parallel()
	p := somebody(t, product(t), "Wale").stepsUp()
	require.Equal(t, 200, p.ask("POST", "/api/v1/account/close", object{"email": p.email}).status)
	tried := 0
	for _, row := range commands() {
		if row.Verdicts["anonymous"] != httpapi.Deny {
			continue
		}
		tried++
		require.Equal(t, 401, p.ask(row.Method, row.Path, object{}).status, row.Path)
	}
	require.Greater(t, tried, 150)
}
