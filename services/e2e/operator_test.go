package e2e

import (
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/balances"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// granted gives somebody a role as an operator does: from the command line.
func (p *person) granted(database, role string) *person {
	p.Helper()
	binary, err := built()
	require.NoError(p, err)
	command := exec.CommandContext(within(p, time.Minute), binary, "role", "grant", strings.ToUpper(p.email), role)
	command.Env = append(os.Environ(), "DATABASE_URL="+database, "ADASHI_DATA="+p.TB.(*testing.T).TempDir())
	out, err := command.CombinedOutput()
	require.NoError(p, err, string(out))
	p.logIn()
	return p
}

func TestStaffSeeWhereTheReadModelsStandAndAdminsHelpThemOn(t *testing.T) {
	t.Parallel()
	database, bus := servers(t, nil)
	cfg := settings(filepath.Join(t.TempDir(), "data"))
	cfg.DatabaseURL, cfg.NATSURL = config.Secret(database), config.Secret(bus)
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	member := somebody(t, i, "Bisi").funded(5000)
	support, finance := somebody(t, i, "Sade").granted(database, "Support"), somebody(t, i, "Femi").granted(database, "FinanceOps")
	admin := somebody(t, i, "Ada").granted(database, "Admin").granted(database, "Admin")

	t.Run("each may do what the table says", func(t *testing.T) {
		for _, call := range []struct {
			method, path                             string
			anonymous, member, support, finance, adm int
		}{
			{"GET", "/api/Operator/projections", 401, 403, 200, 200, 200},
			{"GET", "/api/Operator/checks", 401, 403, 200, 200, 200},
			{"GET", "/api/Operator/letters", 401, 403, 200, 200, 200},
			{"POST", "/api/Operator/letters/retry", 401, 403, 403, 403, 200},
			{"GET", "/api/Operator/dead-letters", 401, 403, 200, 200, 200},
			{"POST", "/api/Operator/projections/groups/retry", 401, 403, 403, 403, 200},
			{"POST", "/api/Operator/projections/groups/rebuild", 401, 403, 403, 403, 200},
			{"POST", "/api/Operator/projections/nonsense/retry", 401, 403, 403, 403, 404},
			{"POST", "/api/Operator/projections/nonsense/rebuild", 401, 403, 403, 403, 404},
		} {
			got := []int{}
			for _, p := range []*person{nobody(t, i.Address), member, support, finance, admin} {
				got = append(got, p.ask(call.method, call.path, nil).status)
			}
			require.Equal(t, []int{call.anonymous, call.member, call.support, call.finance, call.adm}, got, call.path)
		}
	})
	t.Run("a model is rebuilt and everything follows", func(t *testing.T) {
		require.Eventually(t, func() bool {
			stands := must[object](support, "GET", "/api/Operator/projections", nil)
			done := false
			for _, m := range stands["models"].([]any) {
				model := m.(object)
				if model["state"] != "following" || model["position"] != stands["head"] || model["lagEvents"] != 0.0 {
					return false
				}
				if rebuild, ok := model["rebuild"].(object); ok && model["name"] == groups.Name {
					done = rebuild["state"] == "done"
				}
			}
			return done && stands["head"].(float64) > 0
		}, time.Minute, 20*time.Millisecond)
	})
	t.Run("a dead letter is opened", func(t *testing.T) {
		_, err := i.Pool.Exec(context.Background(), "INSERT INTO dead_letters (model, pos, error, at) VALUES ($1, (SELECT max(pos) FROM events WHERE type = 'naira.v1.PaymentConfirmedV2'), 'a bug', now())", balances.Name)
		require.NoError(t, err)
		letters := must[[]object](support, "GET", "/api/Operator/dead-letters", nil)
		require.Len(t, letters, 1)
		require.Equal(t, "a bug", letters[0]["error"])
		require.Contains(t, letters[0]["event"], `"amountKobo":500000`)
		require.Contains(t, letters[0]["event"], letters[0]["type"])
		require.NotContains(t, letters[0]["event"], member.email)
	})
	t.Run("the metrics are there, and name nobody", func(t *testing.T) {
		response, err := client.Get(i.Address + "/metrics")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, response.StatusCode)
		require.NoError(t, response.Body.Close())
		text := nobody(t, i.Address).page("/metrics")
		for _, metric := range []string{
			`adashi_projection_position{model="statements",part="1"}`, "adashi_relay_last_sequence", `adashi_projection_dead_letters{model="balances"} 1`,
			`route="/api/Operator/projections/:name/retry",status="403"`, `adashi_fold_seconds_count{model="groups"}`, `adashi_mail_letters{state="given up"} 0`,
		} {
			require.Contains(t, text, metric)
		}
		for _, p := range []*person{member, support, admin} {
			require.NotContains(t, text, p.id)
			require.NotContains(t, text, p.email)
		}
	})
}

func TestARoleIsGrantedOnlyIfThereIsOneAndToSomebody(t *testing.T) {
	t.Parallel()
	database, _ := servers(t, nil)
	binary, err := built()
	require.NoError(t, err)
	for says, arguments := range map[string][]string{
		"There is no role": {"role", "grant", "ada@example.com", "King"},
		"no account":       {"role", "grant", "ada@example.com", "Admin"},
	} {
		command := exec.CommandContext(within(t, time.Minute), binary, arguments...)
		command.Env = append(os.Environ(), "DATABASE_URL="+database, "ADASHI_DATA="+t.TempDir())
		out, err := command.CombinedOutput()
		require.Error(t, err)
		require.Contains(t, string(out), says)
	}
}
