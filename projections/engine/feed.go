package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/event"
)

// feed keeps what JetStream brings where every worker takes it: see shelf.
func (e *Engine) feed(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) {
	for ctx.Err() == nil {
		if err := e.consume(ctx, js, streamName); err != nil && ctx.Err() == nil {
			slog.Warn("projections: JetStream is away; reading Postgres meanwhile", "error", err)
			pause(ctx, time.Second)
		}
	}
}

func (e *Engine) consume(ctx context.Context, js jetstream.JetStream, streamName func(context.Context) (string, error)) error {
	name, err := streamName(ctx)
	if err != nil {
		return err
	}
	consumer, err := js.OrderedConsumer(ctx, name, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverNewPolicy})
	if err != nil {
		return err
	}
	failed := make(chan error, 1)
	consuming, err := consumer.Consume(func(msg jetstream.Msg) {
		if pos, ours := event.PositionOf(msg.Data()); ours {
			e.shelf.put(pos, msg.Data())
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
	select {
	case <-ctx.Done():
		return nil
	case err := <-failed:
		return err
	case <-consuming.Closed():
		return errors.New("the consumer closed")
	}
}
