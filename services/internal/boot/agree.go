package boot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/proofs"
	"adashi.ng/ledger/relay"
	"adashi.ng/ledger/store"
)

const (
	agreeWait  = 5 * time.Second // For NATS to say how the stream ends.
	agreeRetry = 2 * time.Second
)

// Agree compares the database with the checkpoint file and the stream before anything is appended. Where they know of
// more than it holds, appends are stopped for every process until an operator has raised the epoch: the database was
// restored to an earlier time. Its error says that the stream could not be asked.
func Agree(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, keys proofs.Keys, file string) error {
	switch err := proofs.Ahead(ctx, pool, keys, file); {
	case errors.Is(err, proofs.ErrAhead):
		slog.Error("nothing is appended until the epoch is raised: adashi ledger epoch raise", "why", err)
		if err := stopAppends(ctx, pool, err); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, agreeWait)
	defer cancel()
	_, err := relay.Agree(ctx, pool, js)
	return err
}

func stopAppends(ctx context.Context, pool *pgxpool.Pool, why error) error {
	epoch, _, err := store.Head(ctx, pool)
	if err == nil {
		_, err = store.Part(ctx, pool, epoch, store.Parting{Why: why.Error()})
	}
	return err
}

// agree is Agree for a process that starts. Answering people never depends on NATS, so one that does not answer now is
// asked again beside the work.
func (i *Instance) agree(ctx context.Context) error {
	if !i.roles.API && !i.roles.Jobs && !i.roles.Relay {
		return nil
	}
	look := func(ctx context.Context) bool {
		return Agree(ctx, i.Pool, i.JS, i.keys, i.Config.CheckpointFile()) == nil
	}
	if look(ctx) {
		return nil
	}
	slog.Warn("whether the stream tells of more than the database holds is not known yet: NATS does not answer")
	background, cancel := context.WithCancel(context.Background())
	i.onStop(cancel)
	go func() {
		for !look(background) {
			select {
			case <-background.Done():
				return
			case <-time.After(agreeRetry):
			}
		}
	}()
	return nil
}
