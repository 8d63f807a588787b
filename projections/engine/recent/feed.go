package recent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/event"
)

// lookEvery is how often the feed checks that it listens to the stream of the ledger's epoch, and to the current one.
const lookEvery = time.Second

// stream is one life of a stream: one that was deleted and made again is different.
type stream struct {
	name    string
	created time.Time
}

// Feed adds the events that JetStream brings, until the context ends.
func (s *Buffer) Feed(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) {
	find := func() (stream, error) { return current(ctx, js, streamName) }
	for ctx.Err() == nil {
		if err := guard.Call(func() error { return s.consume(ctx, js, find) }); err != nil && ctx.Err() == nil {
			slog.Warn("projections: JetStream is away; reading Postgres meanwhile", "error", err)
			select {
			case <-ctx.Done():
			case <-time.After(lookEvery):
			}
		}
	}
}

func current(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) (stream, error) {
	name, err := streamName(ctx)
	if err != nil {
		return stream{}, err
	}
	found, err := js.Stream(ctx, name)
	if err != nil {
		return stream{}, err
	}
	return stream{name, found.CachedInfo().Created}, nil
}

// consume adds the stream's events until it fails, or another stream replaces it.
func (s *Buffer) consume(ctx context.Context, js jetstream.JetStream, find func() (stream, error)) error {
	heard, err := find()
	if err != nil {
		return err
	}
	consumer, err := js.OrderedConsumer(ctx, heard.name, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverNewPolicy})
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		if pos, ours := event.PositionOf(msg.Data()); ours {
			s.put(pos, msg.Data())
		}
	}, jetstream.ConsumeErrHandler(func(_ jetstream.ConsumeContext, err error) {
		if errors.Is(err, jetstream.ErrConsumerNotFound) || errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrConnectionClosed) {
			select {
			case failed <- err:
			default:
			}
		}
	}))
	if err != nil {
		return err
	}
	defer consuming.Stop()
	closed := consuming.Closed() // Called once: each call starts a goroutine that lives as long as the consumer.
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			return err
		case <-closed:
			return errors.New("the consumer closed")
		case <-look.C:
			switch now, err := find(); {
			case errors.Is(err, jetstream.ErrStreamNotFound):
				return err
			case err == nil && now != heard:
				slog.Info("projections: the ledger is told of by another stream", "stream", now.name)
				return nil
			}
		}
	}
}
