package projections_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/engine"
)

// TestTheFeedFollowsToTheStreamOfTheEpoch uses models that look in Postgres only once an hour, so that they get their
// events from the stream.
func TestTheFeedFollowsToTheStreamOfTheEpoch(t *testing.T) {
	t.Parallel()
	h := setup(t)
	h.begin()
	ctx, cancel := context.WithCancel(context.Background())
	var name atomic.Pointer[string]
	create := func(stream string) {
		_, err := h.js.CreateStream(ctx, jetstream.StreamConfig{Name: stream, Subjects: []string{"told." + stream}})
		require.NoError(t, err)
		name.Store(&stream)
	}
	create("FIRST")
	opt := h.engine().Options
	opt.Sweep = time.Hour
	done := make(chan struct{})
	go func() {
		defer close(done)
		engine.New(opt).Run(ctx, h.js, func(context.Context) (string, error) { return *name.Load(), nil })
	}()
	t.Cleanup(func() { cancel(); <-done })

	heard := func(when string) {
		from, told := h.head()+1, h.head()
		require.Eventually(t, func() bool { // The first ones may come before anything listens.
			h.live(1)
			records, err := history.ReadFew(ctx, h.pool, told, 50)
			require.NoError(t, err)
			for i := range records {
				_, err := h.js.Publish(ctx, "told."+*name.Load(), records[i].Encode())
				require.NoError(t, err)
				told = records[i].Pos
			}
			var pos int64
			require.NoError(t, h.pool.QueryRow(ctx, "SELECT min(pos) FROM projections WHERE name = 'balances'").Scan(&pos))
			return pos >= from
		}, 30*time.Second, 50*time.Millisecond, when)
	}
	heard("the stream that was there at the start")
	create("SECOND")
	heard("another epoch's stream")
	require.NoError(t, h.js.DeleteStream(ctx, "SECOND"))
	create("SECOND")
	heard("the stream was deleted and made again")
}
