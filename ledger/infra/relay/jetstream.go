package relay

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// StreamName is the stream of an epoch.
func StreamName(epoch int) string { return fmt.Sprintf("LEDGER_e%d", epoch) }

// StreamEpoch is the epoch whose stream has a name, if it is a stream of the ledger.
func StreamEpoch(name string) (epoch int, ours bool) {
	digits, ours := strings.CutPrefix(name, "LEDGER_e")
	epoch, err := strconv.Atoi(digits)
	return epoch, ours && err == nil
}

// Subject is where an event is published: ledger.e{epoch}.{category}.
func Subject(epoch int, stream string) string {
	category, _, _ := strings.Cut(stream, ":")
	return fmt.Sprintf("ledger.e%d.%s", epoch, category)
}

// EnsureStream makes the stream of an epoch when it is missing and answers it. It is for a ledger of which nothing is
// archived: see CurrentStream.
func EnsureStream(ctx context.Context, js jetstream.JetStream, epoch, replicas int) (jetstream.Stream, error) {
	return ensure(ctx, js, epoch, 1, replicas)
}

// CurrentStream makes the stream of the ledger's epoch when it is missing and answers it.
func CurrentStream(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, replicas int) (jetstream.Stream, error) {
	head, err := (&postgres{pool: pool}).Head(ctx)
	if err != nil {
		return nil, err
	}
	return ensure(ctx, js, head.Epoch, head.First, replicas)
}

func ensure(ctx context.Context, js jetstream.JetStream, epoch int, first int64, replicas int) (jetstream.Stream, error) {
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
		FirstSeq:   uint64(first),
		DenyDelete: true,
		DenyPurge:  true,
	})
}

// Lost reports whether the stream of the ledger's epoch has lost messages that it held, as to damaged files, or ends
// before what the ledger still holds. A stream takes messages only at its end: nothing fills its gaps.
func Lost(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream) (bool, error) {
	head, err := (&postgres{pool: pool}).Head(ctx)
	if err != nil {
		return false, err
	}
	stream, err := js.Stream(ctx, StreamName(head.Epoch))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return false, nil // It is made and filled.
	}
	if err != nil {
		return false, err
	}
	info := stream.CachedInfo()
	first, after := info.State.FirstSeq, info.State.LastSeq+1
	return first > max(info.Config.FirstSeq, uint64(head.First)) || after-first != info.State.Msgs || after < uint64(head.First), nil
}

// fewMax is how much is read as few records.
const fewMax = 64

// postgres is the Source that is for real.
type postgres struct {
	pool   *pgxpool.Pool
	clock  clock.Clock
	behind atomic.Bool // There was more than a few to read the last time.
}

// askMax limits how long a relay waits for the ledger's database. After that the relay starts over and asks the stream
// what has arrived.
const askMax = 30 * time.Second

// Head implements Source.
func (p *postgres) Head(ctx context.Context) (Head, error) {
	ctx, cancel := context.WithTimeout(ctx, askMax)
	defer cancel()
	epoch, _, err := history.Head(ctx, p.pool)
	if err != nil {
		return Head{}, err
	}
	first, err := history.First(ctx, p.pool)
	return Head{epoch, first}, err
}

// Read implements Source.
func (p *postgres) Read(ctx context.Context, after int64, limit int) ([]event.Record, error) {
	ctx, cancel := context.WithTimeout(ctx, askMax)
	defer cancel()
	if limit > fewMax && !p.behind.Load() {
		records, err := history.ReadFew(ctx, p.pool, after, fewMax)
		if err != nil || len(records) < fewMax {
			return records, err
		}
	}
	records, err := history.Read(ctx, p.pool, after, limit)
	p.behind.Store(len(records) >= fewMax)
	return records, err
}

// Part implements Source.
func (p *postgres) Part(ctx context.Context, epoch int, parting history.Parting) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, askMax)
	defer cancel()
	parting.At = p.clock().UTC()
	return history.Part(ctx, p.pool, epoch, parting)
}

// AckMax is how long NATS may take to say that a message is stored.
const AckMax = 10 * time.Second

// streams is the Log that is for real.
type streams struct {
	js       jetstream.JetStream
	replicas int
}

// Exists implements Log.
func (s streams) Exists(ctx context.Context, epoch int) (bool, error) {
	_, err := s.js.Stream(ctx, StreamName(epoch))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Last implements Log.
func (s streams) Last(ctx context.Context, epoch int, first int64) (Tail, error) {
	stream, err := ensure(ctx, s.js, epoch, first, s.replicas)
	if err != nil {
		return Tail{}, err
	}
	info, err := stream.Info(ctx)
	if err != nil {
		return Tail{}, err
	}
	if info.State.Msgs == 0 {
		return Tail{Pos: int64(info.State.LastSeq)}, nil
	}
	msg, err := stream.GetMsg(ctx, info.State.LastSeq)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Tail{Pos: int64(info.State.LastSeq)}, nil
	}
	if err != nil {
		return Tail{}, fmt.Errorf("message %d: %w", info.State.LastSeq, err)
	}
	return Tail{int64(info.State.LastSeq), msg.Data}, nil
}

// Message implements Log.
func (s streams) Message(ctx context.Context, epoch int, pos int64) ([]byte, int64, error) {
	stream, err := s.js.Stream(ctx, StreamName(epoch))
	if err != nil {
		return nil, 0, err
	}
	msg, err := stream.GetMsg(ctx, uint64(pos))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, 0, fmt.Errorf("message %d: %w", pos, ErrNoMessage)
	}
	if err != nil {
		return nil, 0, fmt.Errorf("message %d: %w", pos, err)
	}
	return msg.Data, int64(stream.CachedInfo().State.FirstSeq), nil
}

// Publish implements Log. It sends the records in order without waiting. Each is stored only if the stream's last
// sequence is the position before it, so the stream need acknowledge the last alone: it is stored as its position only
// if all before it are. Any refusal means that the stream does not stand where the relay thought.
func (s streams) Publish(_ context.Context, epoch int, records []event.Record) (settle func(context.Context) error, err error) {
	for i := range records[:len(records)-1] {
		msg := message(epoch, &records[i])
		msg.Header = nats.Header{jetstream.ExpectedLastSeqHeader: {strconv.FormatInt(records[i].Pos-1, 10)}}
		if err := s.js.Conn().PublishMsg(msg); err != nil {
			return nil, fmt.Errorf("publish %d: %w", records[i].Pos, err)
		}
	}
	last := &records[len(records)-1]
	ack, err := s.js.PublishMsgAsync(message(epoch, last), jetstream.WithExpectLastSequence(uint64(last.Pos-1)))
	if err != nil {
		return nil, fmt.Errorf("publish %d: %w", last.Pos, err)
	}
	return func(ctx context.Context) error { return acknowledged(ctx, ack, last.Pos) }, nil
}

func message(epoch int, r *event.Record) *nats.Msg {
	return &nats.Msg{Subject: Subject(epoch, r.Stream), Data: r.Encode()}
}

// acknowledged waits until a message is stored as a position. A NATS whose disk was full may never answer, although its
// disk is free again.
func acknowledged(ctx context.Context, ack jetstream.PubAckFuture, pos int64) error {
	limit := time.NewTimer(AckMax)
	defer limit.Stop()
	select {
	case got := <-ack.Ok():
		if got.Sequence != uint64(pos) {
			return fmt.Errorf("position %d was stored as sequence %d", pos, got.Sequence)
		}
		return nil
	case err := <-ack.Err():
		return fmt.Errorf("publish %d: %w", pos, err)
	case <-limit.C:
		return fmt.Errorf("publish %d: NATS did not answer within %s", pos, AckMax)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Told reads the events that the streams of the epochs from one to before another told of after a position, up to
// another: the first of those streams that has a position tells of it. Events that no stream holds any more are left
// out.
func Told(ctx context.Context, js jetstream.JetStream, epoch, before int, after, to int64, each func(event.Record) error) error {
	for at := after; at < to && epoch < before; epoch++ {
		stream, err := js.Stream(ctx, StreamName(epoch))
		if errors.Is(err, jetstream.ErrStreamNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		state := stream.CachedInfo().State
		for pos := max(at+1, int64(state.FirstSeq)); pos <= min(to, int64(state.LastSeq)); pos++ {
			message, err := stream.GetMsg(ctx, uint64(pos))
			if errors.Is(err, jetstream.ErrMsgNotFound) {
				continue
			}
			if err != nil {
				return fmt.Errorf("message %d: %w", pos, err)
			}
			record, err := event.DecodeRecord(message.Data)
			if err != nil {
				return fmt.Errorf("message %d: %w", pos, err)
			}
			if err := each(record); err != nil {
				return err
			}
			at = pos
		}
	}
	return nil
}
