// Package relay streams the ledger to JetStream, so that a message's sequence is its event's position.
//
// Postgres is the truth. Each message is published only if the stream's last sequence is the position before it, so
// two relays at once or a stale one do no harm, and there is nothing to remember: the relay resumes after the
// stream's own last sequence. A stream that was wiped is filled again.
//
// A stream may also tell of events that Postgres does not hold: after a restore to an earlier time, or a failover to a
// standby that lacked the last commits. The relay notices because the stream's last message is not the record at its
// position. It then stops all appends and streams nothing more until an operator has raised the epoch: a new stream is
// filled from the first position.
package relay

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/nats-io/nats.go/jetstream"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Options tune a relay.
type Options struct {
	Replicas int             // Of the stream; 1 when zero.
	Wake     <-chan struct{} // Receives when there may be something new; the relay also looks every Poll.
	Poll     time.Duration   // 25 ms when zero.
	Batch    int             // Messages on their way at once; 1,000 when zero.
	Clock    clock.Clock     // Says when appends were stopped. Run requires it.
}

// Source is the ledger that is relayed: Postgres for real, memory in the simulation.
type Source interface {
	Head(ctx context.Context) (Head, error)
	// Read answers the records after a position, in order, without a gap, at most limit.
	Read(ctx context.Context, after int64, limit int) ([]event.Record, error)
	// Part stops appends until the epoch is raised, if the ledger is still in this epoch. It answers whether it did.
	Part(ctx context.Context, epoch int, p history.Parting) (bool, error)
}

// Head is what a relay asks of the ledger before it starts.
type Head struct {
	Epoch int
	First int64 // The first position that is not archived.
}

// Log holds one stream an epoch: JetStream for real, memory in the simulation.
type Log interface {
	// Exists reports whether there is a stream for an epoch.
	Exists(ctx context.Context, epoch int) (bool, error)
	// Last answers how an epoch's stream ends. A stream that is missing is made, its first sequence first.
	Last(ctx context.Context, epoch int, first int64) (Tail, error)
	// Message answers one message of an epoch's stream, and the position that the stream begins with. ErrNoMessage.
	Message(ctx context.Context, epoch int, pos int64) (message []byte, first int64, err error)
	// Publish appends records to an epoch's stream, each only if the stream's last sequence is the position before it.
	// It need not wait for that: settle does. After an error any number of them, from the first on, may have been
	// appended.
	Publish(ctx context.Context, epoch int, records []event.Record) (settle func(context.Context) error, err error)
}

// Tail is how a stream ends.
type Tail struct {
	Pos     int64
	Message []byte // Nil when the stream holds it no more, or never held one.
}

const (
	// look is how often a relay makes sure that the stream still stands where it left it, in the ledger's epoch.
	look = time.Second
	// soon is how long a relay waits to be woken after a batch that was not full. Who appends elsewhere does not wake
	// it.
	soon = 5 * time.Millisecond
	// rest is how long a relay waits before it starts over.
	rest = 500 * time.Millisecond
	// remindEvery is how often the same trouble is said again.
	remindEvery = time.Minute
)

// ErrNoMessage is returned for a message that a stream does not hold, as where its files were damaged.
var ErrNoMessage = errors.New("the stream does not hold this message")

// errApart says that the stream tells another history than the ledger.
var errApart = errors.New("the stream tells of events that the ledger does not hold")

// Run relays from Postgres to JetStream until the context ends, riding out outages of both. It returns nil then.
func Run(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, opt Options) error {
	return Relay(ctx, &postgres{pool: pool, clock: opt.Clock}, streams{js, opt.Replicas}, opt)
}

// Relay is Run on any source and log.
func Relay(ctx context.Context, source Source, log Log, opt Options) error {
	if opt.Poll == 0 {
		opt.Poll = 25 * time.Millisecond
	}
	if opt.Batch == 0 {
		opt.Batch = 1000
	}
	var said string
	var since clock.Watch
	for ctx.Err() == nil {
		if err := guard.Call(func() error { return follow(ctx, source, log, opt) }); err != nil && ctx.Err() == nil {
			if err.Error() != said || since.Took() > remindEvery {
				slog.Warn("relay: starting over", "error", err)
				said, since = err.Error(), clock.Start()
			}
			pause(ctx, opt, rest)
		}
	}
	return nil
}

// follow finds where the stream stands and publishes from there until something goes wrong.
func follow(ctx context.Context, source Source, log Log, opt Options) error {
	head, err := source.Head(ctx)
	if err != nil {
		return err
	}
	tail, err := log.Last(ctx, head.Epoch, head.First)
	if err != nil {
		return fmt.Errorf("stream of epoch %d: %w", head.Epoch, err)
	}
	if later, err := log.Exists(ctx, head.Epoch+1); err != nil {
		return err
	} else if later {
		return part(ctx, source, log, head, tail)
	}
	coming := ahead(ctx, source, head, tail, opt.Batch)
	settle := settled // What was published last.
	for looked := clock.Start(); ; {
		records, err := coming()
		if errors.Is(err, errApart) {
			// Only what the stream holds is given up: what is on its way may not have come there.
			if err := settle(ctx); err != nil {
				return err
			}
			return part(ctx, source, log, head, tail)
		}
		if err != nil {
			return err
		}
		full := len(records) >= opt.Batch-1
		if !full || looked.Took() > look {
			if err := settle(ctx); err != nil {
				return err
			}
			settle = settled
		}
		if looked.Took() > look {
			if err := unmoved(ctx, source, log, head, tail); err != nil {
				return err
			}
			looked = clock.Start()
		}
		if len(records) == 0 {
			if !pause(ctx, opt, opt.Poll) {
				return nil
			}
			coming = ahead(ctx, source, head, tail, opt.Batch)
			continue
		}
		last := &records[len(records)-1]
		tail = Tail{last.Pos, last.Encode()}
		if full {
			coming = ahead(ctx, source, head, tail, opt.Batch) // There is more: it is read meanwhile.
		}
		before := settle
		if settle, err = log.Publish(ctx, head.Epoch, records); err != nil {
			return err
		}
		// While there is more, the stream stores a batch as the next one is sent.
		if err := before(ctx); err != nil {
			return err
		}
		if !full {
			if !pause(ctx, opt, soon) {
				return nil
			}
			coming = ahead(ctx, source, head, tail, opt.Batch)
		}
	}
}

// settled is settle when nothing is on its way.
func settled(context.Context) error { return nil }

// ahead reads what follows the stream's last message, beside its caller, who asks for it when it is wanted.
func ahead(ctx context.Context, source Source, head Head, tail Tail, batch int) func() ([]event.Record, error) {
	type found struct {
		records []event.Record
		err     error
	}
	read := make(chan found, 1)
	go func() {
		var f found
		f.err = guard.Call(func() (err error) {
			f.records, err = next(ctx, source, head, tail, batch)
			return err
		})
		read <- f
	}()
	return func() ([]event.Record, error) { f := <-read; return f.records, f.err }
}

// next reads what follows the stream's last message. Each time it reads that one too: the ledger was put back to an
// earlier time if it holds another or none, however far it has come since. A stream that lost its last message still
// knows that message's sequence.
func next(ctx context.Context, source Source, head Head, tail Tail, batch int) ([]event.Record, error) {
	if tail.Pos < head.First {
		return source.Read(ctx, tail.Pos, batch)
	}
	records, err := source.Read(ctx, tail.Pos-1, batch)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 || tail.Message != nil && !bytes.Equal(records[0].Encode(), tail.Message) {
		return nil, errApart
	}
	return records[1:], nil
}

// unmoved makes sure that the ledger is in the epoch and the stream ends as the relay believes.
func unmoved(ctx context.Context, source Source, log Log, head Head, tail Tail) error {
	now, err := source.Head(ctx)
	if err != nil {
		return err
	}
	if now.Epoch != head.Epoch {
		return fmt.Errorf("the ledger is in epoch %d now", now.Epoch)
	}
	last, err := log.Last(ctx, head.Epoch, head.First)
	if err != nil {
		return err
	}
	if last.Pos != tail.Pos {
		return fmt.Errorf("the stream no longer stands at %d", tail.Pos)
	}
	return nil
}

// Agree compares the stream's end with the ledger once, as before a process begins to append. It stops appends where
// they part, and answers whether they do. Its error says that one of the two could not be asked.
func Agree(ctx context.Context, pool *pgxpool.Pool, js jetstream.JetStream, now clock.Clock) (parted bool, err error) {
	source, log := &postgres{pool: pool, clock: now}, streams{js: js}
	head, err := source.Head(ctx)
	if err != nil {
		return false, err
	}
	later, err := log.Exists(ctx, head.Epoch+1)
	if err != nil {
		return false, err
	}
	there, err := log.Exists(ctx, head.Epoch)
	if err != nil || !there && !later {
		return false, err
	}
	var tail Tail
	if there {
		if tail, err = log.Last(ctx, head.Epoch, head.First); err != nil {
			return false, err
		}
		if _, err = next(ctx, source, head, tail, 1); err != nil && !errors.Is(err, errApart) {
			return false, err
		}
	}
	if err == nil && !later {
		return false, nil
	}
	if err = part(ctx, source, log, head, tail); errors.Is(err, errApart) {
		return true, nil
	}
	return false, err
}

// part stops appends because the stream tells another history. It never answers nil. The next epoch is the
// first that has no stream: after a restore to before an epoch was raised, the stream of that epoch tells of a lost
// future too.
func part(ctx context.Context, source Source, log Log, head Head, tail Tail) error {
	from, err := common(ctx, source, log, head, tail)
	if err != nil {
		return err
	}
	p := history.Parting{Why: errApart.Error(), From: from, StreamLast: tail.Pos, Next: head.Epoch + 1}
	for {
		exists, err := log.Exists(ctx, p.Next)
		if err != nil {
			return err
		}
		if !exists {
			break
		}
		later, err := log.Last(ctx, p.Next, head.First)
		if err != nil {
			return err
		}
		p.StreamLast = max(p.StreamLast, later.Pos)
		p.Next++
	}
	did, err := source.Part(ctx, head.Epoch, p)
	if err != nil {
		return err
	}
	if did {
		slog.Error("relay: THE LEDGER HAS LOST EVENTS THAT WERE STREAMED: it was restored to an earlier time, or a standby without the last commits took over. "+
			"Nothing is appended until somebody has looked: adashi ledger epoch raise",
			"epoch", head.Epoch, "both have positions up to", from, "the stream's last position", p.StreamLast)
	}
	return fmt.Errorf("%w: both have the positions up to %d, the stream goes to %d", errApart, from, p.StreamLast)
}

// common finds the last position at which the stream's message is the ledger's event. Both are only ever added to, so
// that what is alike at one position is alike before it: half of what is left is looked at each time. A message
// that the stream lost is taken as alike.
func common(ctx context.Context, source Source, log Log, head Head, tail Tail) (int64, error) {
	if tail.Pos < head.First {
		return max(0, head.First-1), nil
	}
	_, first, err := log.Message(ctx, head.Epoch, tail.Pos)
	if err != nil && !errors.Is(err, ErrNoMessage) {
		return 0, err
	}
	alike, apart := max(first, head.First)-1, tail.Pos // alike: taken to be so; apart: known not to be.
	for apart-alike > 1 {
		middle := (alike + apart) / 2
		records, err := source.Read(ctx, middle-1, 1)
		if err != nil {
			return 0, err
		}
		same := false
		if len(records) == 1 {
			message, _, err := log.Message(ctx, head.Epoch, middle)
			if err != nil && !errors.Is(err, ErrNoMessage) {
				return 0, err
			}
			same = err != nil || bytes.Equal(message, records[0].Encode())
		}
		if same {
			alike = middle
		} else {
			apart = middle
		}
	}
	return alike, nil
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
