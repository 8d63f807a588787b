package e2e

import (
	"context"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/boot"
	"adashi.ng/services/internal/config"
)

// putBack makes a data folder whose database and checkpoint file are older than a payment of ₦3,000, and whose stream
// has that payment.
func putBack(t *testing.T) (data, stream string, bisi *person) {
	t.Helper()
	data = t.TempDir()
	postgres, backup := filepath.Join(data, "postgres"), filepath.Join(data, "backup")
	file := settings(data).CheckpointFile()
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	bisi = somebody(t, i, "Bisi").funded(5000)
	sealed(t, i)
	i.Stop()
	copied(t, postgres, backup)
	checkpoints, err := os.ReadFile(file)
	require.NoError(t, err)

	i, err = boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	bisi.base = i.Address
	payment := must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 3000, "email": bisi.email})
	require.Equal(t, 303, bisi.sends(payment, "3000").StatusCode)
	bisi.holds("8000.00")
	sealed(t, i)
	i.Stop()
	require.NoError(t, os.RemoveAll(postgres))
	require.NoError(t, os.Rename(backup, postgres))
	require.NoError(t, os.WriteFile(file, checkpoints, 0o644))
	return data, filepath.Join(data, "nats", "jetstream", natsserver.DEFAULT_GLOBAL_ACCOUNT, "streams", "LEDGER_e1"), bisi
}

func TestADatabaseThatIsPutBackIsNotPaidIntoThoughTheStreamLostItsMessages(t *testing.T) {
	t.Parallel()
	data, stream, bisi := putBack(t)
	blocks, err := filepath.Glob(filepath.Join(stream, "msgs", "*.blk"))
	require.NoError(t, err)
	require.NotEmpty(t, blocks)
	for _, block := range blocks {
		require.NoError(t, os.Remove(block))
	}
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	bisi.base = i.Address
	refused := bisi.ask("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
	require.Equal(t, http.StatusServiceUnavailable, refused.status)
	require.Contains(t, refused.Message, "put back to an earlier time")
	require.Equal(t, "5000.00", bisi.balance(), "what is known can be read")
	addRow(broken{"an older database, a damaged stream", 0, 1, 0, refused.Message})
}

// NATS skips a stream whose description it cannot read. The stream's messages are kept, and tell of the payment.
func TestADatabaseThatIsPutBackIsNotPaidIntoThoughTheStreamsDescriptionIsDamaged(t *testing.T) {
	t.Parallel()
	data, stream, bisi := putBack(t)
	for _, damaged := range []string{"{", ""} {
		require.NoError(t, os.WriteFile(filepath.Join(stream, "meta.inf"), []byte(damaged), 0o600))
		i, err := boot.Start(context.Background(), settings(data), boot.All)
		require.NoError(t, err)
		bisi.base = i.Address
		refused := bisi.ask("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
		require.Contains(t, refused.Message, "put back to an earlier time")
		require.Equal(t, "5000.00", bisi.balance(), "what is known can be read")
		i.Stop()
	}
}

func TestNothingIsTakenUntilTheStreamWasAsked(t *testing.T) {
	t.Parallel()
	at, err := strconv.Atoi(port(t))
	require.NoError(t, err)
	cfg := settings(t.TempDir())
	cfg.NATSURL = config.Secret(fmt.Sprintf("nats://127.0.0.1:%d", at))
	i, err := boot.Start(context.Background(), cfg, boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	bisi := somebody(t, i, "Bisi")
	refused := bisi.ask("POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
	require.Equal(t, http.StatusServiceUnavailable, refused.status)
	require.Equal(t, "We are making sure that none of our records is missing. Nothing was taken. Please try again shortly.", refused.Message)
	require.Equal(t, "0.00", bisi.balance(), "what is known can be read")
	require.Equal(t, http.StatusServiceUnavailable, bisi.readiness())
	require.Contains(t, bisi.check("history")["says"], "until NATS has said")

	bus, err := natsserver.NewServer(&natsserver.Options{Host: "127.0.0.1", Port: at, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	require.NoError(t, err)
	go bus.Start()
	t.Cleanup(func() { bus.Shutdown(); bus.WaitForShutdown() })
	require.Eventually(t, func() bool { return bisi.readiness() == http.StatusOK }, time.Minute, 50*time.Millisecond)
	must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
}

// A power cut within seconds of the stream's making leaves its files, and nothing in them.
func TestAStreamOfWhichNothingWasSyncedIsFilledAgain(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	i, err := boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	bisi := somebody(t, i, "Bisi").funded(5000)
	i.Stop()
	stream := filepath.Join(data, "nats", "jetstream", natsserver.DEFAULT_GLOBAL_ACCOUNT, "streams", "LEDGER_e1")
	require.NoError(t, filepath.WalkDir(stream, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		return os.Truncate(path, 0)
	}))

	i, err = boot.Start(context.Background(), settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	bisi.base = i.Address
	payment := must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 3000, "email": bisi.email})
	require.Equal(t, 303, bisi.sends(payment, "3000").StatusCode)
	bisi.holds("8000.00")
}

// A process seals what it refuses, and its data folder verifies with the keys that are in it.
func TestARefusalOfARunningProcessIsSealed(t *testing.T) {
	t.Parallel()
	ctx, data := context.Background(), t.TempDir()
	i, err := boot.Start(ctx, settings(data), boot.All)
	require.NoError(t, err)
	t.Cleanup(i.Stop)
	_, err = i.App.Ledger.Append(ctx, store.Command{ID: store.NewCommandID(), Keyed: true, Actor: "bisi", Command: wallet.EndPayment{PaymentID: "none", To: wallet.Failed}})
	require.Error(t, err)
	somebody(t, i, "Bisi")
	sealed(t, i)
	verified(t, i, data)
	_, err = i.Pool.Exec(ctx, "UPDATE refusals SET message = 'You asked for nothing.'")
	require.NoError(t, err)
	require.EqualValues(t, 1, reported(t, i, data).Find("commands").Violations)
}
