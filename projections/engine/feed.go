package engine

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/event"
)

// feed hands what JetStream brings to every worker. One that is behind misses some and reads them from Postgres.
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
		r, err := event.DecodeRecord(msg.Data())
		if err != nil {
			return // Not ours, or damaged: every model finds the position missing and reads Postgres.
		}
		e.hand(r)
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

func (e *Engine) hand(r event.Record) {
	m, err := r.Message()
	if err != nil {
		return // The models meet it in Postgres and say so.
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for inbox := range e.inbox {
		select {
		case inbox <- Event{r, m}:
		default:
		}
	}
}

// listen answers an inbox for a worker, and how to give it back.
func (e *Engine) listen() (inbox chan Event, leave func()) {
	inbox = make(chan Event, 4*batchMax)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inbox[inbox] = struct{}{}
	return inbox, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		delete(e.inbox, inbox)
	}
}
