package boot

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
)

// ownBus is the private NATS. It may be another server from one moment to the next: connections find the present one.
type ownBus struct {
	dir     string
	present atomic.Pointer[server.Server]
}

// InProcessConn connects to the present server.
func (b *ownBus) InProcessConn() (net.Conn, error) { return b.present.Load().InProcessConn() }

func (b *ownBus) open(ctx context.Context) error {
	embedded, err := embedNATS(ctx, b.dir)
	if err == nil {
		b.present.Store(embedded)
	}
	return err
}

const (
	stuckLook = time.Second
	stuckMost = 15 * time.Second // For how long the stream may lack events and take none: longer than relay.AckMax.
)

// keepOwnBus starts the private NATS again where its stream takes no more events although the database answers. A NATS
// whose disk was full turns its streams off, and leaves them so when there is room again.
func (i *Instance) keepOwnBus(ctx context.Context, b *ownBus) {
	tick := time.NewTicker(stuckLook)
	defer tick.Stop()
	at, since := uint64(0), clock.Start()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		last, stuck := i.streamLacks(ctx)
		if !stuck || last != at {
			at, since = last, clock.Start()
		}
		if since.Took() < stuckMost {
			continue
		}
		slog.WarnContext(ctx, "the stream takes no more events, as after its disk was full: NATS is started again; payments go on", "stands at", last)
		stopNATS(b.present.Load())
		if err := b.open(ctx); err != nil && ctx.Err() == nil {
			slog.ErrorContext(ctx, "NATS could not be started again; it is tried again", "error", err)
		} else if err == nil {
			slog.InfoContext(ctx, "NATS was started again")
		}
		since = clock.Start()
	}
}

// streamLacks says where the stream ends, and whether it lacks events of the database or cannot be asked.
func (i *Instance) streamLacks(ctx context.Context) (last uint64, lacks bool) {
	ctx, cancel := context.WithTimeout(ctx, agreeWait)
	defer cancel()
	epoch, head, err := history.Head(ctx, i.Pool)
	if err != nil {
		return 0, false
	}
	if _, parted, err := history.Parted(ctx, i.Pool); err != nil || parted {
		return 0, false // The relay waits for the operator.
	}
	stream, err := i.JS.Stream(ctx, relay.StreamName(epoch))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return 0, head > 0
	}
	if err != nil {
		return 0, true
	}
	last = stream.CachedInfo().State.LastSeq
	return last, last < uint64(head)
}
