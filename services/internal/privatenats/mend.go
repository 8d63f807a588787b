package privatenats

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/infra/relay"
)

// Mend makes each stream of the ledger again that NATS skipped because it could not read the stream's description. The
// description is set aside. NATS keeps all messages that it can read, so that the stream still tells of events that the
// database may have lost.
func Mend(ctx context.Context, js jetstream.JetStream, dir string) error {
	known, names := map[string]bool{}, js.StreamNames(ctx)
	for name := range names.Name() {
		known[name] = true
	}
	if err := names.Err(); err != nil {
		return fmt.Errorf("embedded NATS: %w", err)
	}
	folders, err := filepath.Glob(filepath.Join(streams(dir), "*"))
	if err != nil {
		return err
	}
	for _, folder := range folders {
		name := filepath.Base(folder)
		epoch, ours := relay.StreamEpoch(name)
		if known[name] || !ours {
			continue
		}
		aside, err := setAside(dir, name, filepath.Join(name, server.JetStreamMetaFile), filepath.Join(name, server.JetStreamMetaFileSum))
		if err != nil {
			return err
		}
		if _, err := relay.EnsureStream(ctx, js, epoch, 1); err != nil {
			slog.WarnContext(ctx, "NATS could not read the messages of its stream either: the whole stream is set aside", "stream", name, "error", err)
			if aside, err = SetAside(dir, name); err != nil {
				return err
			}
			if _, err := relay.EnsureStream(ctx, js, epoch, 1); err != nil {
				return fmt.Errorf("embedded NATS: %w", err)
			}
		}
		slog.WarnContext(ctx, "NATS could not read the description of its stream: it was made again, and what it lacks is filled in from the database", "stream", name, "damaged files", aside)
	}
	return nil
}

// SetAside moves the whole folder of a stream to the damaged ones. NATS must not have it open.
func SetAside(dir, stream string) (to string, err error) { return setAside(dir, stream, stream) }

// setAside moves what exists of some files of a stream to a folder of their own among the damaged ones.
func setAside(dir, stream string, files ...string) (to string, err error) {
	if err := durable.MakeFolder(Damaged(dir), 0o750); err != nil {
		return "", err
	}
	if to, err = os.MkdirTemp(Damaged(dir), stream+"-*"); err != nil {
		return "", err
	}
	for _, file := range files {
		if err := os.Rename(filepath.Join(streams(dir), file), filepath.Join(to, filepath.Base(file))); err != nil && !os.IsNotExist(err) {
			return "", fmt.Errorf("damaged files of the stream %s: %w", stream, err)
		}
	}
	return to, errors.Join(durable.SyncFolder(to), durable.SyncFolder(Damaged(dir)))
}

// Damaged is where a private NATS has what could not be read of its streams.
func Damaged(dir string) string { return filepath.Join(dir, "damaged") }

func streams(dir string) string {
	return filepath.Join(dir, "jetstream", server.DEFAULT_GLOBAL_ACCOUNT, "streams")
}
