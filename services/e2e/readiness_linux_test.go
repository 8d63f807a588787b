package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/people"
)

// uncapped are noCaps, for a product that is started from inside.
var uncapped = account.Tiers{{}, {Daily: 50_000 * money.Naira}, {Daily: 200_000 * money.Naira}, {Daily: 5_000_000 * money.Naira}}

// check is how /readyz tells of a check; nil when it does not.
func (p *person) check(name string) object {
	p.Helper()
	r, err := p.try("GET", "/readyz", nil)
	if err != nil {
		return nil
	}
	var standing struct{ Checks []object }
	require.NoError(p, json.Unmarshal(r.ReturnedObject, &standing))
	for _, one := range standing.Checks {
		if one["name"] == name {
			return one
		}
	}
	return nil
}

// readiness is the status of /readyz; 0 when it does not answer.
func (p *person) readiness() int {
	r, err := p.try("GET", "/readyz", nil)
	if err != nil {
		return 0
	}
	return r.status
}

func TestReadyWithoutTheBusSincePaymentsGoOn(t *testing.T) {
	t.Parallel()
	bus, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	require.NoError(t, err)
	go bus.Start()
	require.True(t, bus.ReadyForConnections(10*time.Second))
	cfg := settings(t.TempDir())
	cfg.Tiers = uncapped
	cfg.NATSURL = config.Secret(bus.ClientURL())
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	folk, sub := villagers(t, i.Address)
	probe := nobody(t, i.Address)
	require.Equal(t, 200, probe.readiness())
	require.Equal(t, true, probe.check("messageBus")["ok"])
	bus.Shutdown()
	bus.WaitForShutdown()
	require.Eventually(t, func() bool { c := probe.check("messageBus"); return c != nil && c["ok"] == false }, 20*time.Second, 50*time.Millisecond)
	require.Equal(t, 200, probe.readiness(), "a load balancer takes every process out")
	require.Equal(t, 200, folk[0].pays(sub, 1000, "Idempotency-Key", "without the bus").status)
	require.Equal(t, true, probe.check("payments")["ok"])

	scraped, err := http.Get(i.Address + "/metrics")
	require.NoError(t, err)
	told, err := io.ReadAll(scraped.Body)
	require.NoError(t, err)
	require.NoError(t, scraped.Body.Close())
	require.Contains(t, string(told), `adashi_check_ok{name="messageBus"} 0`)
	require.Contains(t, string(told), `adashi_check_ok{name="payments"} 1`)
	sade := staff(t, i, "Sade", people.RoleSupport)
	seen := must[object](sade, "GET", "/api/Operator/checks", nil)
	require.Equal(t, true, seen["ready"])
	require.Equal(t, 403, folk[0].ask("GET", "/api/Operator/checks", nil).status)
}

func TestNotReadyWhileTheDiskIsFull(t *testing.T) {
	t.Parallel()
	d := newDisk(t, 400<<20)
	cfg := settings(filepath.Join(d.dir, "data"))
	cfg.Tiers = uncapped
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	folk, sub := villagers(t, i.Address)
	probe := nobody(t, i.Address)
	require.Eventually(t, func() bool { return probe.readiness() == 200 }, 10*time.Second, 100*time.Millisecond)

	ballast := filepath.Join(d.dir, "ballast")
	fillUp(t, ballast)
	require.Eventually(t, func() bool { return probe.readiness() == 503 }, 15*time.Second, 100*time.Millisecond, "it says that it is ready and can take nothing")
	require.Equal(t, false, probe.check("payments")["ok"])
	require.Contains(t, probe.check("payments")["says"], "disk is full")
	require.Equal(t, false, probe.check("disk")["ok"])
	s := &storm{sub: sub}
	for n := range 5 { // Each is taken, or it is said that it is not.
		_ = s.send(wish{who: folk[0], key: fmt.Sprintf("while it is full %d", n), kobo: 1 + n})
	}
	for _, w := range s.unanswered {
		require.Equal(t, http.StatusServiceUnavailable, w.answer.status, w.answer.Message)
	}
	unknown := len(s.unanswered)

	require.NoError(t, os.Remove(ballast))
	freed := time.Now()
	require.Eventually(t, func() bool { return probe.readiness() == 200 }, 30*time.Second, 100*time.Millisecond)
	require.NoError(t, s.send(wish{who: folk[0], key: "once there is room", kobo: 1000}))
	again := time.Since(freed)
	s.askAgain(t)
	s.onceEach(t, i)
	streamEqualsStore(t, i)
	addRow(broken{"a full disk that is freed", len(s.answered), unknown, again, "the database's disk is full"})
}

// fillUp writes until nothing more goes onto the disk.
func fillUp(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	for _, chunk := range [][]byte{bytes.Repeat([]byte{1}, 1<<20), bytes.Repeat([]byte{1}, 4<<10)} {
		for err = nil; err == nil; {
			_, err = f.Write(chunk)
		}
	}
	require.NoError(t, f.Sync())
}
