package boot

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
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
func Agree(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, keys proofs.Keys, file string, now clock.Clock) error {
	if err := agreeFile(ctx, pool, keys, file, now); err != nil {
		return err
	}
	return agreeStream(ctx, pool, js, now)
}

func agreeFile(ctx context.Context, pool *pgxpool.Pool, keys proofs.Keys, file string, now clock.Clock) error {
	why := proofs.Ahead(ctx, pool, keys, file)
	if !errors.Is(why, proofs.ErrAhead) {
		return why
	}
	slog.Error("nothing is appended until the epoch is raised: adashi ledger epoch raise", "why", why)
	epoch, _, err := history.Head(ctx, pool)
	if err == nil {
		_, err = history.Part(ctx, pool, epoch, history.Parting{Why: why.Error(), At: now().UTC()})
	}
	return err
}

func agreeStream(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, now clock.Clock) error {
	ctx, cancel := context.WithTimeout(ctx, agreeWait)
	defer cancel()
	_, err := relay.Agree(ctx, pool, js, now)
	return err
}

// agreement says whether this process has compared the stream's end with the database, and knows of no other database.
type agreement struct {
	unknown atomic.Pointer[string] // Why that is not known; nil once the stream and the other processes were asked.
}

// hold refuses every command until the stream was asked: a database that was put back to an earlier time could pay
// what it has paid already.
func (a *agreement) hold() error {
	if a.unknown.Load() == nil {
		return nil
	}
	return fault.New(fault.Unavailable, "We are making sure that none of our records is missing. Nothing was taken. Please try again shortly.")
}

// agree is Agree for a process that starts. If the stream does not answer, the process asks again until it does. Until
// then people can read, and the ledger takes no command. A process on another database over the same NATS refuses the
// start.
func (i *Instance) agree(ctx context.Context) error {
	if !i.roles.API && !i.roles.Jobs && !i.roles.Relay {
		return nil
	}
	if err := agreeFile(ctx, i.Pool, i.keys, i.Config.CheckpointFile(), i.Now); err != nil {
		return err
	}
	if err := i.nameDatabase(); err != nil {
		return err
	}
	ask := func(ctx context.Context) error {
		err := agreeStream(ctx, i.Pool, i.JS, i.Now)
		if err == nil {
			err = i.alone(ctx)
		}
		if err == nil {
			i.unknown.Store(nil)
			return nil
		}
		why := err.Error()
		i.unknown.Store(&why)
		return err
	}
	if err := ask(ctx); err == nil || errors.Is(err, errOtherDatabase) {
		return err
	}
	slog.Warn("nothing is appended until the stream has said whether it tells of more than the database holds", "error", *i.unknown.Load())
	background, cancel := context.WithCancel(context.Background())
	var asking sync.WaitGroup
	i.onStop(func() { cancel(); asking.Wait() })
	asking.Go(func() {
		for err := ask(background); err != nil; err = ask(background) {
			if errors.Is(err, errOtherDatabase) {
				i.fail(err)
				return
			}
			select {
			case <-background.Done():
				return
			case <-time.After(agreeRetry):
			}
		}
	})
	return nil
}
