// Package privatenats is the NATS inside a process that nobody else can reach, and the files of its streams.
package privatenats

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"adashi.ng/ledger/base/clock"
)

// Start starts a NATS, and waits for however long it reads its streams. After a power cut it may have to read all of
// them. To give up then would have it begin again at the next start.
func Start(ctx context.Context, dir string) (*server.Server, error) {
	if err := setLeapsAside(ctx, dir); err != nil {
		return nil, fmt.Errorf("embedded NATS: %w", err)
	}
	embedded, err := server.NewServer(&server.Options{
		ServerName: "adashi", DontListen: true, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, fmt.Errorf("embedded NATS: %w", err)
	}
	began, started := clock.Start(), make(chan struct{})
	go func() {
		embedded.Start() // It returns when the streams are there, or at once when it cannot.
		close(started)
	}()
	tick := time.NewTicker(5 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-started:
			if !embedded.ReadyForConnections(time.Second) {
				Stop(embedded)
				return nil, errors.New("the embedded NATS did not start: see that its folder " + dir + " can be read and written, and that the disk has room")
			}
			return embedded, nil
		case <-tick.C:
			slog.WarnContext(ctx, "NATS reads its streams; please wait", "for", began.Took().Round(time.Second))
		case <-ctx.Done(): // It ends with this process.
			return nil, ctx.Err()
		}
	}
}

// Stop ends a NATS and waits until it has written its files.
func Stop(embedded *server.Server) {
	embedded.Shutdown()
	embedded.WaitForShutdown()
}
