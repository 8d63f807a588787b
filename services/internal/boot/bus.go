package boot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
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
				stopNATS(embedded)
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

// streamsAreRead returns an error if NATS skipped a stream because its files are damaged. That stream may tell of
// events that the database lacks, and the relay would replace it with an empty one.
func streamsAreRead(ctx context.Context, js jetstream.JetStream, dir string) error {
	folders, err := filepath.Glob(filepath.Join(dir, "jetstream", server.DEFAULT_GLOBAL_ACCOUNT, "streams", "*"))
	if err != nil {
		return err
	}
	known, names := map[string]bool{}, js.StreamNames(ctx)
	for name := range names.Name() {
		known[name] = true
	}
	if err := names.Err(); err != nil {
		return fmt.Errorf("embedded NATS: %w", err)
	}
	for _, folder := range folders {
		if !known[filepath.Base(folder)] && reachedDisk(folder) {
			return fmt.Errorf("the embedded NATS cannot read the stream in %s, which may tell of events that the database lost. "+
				"Put the folder back from a backup. If you are sure that the database was not put back to an earlier time, remove the folder: "+
				"the stream is filled again from the database", folder)
		}
	}
	return nil
}

// reachedDisk reports whether anything of a stream was ever synced. NATS syncs neither the description of a stream that
// it makes nor its first messages. After a power cut within seconds of that both are empty, and nothing old is lost.
func reachedDisk(folder string) bool {
	return hasContent(filepath.Join(folder, server.JetStreamMetaFile)) && hasContent(filepath.Join(folder, server.JetStreamMetaFileSum)) ||
		hasContent(filepath.Join(folder, "msgs", "*.blk"))
}

// hasContent reports whether one of some files has more than zeros in it, or cannot be read.
func hasContent(pattern string) bool {
	names, err := filepath.Glob(pattern)
	return err != nil || slices.ContainsFunc(names, func(name string) bool {
		content, err := os.ReadFile(name)
		return err != nil || len(bytes.Trim(content, "\x00")) > 0
	})
}

func stopNATS(embedded *server.Server) {
	embedded.Shutdown()
	embedded.WaitForShutdown()
}
