package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	natsserver "github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/services/internal/boot"
)

// damages are what a disk can do to a file. Nil is a file that is gone.
var damages = map[string]func(content []byte) []byte{
	"removed":     nil,
	"emptied":     func([]byte) []byte { return nil },
	"cut":         func(content []byte) []byte { return content[:len(content)/2] },
	"zeroed":      func(content []byte) []byte { return make([]byte, len(content)) },
	"a wrong bit": func(content []byte) []byte { content[len(content)/3] ^= 1; return content },
	"random": func(content []byte) []byte {
		chance := rand.NewChaCha8([32]byte{})
		_, _ = chance.Read(content)
		return content
	},
}

// damage damages files, those that a pattern names.
func damage(t *testing.T, pattern string, how func([]byte) []byte) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, names, pattern)
	for _, name := range names {
		if how == nil {
			require.NoError(t, os.Remove(name))
			continue
		}
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(name, how(content), 0o600))
	}
}

// The stream tells of every event again, whichever of its files was damaged and how.
func TestAStreamWhoseFilesAreDamagedIsFilledAgain(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	own := filepath.Join(data, "nats")
	stream := filepath.Join(own, "jetstream", natsserver.DEFAULT_GLOBAL_ACCOUNT, "streams", "LEDGER_e1")
	start := func() *boot.Instance {
		i, err := boot.Start(context.Background(), settings(data), boot.All)
		require.NoError(t, err)
		return i
	}
	i := start()
	bisi, held := somebody(t, i, "Bisi").funded(5000), 5000
	require.Equal(t, "No file of the stream was found damaged.", bisi.check("streamFiles")["says"])
	i.Stop()

	tried, slowest := 0, time.Duration(0)
	for _, files := range [][]string{{"meta.inf"}, {"meta.sum"}, {"msgs/*.blk"}, {"msgs/index.db"}, {"msgs/*"}, {"meta.*", "msgs/*"}} {
		for how, change := range damages {
			what := fmt.Sprint(files, " ", how)
			for _, pattern := range files {
				damage(t, filepath.Join(stream, pattern), change)
			}
			began := clock.Start()
			i := start()
			bisi.base = i.Address
			payment := must[object](bisi, "POST", "/api/Wallet/FundWalletVfd", object{"amount": 100, "email": bisi.email})
			require.Equal(t, 303, bisi.sends(payment, "100").StatusCode, what)
			slowest = max(slowest, began.Took())
			held += 100
			bisi.holds(fmt.Sprintf("%d.00", held))
			// Where its index is well, NATS hears of a wrong bit only once somebody reads that message, as verify does.
			require.True(t, isWhole(t, i, what) || files[0] == "msgs/*.blk" && how == "a wrong bit", what)
			aside, _ := os.ReadDir(filepath.Join(own, "damaged"))
			said := bisi.check("streamFiles")
			i.Stop()
			require.Equal(t, len(aside) == 0, said["ok"], what)
			if strings.HasPrefix(files[0], "meta") {
				require.NotEmpty(t, aside, "%s: what was damaged is kept", what)
				require.Contains(t, said["says"], "the stream was filled again from the database: no payment is lost")
			}
			require.NoError(t, os.RemoveAll(filepath.Join(own, "damaged")))
			tried++
		}
	}
	addRow(broken{"a damaged file of the stream", tried, 0, slowest, "the stream was filled again from the database: no payment is lost"})
}

// isWhole waits until the stream says that it has every event of the database, and answers whether each can be read.
func isWhole(t *testing.T, i *boot.Instance, what string) bool {
	t.Helper()
	ctx := context.Background()
	var stream jetstream.Stream
	var head uint64
	require.EventuallyWithT(t, func(t *assert.CollectT) {
		var err error
		require.NoError(t, i.Pool.QueryRow(ctx, "SELECT pos FROM ledger_head").Scan(&head))
		stream, err = i.JS.Stream(ctx, relay.StreamName(1))
		require.NoError(t, err)
		state := stream.CachedInfo().State
		require.Equal(t, []uint64{1, head, head}, []uint64{state.FirstSeq, state.LastSeq, state.Msgs}, what)
	}, time.Minute, 20*time.Millisecond)
	for pos := range head {
		var err error
		require.Eventually(t, func() bool { // NATS may be too busy to answer in its time.
			_, err = stream.GetMsg(ctx, pos+1)
			return !errors.Is(err, context.DeadlineExceeded)
		}, time.Minute, time.Millisecond, what)
		if err != nil {
			t.Logf("%s: message %d: %v", what, pos+1, err)
			return false
		}
	}
	return true
}
