package e2e

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"
)

// othersWait is how long somebody else may wait for an answer while many callers ask for the same. A caller that waits
// for a connection that never comes is answered after 20 s.
const othersWait = 5 * time.Second

// waits asks for something again and again until the attack is over, and at least once. It answers the longest wait.
func (p *person) waits(path string, over <-chan struct{}) (worst time.Duration) {
	p.Helper()
	for {
		began := time.Now()
		r, err := p.try("GET", path, nil)
		require.NoError(p, err)
		require.Equal(p, http.StatusOK, r.status, "%s after %v", r.Message, time.Since(began))
		worst = max(worst, time.Since(began))
		select {
		case <-over:
			return worst
		default:
		}
	}
}

// atOnce does something so many times at once; the channel is closed when all are done.
func atOnce(times int, do func()) <-chan struct{} {
	var all sync.WaitGroup
	over := make(chan struct{})
	for range times {
		all.Go(do)
	}
	go func() { all.Wait(); close(over) }()
	return over
}

func TestStrangersWhoAskForResetLinksAtOnceKeepNobodyWaiting(t *testing.T) {
	i := product(t)
	owner, other := somebody(t, i, "Ngozi"), somebody(t, i, "Eve")
	over := atOnce(60, func() {
		_, _ = nobody(t, i.Address).try("POST", "/api/Account/SendPasswordResetLink", object{"email": owner.email},
			"X-Device-Secret", strings.Repeat("A", 43), "X-Forwarded-For", "102.9.9.9")
	})
	require.Less(t, other.waits("/api/v1/dashboard", over), othersWait)
}

func TestManyLooksAtADisputeKeepNobodyWaiting(t *testing.T) {
	i := product(t)
	bisi, other := somebody(t, i, "Bisi"), somebody(t, i, "Eve")
	opened := bisi.ask("POST", disputesPath, claims(300, nil))
	require.Equal(t, 200, opened.status, opened.Message)
	path := disputesPath + "/" + opened.object(t)["id"].(string)
	over := atOnce(32, func() {
		for range 20 {
			_, _ = bisi.try("GET", path, nil)
		}
	})
	require.Less(t, other.waits("/api/Account/GetUserInfoById/"+other.id, over), othersWait)
}

func TestMetricsSayHowLongCallersWaitForAConnection(t *testing.T) {
	i := product(t)
	eve := somebody(t, i, "Eve")
	most := int(i.Pool.Config().MaxConns)
	<-atOnce(2*most, func() { _, err := i.Pool.Exec(t.Context(), "SELECT pg_sleep(0.05)"); require.NoError(t, err) })
	text := eve.page("/metrics")
	said := func(name, pool string) float64 {
		found := regexp.MustCompile(`(?m)^adashi_` + name + `\{pool="` + pool + `"\} (\S+)$`).FindStringSubmatch(text)
		require.Len(t, found, 2, "%s of the pool %s", name, pool)
		value, err := strconv.ParseFloat(found[1], 64)
		require.NoError(t, err)
		return value
	}
	for _, pool := range []string{"shared", "appender", "projector", "relay", "vault"} {
		require.Positive(t, said("pool_connections_max", pool), pool)
		said("pool_connections_in_use", pool)
		said("pool_waits_given_up_total", pool)
	}
	require.GreaterOrEqual(t, said("pool_waits_total", "shared"), float64(most), "half of them waited")
	require.Positive(t, said("pool_wait_seconds_total", "shared"))
}

func TestOurConnectionsSetWhatTheyNeedWhateverTheServersSettingsAre(t *testing.T) {
	i := product(t)
	for pool, conns := range map[string]*pgxpool.Pool{"shared": i.Pool, "projector": i.Engine.Pool, "vault": i.Vault.Connections()} {
		var value, source string
		require.NoError(t, conns.QueryRow(t.Context(), "SELECT setting, source FROM pg_settings WHERE name = 'jit'").Scan(&value, &source))
		require.Equal(t, []string{"off", "client"}, []string{value, source}, pool)
	}
}
