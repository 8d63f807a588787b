package boot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// embedNATS starts a NATS inside this process that nobody else can reach, and waits for however long it reads its
// streams. After a power cut it may have to read all of them. To give up then would have it begin anew at the next
// start.
func embedNATS(ctx context.Context, dir string) (*server.Server, error) {
	embedded, err := server.NewServer(&server.Options{
		ServerName: "adashi", DontListen: true, JetStream: true, StoreDir: dir, NoSigs: true, NoLog: true,
	})
	if err != nil {
		return nil, fmt.Errorf("embedded NATS: %w", err)
	}
	began, started := time.Now(), make(chan struct{})
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
				stopNATS(embedded)
				return nil, errors.New("the embedded NATS did not start: see that its folder " + dir + " can be read and written, and that the disk has room")
			}
			return embedded, nil
		case <-tick.C:
			slog.WarnContext(ctx, "NATS reads its streams; please wait", "for", time.Since(began).Round(time.Second))
		case <-ctx.Done(): // It ends with this process.
			return nil, ctx.Err()
		}
	}
}

func stopNATS(embedded *server.Server) {
	embedded.Shutdown()
	embedded.WaitForShutdown()
}
