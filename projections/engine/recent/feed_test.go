package recent

import (
	"bytes"
	"context"
	"runtime/pprof"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/ledgertest"
)

func TestAFeedThatLooksAgainAndAgainLeavesNoGoroutineBehind(t *testing.T) {
	_, js := ledgertest.NATS(t)
	_, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "FEED", Subjects: []string{"feed.>"}})
	require.NoError(t, err)
	var looks atomic.Int64
	ctx, end := context.WithCancel(t.Context())
	fed := make(chan struct{})
	buffer := New(nil)
	go func() {
		defer close(fed)
		buffer.Feed(ctx, js, func(context.Context) (string, error) { looks.Add(1); return "FEED", nil })
	}()
	waiting := func() int {
		var stacks bytes.Buffer
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(&stacks, 2))
		return bytes.Count(stacks.Bytes(), []byte("Subscription).Closed"))
	}
	require.Eventually(t, func() bool { return looks.Load() >= 5 }, time.Minute, 10*time.Millisecond)
	require.LessOrEqual(t, waiting(), 2, "one of the feed's, and that one's start")
	end()
	<-fed
}
