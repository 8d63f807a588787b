package privatenats_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/relay"
	"adashi.ng/services/internal/privatenats"
)

// opened is a private NATS in a folder, until the test stops it.
func opened(t *testing.T, dir string) (jetstream.JetStream, func()) {
	t.Helper()
	embedded, err := privatenats.Start(context.Background(), dir)
	require.NoError(t, err)
	bus, err := nats.Connect("", nats.InProcessServer(embedded))
	require.NoError(t, err)
	js, err := jetstream.New(bus)
	require.NoError(t, err)
	return js, func() { bus.Close(); privatenats.Stop(embedded) }
}

// A wrong bit in the number of a message has NATS keep something for each number between, until no memory is left.
func TestABlockWhoseNumbersLeapIsSetAsideBeforeNatsReadsIt(t *testing.T) {
	t.Parallel()
	for name, record := range map[string]int{"the first message": 0, "a later message": 1, "the last message": 19} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, dir := context.Background(), t.TempDir()
			js, stop := opened(t, dir)
			_, err := relay.EnsureStream(ctx, js, 1, 1)
			require.NoError(t, err)
			for range 20 {
				_, err := js.Publish(ctx, relay.Subject(1, "wallet:ada"), []byte("an event"))
				require.NoError(t, err)
			}
			stop()
			_, stop = opened(t, dir)
			require.NoDirExists(t, privatenats.Damaged(dir), "nothing is wrong with it")
			stop()

			blocks, err := filepath.Glob(filepath.Join(dir, "jetstream", server.DEFAULT_GLOBAL_ACCOUNT, "streams", relay.StreamName(1), "msgs", "*.blk"))
			require.NoError(t, err)
			require.Len(t, blocks, 1)
			content, err := os.ReadFile(blocks[0])
			require.NoError(t, err)
			at := 0
			for range record {
				at += int(binary.LittleEndian.Uint32(content[at:]))
			}
			content[at+4+4] ^= 1 // Two to the power of 32.
			require.NoError(t, os.WriteFile(blocks[0], content, 0o600))

			js, stop = opened(t, dir)
			defer stop()
			kept, err := os.ReadDir(privatenats.Damaged(dir))
			require.NoError(t, err)
			require.Len(t, kept, 1)
			require.FileExists(t, filepath.Join(privatenats.Damaged(dir), kept[0].Name(), filepath.Base(blocks[0])), "it is kept")
			_, err = js.Stream(ctx, relay.StreamName(1))
			require.NoError(t, err)
		})
	}
}
