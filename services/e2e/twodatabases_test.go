package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// On another machine a copy does not find the name that the first one has taken here.
func TestACopyOnAnotherMachineIsRefusedOverOneNats(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	first, beside := besideEachOther(t)
	bisi := somebody(t, first, "Bisi")
	_, err := boot.Start(ctx, beside, boot.All)
	require.ErrorContains(t, err, "another adashi process runs over this NATS_URL and records in another database")
	bisi.funded(1000)
	first.Stop()

	second, err := boot.Start(ctx, beside, boot.All)
	require.NoError(t, err, "nobody else runs now")
	second.Stop()
	addRow(broken{"a copy of the database, on another machine", 1, 0, 0, "another adashi process runs over this NATS_URL"})
}

// besideEachOther are a product that runs, and the settings of a copy of its folder on another machine, over one NATS.
func besideEachOther(t *testing.T) (first *boot.Instance, beside config.Config) {
	t.Helper()
	_, bus := servers(t, nil)
	cfg := settings(t.TempDir())
	cfg.NATSURL = config.Secret(bus)
	first, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(first.Stop)
	beside = plain(filepath.Join(t.TempDir(), "copy"))
	copied(t, cfg.Data, beside.Data)
	beside.NATSURL = cfg.NATSURL
	require.NoError(t, os.Remove(filepath.Join(beside.Data, "instance.json")))
	return first, beside
}

// takesNothing holds that a process waits because it does not know whether it is alone.
func takesNothing(t *testing.T, i *boot.Instance, why string) {
	t.Helper()
	said := nobody(t, i.Address).check("history")
	require.Equal(t, false, said["ok"])
	require.Contains(t, said["says"], why)
}

// A process whose connections are all in use answers that it does not know, so a copy waits, and is refused later.
func TestACopyTakesNothingUntilABusyProcessHasAnswered(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	first, beside := besideEachOther(t)
	var held []*pgxpool.Conn
	for range first.Pool.Config().MaxConns {
		c, err := first.Pool.Acquire(ctx)
		require.NoError(t, err)
		held = append(held, c)
	}
	second, err := boot.Start(ctx, beside, boot.All)
	for _, c := range held {
		c.Release()
	}
	require.NoError(t, err)
	t.Cleanup(second.Stop)
	takesNothing(t, second, "could not say which database it records in")
	select {
	case err = <-second.Failed():
	case <-time.After(time.Minute):
	}
	require.ErrorContains(t, err, "another adashi process runs over this NATS_URL and records in another database")
}

// Where NATS does not pass the question on, nobody is known to be alone.
func TestAProcessTakesNothingWhereNatsDoesNotPassTheQuestionOn(t *testing.T) {
	t.Parallel()
	deny := &natsserver.SubjectPermission{Deny: []string{"adashi.database"}}
	s, err := natsserver.NewServer(&natsserver.Options{
		Host: "127.0.0.1", Port: natsserver.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true,
		Users: []*natsserver.User{{Username: "a", Password: "b", Permissions: &natsserver.Permissions{Publish: deny}}},
	})
	require.NoError(t, err)
	go s.Start()
	require.True(t, s.ReadyForConnections(10*time.Second))
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	cfg := settings(t.TempDir())
	cfg.NATSURL = config.Secret(strings.Replace(s.ClientURL(), "nats://", "nats://a:b@", 1))
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	takesNothing(t, i, "allow the subject adashi.database")
}

// The database is what a copied folder does not have: both processes are of one ledger, and each payout is sent once.
func TestTwoProcessesWithCopiesOfOneFolderOnOneDatabasePayOutOnce(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	database, bus := servers(t, nil)
	start := func(data string) *boot.Instance {
		t.Helper()
		cfg := plain(data)
		cfg.DatabaseURL, cfg.NATSURL = config.Secret(database), config.Secret(bus)
		i, err := boot.Start(ctx, cfg, boot.All)
		require.NoError(t, err)
		t.Cleanup(i.Stop)
		return i
	}
	data, beside := filepath.Join(t.TempDir(), "data"), filepath.Join(t.TempDir(), "copy")
	first := start(data)
	copied(t, data, beside)
	second := start(beside)
	withdrawn := map[*person][]string{}
	for name, i := range map[string]*boot.Instance{"Bisi": first, "Ada": second} {
		p, _ := withdrawer(t, i, name, 50_000)
		for range 5 {
			withdrawn[p] = append(withdrawn[p], p.withdraws(2_000).id(t))
		}
	}
	for p, ids := range withdrawn {
		for _, id := range ids {
			p.becomes(id, "PAID")
		}
	}
	var orders, events int
	require.NoError(t, first.Pool.QueryRow(ctx, ordered).Scan(&orders))
	require.NoError(t, first.Pool.QueryRow(ctx, "SELECT count(*) FROM events WHERE type = 'naira.v1.WithdrawalSent'").Scan(&events))
	require.Equal(t, []int{10, 10}, []int{orders, events}, "orders to the bank, and events of them")
	require.Eventually(t, func() bool { return first.Standing().Ready && second.Standing().Ready }, time.Minute, 20*time.Millisecond)
}
