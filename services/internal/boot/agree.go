package boot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/relay"
)

const (
	agreeWait  = 5 * time.Second // For NATS to say how the stream ends.
	agreeRetry = 2 * time.Second
)

// Agree compares the database with the checkpoint file and the stream before anything is appended. Where they know of
// more than it holds, appends are stopped for every process until an operator has raised the epoch: the database was
// restored to an earlier time. Its error says that one of them could not be asked.
func Agree(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, keys proofs.Keys, file string) error {
	if err := agreeFile(ctx, pool, keys, file); err != nil {
		return err
	}
	return agreeStream(ctx, pool, js)
}

func agreeFile(ctx context.Context, pool *pgxpool.Pool, keys proofs.Keys, file string) error {
	why := proofs.Ahead(ctx, pool, keys, file)
	if !errors.Is(why, proofs.ErrAhead) {
		return why
	}
	slog.Error("nothing is appended until the epoch is raised: adashi ledger epoch raise", "why", why)
	epoch, _, err := history.Head(ctx, pool)
	if err == nil {
		_, err = history.Part(ctx, pool, epoch, history.Parting{Why: why.Error()})
	}
	return err
}

func agreeStream(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream) error {
	ctx, cancel := context.WithTimeout(ctx, agreeWait)
	defer cancel()
	_, err := relay.Agree(ctx, pool, js)
	return err
}

// agree is Agree for a process that starts. Answering people never depends on NATS, so a stream that cannot be asked
// now is asked again beside the work.
func (i *Instance) agree(ctx context.Context) error {
	if !i.roles.API && !i.roles.Jobs && !i.roles.Relay {
		return nil
	}
	if err := agreeFile(ctx, i.Pool, i.keys, i.Config.CheckpointFile()); err != nil {
		return err
	}
	err := agreeStream(ctx, i.Pool, i.JS)
	if err == nil {
		return nil
	}
	slog.Warn("whether the stream tells of more than the database holds is not known yet", "error", err)
	background, cancel := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	i.onStop(func() { cancel(); asking.Wait() })
	asking.Go(func() {
		for agreeStream(background, i.Pool, i.JS) != nil {
			select {
			case <-background.Done():
				return
			case <-time.After(agreeRetry):
			}
		}
	})
	return nil
}
