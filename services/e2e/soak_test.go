package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// holding is what a process holds just now, by its own metrics.
type holding struct{ goroutines, files, connections int }

func holdsNow(p *person) holding {
	p.Helper()
	text := p.page("/metrics")
	sum := func(name string) (total int) {
		found := regexp.MustCompile(`(?m)^`+name+`(?:\{[^}]*\})? (\S+)$`).FindAllStringSubmatch(text, -1)
		require.NotEmpty(p, found, name)
		for _, f := range found {
			value, err := strconv.ParseFloat(f[1], 64)
			require.NoError(p, err)
			total += int(value)
		}
		return total
	}
	return holding{sum("go_goroutines"), sum("process_open_fds"), sum("adashi_pool_connections_in_use")}
}

// quiet is the least that a process holds within two seconds: jobs come and go.
func quiet(p *person) holding {
	p.Helper()
	least, tick := holdsNow(p), time.NewTicker(50*time.Millisecond)
	defer tick.Stop()
	for range 40 {
		<-tick.C
		now := holdsNow(p)
		least = holding{min(least.goroutines, now.goroutines), min(least.files, now.files), min(least.connections, now.connections)}
	}
	return least
}

// soakSlack is how many more goroutines, files and connections a process may hold at its quietest.
const soakSlack = 5

// soakFiles is how many more files: a pool opens connections when it needs them, up to its limit, and keeps them.
const soakFiles = 40

// soaks is how long the product is watched. The long run would see what leaks once in four seconds.
func soaks() time.Duration {
	if os.Getenv("ADASHI_FAULTS") == "long" {
		return 3 * time.Minute
	}
	return 10 * time.Second
}

// What a process holds does not grow, whether people use it or not.
func TestASoakLeavesNoGoroutineFileOrConnectionBehind(t *testing.T) {
	t.Parallel()
	data, door := filepath.Join(t.TempDir(), "data"), port(t)
	p := spawn(t, "up", "ADASHI_DATA="+data, "ADASHI_PORT="+door, "ADASHI_TIER_LIMITS="+noCaps).ready(t, door)
	folk, sub := villagers(t, p.base)
	round := 0
	load := func() { // The same each time: what stays of it is what leaks.
		round++
		<-atOnce(8, func() {
			for n := range 10 {
				who := folk[n%len(folk)]
				_, _ = who.try("GET", "/api/v1/dashboard", nil)
				_, _ = who.try("POST", pay, object{"amount": 1, "subAccountId": sub, "userId": who.id})
			}
		})
		client.CloseIdleConnections()
	}
	for range 3 {
		load()
	}
	probe := nobody(t, p.base)
	before := quiet(probe)
	for began := time.Now(); time.Since(began) < soaks(); {
		load()
	}
	after := quiet(probe)
	t.Logf("before %+v, after %d rounds %+v", before, round, after)
	require.LessOrEqual(t, after.goroutines, before.goroutines+soakSlack)
	require.LessOrEqual(t, after.files, before.files+soakFiles)
	require.LessOrEqual(t, after.connections, soakSlack)
	p.terminate(t)
}
