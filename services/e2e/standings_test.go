package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
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
			_, r := c.tried(row, p, p)
			name := row.Method + " " + row.Path + " as " + kind
			all[name] = r
			about := []any{"%s, %s: %d %s", s, name, r.status, r.Message}
			require.NotEqual(t, 401, r.status, about...)
			if slices.Contains(said, r.Message) {
				require.Contains(t, says.may, r.Message, about...)
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

// TestTheStandingTableHolds tries every command of the contract while an account is open, frozen and closed. What an
// open account does is refused to the others with the sentence of their cell, and nothing else is.
func TestTheStandingTableHolds(t *testing.T) {
	t.Parallel()
	got := map[standing.Standing]map[string]reply{}
	for _, s := range []standing.Standing{standing.Open, standing.Frozen, standing.Closed} {
		c := newCrowd(t)
		c.owner.founds("Balogun Weavers") // For others to ask to join.
		c.become(s)
		got[s] = c.answers(t, s)
	}
	tried := map[string]bool{}
	for _, row := range commands() {
		for _, kind := range httpapi.Kinds {
			name := row.Method + " " + row.Path + " as " + kind
			if got[standing.Open][name].status != 200 {
				continue
			}
			for _, s := range []standing.Standing{standing.Frozen, standing.Closed} {
				if says := cellOf(row, s); says.refused {
					tried[s.String()+" "+row.Method+" "+row.Path] = true
					require.Contains(t, says.may, got[s][name].Message, "%s, %s: an open account does it", s, name)
				}
			}
		}
	}
	require.Greater(t, len(tried), 10, "hardly anything went through")
}
