// Package relay streams the ledger to JetStream, so that a message's sequence is its event's position.
//
// Postgres is the truth. Each message is published only if the stream's last sequence is the position before it, so
// two relays at once or a stale one do no harm, and there is nothing to remember: the relay resumes after the
// stream's own last sequence. A stream that was wiped is filled again from the first position.
package relay

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/store"
)

// Options tune a relay.
type Options struct {
	Replicas int             // Of the stream; 1 when zero.
	Wake     <-chan struct{} // Receives when there may be something new; the relay also looks every Poll.
	Poll     time.Duration   // 25 ms when zero.
}

// ErrAhead is returned when the stream holds positions that Postgres does not.
var ErrAhead = errors.New("the stream is ahead of the ledger: Postgres was restored to an earlier time; remove the stream, raise the epoch and rebuild the read models")

const (
	// batch is how many messages are on their way at once.
	batch = 1000
	// look is how often an idle relay makes sure that the stream still stands where it left it.
	look = time.Second
)

// StreamName is the stream of an epoch.
func StreamName(epoch int) string { return fmt.Sprintf("LEDGER_e%d", epoch) }

// Subject is where an event is published: ledger.e{epoch}.{category}.
func Subject(epoch int, stream string) string {
	category, _, _ := strings.Cut(stream, ":")
	return fmt.Sprintf("ledger.e%d.%s", epoch, category)
}

// EnsureStream makes the epoch's stream when it is missing and answers it.
func EnsureStream(ctx context.Context, js jetstream.JetStream, epoch, replicas int) (jetstream.Stream, error) {
	stream, err := js.Stream(ctx, StreamName(epoch))
	if err == nil || !errors.Is(err, jetstream.ErrStreamNotFound) {
		return stream, err
	}
	return js.CreateStream(ctx, jetstream.StreamConfig{
		Name:       StreamName(epoch),
		Subjects:   []string{fmt.Sprintf("ledger.e%d.>", epoch)},
		Storage:    jetstream.FileStorage,
		Retention:  jetstream.LimitsPolicy,
		Replicas:   max(1, replicas),
		FirstSeq:   1,
		DenyDelete: true,
		DenyPurge:  true,
	})
}

// Run relays until the context ends, riding out outages of Postgres and JetStream. It returns ErrAhead, or nil at the end.
func Run(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, opt Options) error {
	if opt.Poll == 0 {
		opt.Poll = 25 * time.Millisecond
	}
	for ctx.Err() == nil {
		err := follow(ctx, pool, js, opt)
		if errors.Is(err, ErrAhead) {
			return err
		}
		if err != nil && ctx.Err() == nil {
			slog.Warn("relay: starting over", "error", err)
			pause(ctx, opt, 500*time.Millisecond)
		}
	}
	return nil
}

// follow finds where the stream stands and publishes from there until something goes wrong.
func follow(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, opt Options) error {
	epoch, _, err := store.Head(ctx, pool)
	if err != nil {
		return err
	}
	stream, err := EnsureStream(ctx, js, epoch, opt.Replicas)
	if err != nil {
		return fmt.Errorf("stream %s: %w", StreamName(epoch), err)
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return err
	}
	last := int64(info.State.LastSeq)
	// The head is read after the stream: another relay may be moving both.
	_, head, err := store.Head(ctx, pool)
	if err != nil {
		return err
	}
	if last > head {
		return fmt.Errorf("%w (stream %d, ledger %d)", ErrAhead, last, head)
	}
	for looked := time.Now(); ; {
		records, err := store.Read(ctx, pool, last, batch)
		if err != nil {
			return err
		}
		if len(records) == 0 {
			if time.Since(looked) > look {
				if info, err := stream.Info(ctx); err != nil || int64(info.State.LastSeq) != last {
					return errors.Join(fmt.Errorf("the stream no longer stands at %d", last), err)
				}
				looked = time.Now()
			}
			if !pause(ctx, opt, opt.Poll) {
				return nil
			}
			continue
		}
		if err := publish(ctx, js, epoch, records); err != nil {
			return err
		}
		last = records[len(records)-1].Pos
	}
}

// pause waits to be woken, or for a time. It answers false when the context ended.
func pause(ctx context.Context, opt Options, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-opt.Wake:
	case <-timer.C:
	}
	return true
}

// publish sends records in order without waiting for each, then waits for all. Any refusal means that the stream does
// not stand where we thought.
func publish(ctx context.Context, js jetstream.JetStream, epoch int, records []event.Record) error {
	acks := make([]jetstream.PubAckFuture, 0, len(records))
	for i := range records {
		r := &records[i]
		msg := &nats.Msg{Subject: Subject(epoch, r.Stream), Data: r.Encode()}
		ack, err := js.PublishMsgAsync(msg, jetstream.WithExpectLastSequence(uint64(r.Pos-1)))
		if err != nil {
			return fmt.Errorf("publish %d: %w", r.Pos, err)
		}
		acks = append(acks, ack)
	}
	for i, ack := range acks {
		select {
		case got := <-ack.Ok():
			if got.Sequence != uint64(records[i].Pos) {
				return fmt.Errorf("position %d was stored as sequence %d", records[i].Pos, got.Sequence)
			}
		case err := <-ack.Err():
			return fmt.Errorf("publish %d: %w", records[i].Pos, err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
