package e2e

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// On another machine a copy does not find the name that the first one has taken here.
func TestACopyOnAnotherMachineIsRefusedOverOneNats(t *testing.T) {
	t.Parallel()
	ctx, data := context.Background(), t.TempDir()
	_, bus := servers(t, nil)
	cfg := settings(data)
	cfg.NATSURL = config.Secret(bus)
	first, err := boot.Start(ctx, cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(first.Stop)
	bisi := somebody(t, first, "Bisi")
	beside := plain(filepath.Join(t.TempDir(), "copy"))
	copied(t, data, beside.Data)
	beside.NATSURL = cfg.NATSURL
	require.NoError(t, os.Remove(filepath.Join(beside.Data, "instance.json")))
	_, err = boot.Start(ctx, beside, boot.All)
	require.ErrorContains(t, err, "another adashi process runs over this NATS_URL and records in another database")
	bisi.funded(1000)
	first.Stop()

	second, err := boot.Start(ctx, beside, boot.All)
	require.NoError(t, err, "nobody else runs now")
	second.Stop()
	addRow(broken{"a copy of the database, on another machine", 1, 0, 0, "another adashi process runs over this NATS_URL"})
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
