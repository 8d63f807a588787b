package boot

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/privatenats"
)

// ownBus is the private NATS. It may be another server from one moment to the next: connections find the present one.
type ownBus struct {
	dir     string
	present atomic.Pointer[server.Server]
}

// InProcessConn connects to the present server.
func (b *ownBus) InProcessConn() (net.Conn, error) { return b.present.Load().InProcessConn() }

func (b *ownBus) open(ctx context.Context) error {
	embedded, err := privatenats.Start(ctx, b.dir)
	if err == nil {
		b.present.Store(embedded)
	}
	return err
}

// refillOwnStream has the stream of the private NATS filled again from the database where it lost messages. The
// database and the stream agree about the rest.
func (i *Instance) refillOwnStream(ctx context.Context) error {
	if i.ownBus == nil || i.unknown.Load() != nil {
		return nil
	}
	epoch, _, err := history.Head(ctx, i.Pool)
	if err != nil {
		return err
	}
	if _, parted, err := history.Parted(ctx, i.Pool); err != nil || parted {
		return err // What it tells of is looked at first.
	}
	lost, err := relay.Lost(ctx, i.Pool, i.JS)
	if err != nil || !lost {
		return err
	}
	privatenats.Stop(i.ownBus.present.Load())
	aside, err := privatenats.SetAside(i.natsDir(), relay.StreamName(epoch))
	if err != nil {
		return err
	}
	slog.WarnContext(ctx, "the stream lost messages to damaged files: it is filled again from the database, and payments go on", "damaged files", aside)
	return i.ownBus.open(ctx)
}

// lookAtOwnStream is an alarm until somebody has removed what was damaged: the disk may damage more.
func (i *Instance) lookAtOwnStream(context.Context) checks.Verdict {
	damaged := privatenats.Damaged(i.natsDir())
	found, err := os.ReadDir(damaged)
	if err != nil && !os.IsNotExist(err) || len(found) > 0 {
		return checks.Wrong("Files of the stream were damaged, and the stream was filled again from the database: no payment is lost. " +
			"See whether the disk is failing. Remove " + damaged + " once nobody needs what is in it.")
	}
	return checks.Well("No file of the stream was found damaged.")
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
		privatenats.Stop(b.present.Load())
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
