package metrics_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/metrics"
)

func status(context.Context) (engine.Status, error) {
	return engine.Status{Epoch: 2, Head: 100, Models: []engine.ModelStatus{{
		Name: "groups", State: engine.Rebuilding, Pos: 90, Lag: 3 * time.Second, DeadLetters: 1,
		Parts: []engine.PartStatus{{Part: 0, Pos: 90, Paused: "a bug about wallet:ada"}, {Part: 1, Pos: 100}},
	}}}, nil
}

// scrape answers the status and the text, from an address with headers as name, value, name, value.
func scrape(opt metrics.Options, from string, headers ...string) (int, string) {
	if opt.Status == nil {
		opt.Status = status
	}
	m := metrics.New(opt)
	m.Fold("groups", 7, 10*time.Millisecond)
	m.Request("GET", "/api/v1/activity/:id", 404, time.Millisecond)
	r := httptest.NewRequest("GET", "/metrics", nil)
	r.RemoteAddr = from
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

const here, elsewhere = "127.0.0.1:4000", "203.0.113.7:4000"

func TestTheMetricsTellWhereEverythingStandsAndNobodysName(t *testing.T) {
	t.Parallel()
	code, text := scrape(metrics.Options{Loopback: true, RelaySequence: func(context.Context) (uint64, error) { return 98, nil }}, here)
	require.Equal(t, 200, code)
	for _, line := range []string{
		"adashi_ledger_head 100", "adashi_ledger_epoch 2", "adashi_relay_last_sequence 98",
		`adashi_projection_position{model="groups",part="0"} 90`, `adashi_projection_lag_events{model="groups",part="0"} 10`,
		`adashi_projection_lag_events{model="groups",part="1"} 0`, `adashi_projection_lag_seconds{model="groups"} 3`,
		`adashi_projection_paused{model="groups",part="0"} 1`, `adashi_projection_paused{model="groups",part="1"} 0`,
		`adashi_projection_rebuilding{model="groups"} 1`, `adashi_projection_dead_letters{model="groups"} 1`,
		`adashi_folded_events_total{model="groups"} 7`, `adashi_fold_seconds_count{model="groups"} 1`,
		`adashi_http_request_seconds_count{method="GET",route="/api/v1/activity/:id",status="404"} 1`, "go_goroutines ",
	} {
		require.Contains(t, text, line+map[bool]string{true: "", false: "\n"}[line[len(line)-1] == ' '])
	}
	require.NotContains(t, text, "ada\"")
	require.NotContains(t, text, "wallet")
}

func TestTheMetricsAreForThisMachineUnlessThereIsAToken(t *testing.T) {
	t.Parallel()
	const token = "0123456789abcdef"
	for name, c := range map[string]struct {
		opt     metrics.Options
		from    string
		headers []string
		want    int
	}{
		"this machine":               {metrics.Options{Loopback: true}, here, nil, 200},
		"this machine, IPv6":         {metrics.Options{Loopback: true}, "[::1]:4000", nil, 200},
		"a proxy on this machine":    {metrics.Options{Loopback: true}, here, []string{"X-Forwarded-For", "203.0.113.7"}, 404},
		"listening to the world":     {metrics.Options{}, here, nil, 404},
		"somebody else":              {metrics.Options{Loopback: true}, elsewhere, nil, 404},
		"the token":                  {metrics.Options{Token: token}, elsewhere, []string{"Authorization", "Bearer " + token}, 200},
		"another token":              {metrics.Options{Token: token}, elsewhere, []string{"Authorization", "Bearer 0123456789abcdee"}, 404},
		"no token, on this machine":  {metrics.Options{Token: token, Loopback: true}, here, nil, 404},
		"the token as a password":    {metrics.Options{Token: token}, elsewhere, []string{"Authorization", "Basic " + token}, 404},
		"an empty token where asked": {metrics.Options{Token: token}, elsewhere, []string{"Authorization", "Bearer "}, 404},
	} {
		code, text := scrape(c.opt, c.from, c.headers...)
		require.Equal(t, c.want, code, name)
		require.Equal(t, c.want == 200, len(text) > 100, name)
	}
}

func TestADatabaseThatIsAwayLeavesTheRest(t *testing.T) {
	t.Parallel()
	code, text := scrape(metrics.Options{Loopback: true, Status: func(context.Context) (engine.Status, error) { return engine.Status{}, errors.New("away") }}, here)
	require.Equal(t, 200, code)
	require.Contains(t, text, "adashi_fold_seconds_count")
	require.NotContains(t, text, "adashi_ledger_head 0")
}
