package audit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/nats-io/nats.go/jetstream"
	"golang.org/x/mod/sumdb/tlog"

	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
)

// messageWait is how long a message of the stream may take to come.
const messageWait = 30 * time.Second

// verifyStream compares the stream of events with the ledger, message by message.
func verifyStream(ctx context.Context, s *snapshot, opt Options, c *Check) error {
	if opt.JS == nil {
		c.Skipped = opt.NoStream
		return nil
	}
	stream, err := opt.JS.Stream(ctx, relay.StreamName(s.epoch))
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		c.Skipped = "there is no stream " + relay.StreamName(s.epoch) + " yet: the relay makes it"
		return nil
	}
	if err != nil {
		c.Skipped = fmt.Sprintf("NATS does not answer: %v", err)
		return nil
	}
	if _, err := opt.JS.Stream(ctx, relay.StreamName(s.epoch+1)); err == nil {
		c.Violate(0, relay.StreamName(s.epoch+1), "There is a stream of a later epoch than the ledger is in.")
	}
	info, err := stream.Info(ctx, jetstream.WithDeletedDetails(true))
	if err != nil {
		c.Skipped = fmt.Sprintf("NATS does not answer: %v", err)
		return nil
	}
	// The head is read after the stream, which may have moved since the snapshot.
	_, head, err := history.Head(ctx, opt.Pool)
	if err != nil {
		return err
	}
	if last := int64(info.State.LastSeq); last > head {
		c.Violate(head+1, "", "The stream tells of positions up to %d, and the ledger ends at %d.", last, head)
	}
	first, to := max(1, int64(info.State.FirstSeq)), min(int64(info.State.LastSeq), s.head)
	if to < s.head {
		c.Said = fmt.Sprintf("the relay has not published %d of the latest events yet", s.head-to)
	}
	for _, p := range s.parts {
		if from, until := max(1, p.from), min(p.to, first-1, to); p.table != "" && from <= until {
			c.Violate(from, "", "The messages from %d to %d were deleted from the stream.", from, until)
		}
	}
	deleted := map[int64]bool{}
	for _, seq := range info.State.Deleted {
		if deleted[int64(seq)] = true; int64(seq) <= to {
			c.Violate(int64(seq), "", "The message was deleted from the stream.")
		}
	}
	for deleted[to] {
		to--
	}
	if to < first {
		return nil
	}
	return compareStream(ctx, s, stream, first, to, missing{c, deleted})
}

// missing reports messages that the stream lacks without listing them as deleted.
type missing struct {
	*Check
	deleted map[int64]bool // The positions that the stream lists as deleted.
}

func (m missing) note(from, to int64) {
	for ; from <= to; from++ {
		if m.deleted[from] {
			continue
		}
		first := from
		for from < to && !m.deleted[from+1] {
			from++
		}
		if first == from {
			m.Violate(first, "", "The stream lacks the message.")
		} else {
			m.Violate(first, "", "The stream lacks the messages from %d to %d.", first, from)
		}
	}
}

// compareStream compares the messages from one position to another.
func compareStream(ctx context.Context, s *snapshot, stream jetstream.Stream, from, to int64, c missing) error {
	consumer, err := stream.OrderedConsumer(ctx, jetstream.OrderedConsumerConfig{DeliverPolicy: jetstream.DeliverByStartSequencePolicy, OptStartSeq: uint64(from)})
	if err != nil {
		return fmt.Errorf("read the stream: %w", err)
	}
	messages, err := consumer.Messages(jetstream.PullMaxBytes(4 << 20))
	if err != nil {
		return fmt.Errorf("read the stream: %w", err)
	}
	defer messages.Stop()
	page := leafPage{snapshot: s, to: to}
	for at := from - 1; at < to; {
		waiting, cancel := context.WithTimeout(ctx, messageWait)
		message, err := messages.Next(jetstream.NextContext(waiting))
		cancel()
		if err != nil {
			return notGiven(ctx, stream, at, to, c.Check, err)
		}
		about, err := message.Metadata()
		if err != nil {
			return err
		}
		before := at
		at = int64(about.Sequence.Stream)
		c.note(before+1, min(at-1, to))
		if at > to {
			return nil
		}
		if about.NumPending == 0 { // It is the last that the stream has.
			c.note(at+1, to)
			to = at
		}
		c.Looked++
		row, there, err := page.find(ctx, at)
		switch {
		case err != nil:
			return err
		case !there:
			if !s.absent(at) {
				c.Violate(at, "", "The stream has a message, and the ledger no event.")
			}
		case tlog.RecordHash(message.Data()) != row.leaf:
			c.Violate(at, "", "The message is not the event, byte for byte.")
		case message.Subject() != relay.Subject(s.epoch, row.stream):
			c.Violate(at, "", "The message is on %s instead of %s.", message.Subject(), relay.Subject(s.epoch, row.stream))
		}
	}
	return nil
}

// notGiven notes that no message came after the one at a position. If NATS still answers, the stream cannot give them.
func notGiven(ctx context.Context, stream jetstream.Stream, at, to int64, c *Check, wrong error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, err := stream.Info(ctx); err != nil {
		c.Skipped = fmt.Sprintf("NATS did not answer any more after message %d: %v", at, err)
		return nil
	}
	c.Violate(at+1, "", "The stream does not give the messages from %d to %d: %v.", at+1, to, wrong)
	return nil
}

// leafPage reads leaves of events, which were verified by then, a page at a time.
type leafPage struct {
	snapshot *snapshot
	rows     map[int64]leafRow
	from, to int64 // to is the last that will ever be asked for.
	upto     int64 // The last of the page.
}

type leafRow struct {
	stream string
	leaf   tlog.Hash
}

// pageOfLeaves is how many leaves are read at once.
const pageOfLeaves = 8192

func (p *leafPage) find(ctx context.Context, pos int64) (leafRow, bool, error) {
	if pos > p.upto {
		p.from, p.upto = pos, min(p.to, pos+pageOfLeaves-1)
		p.rows = make(map[int64]leafRow, pageOfLeaves)
		rows, err := p.snapshot.side.Query(ctx, "SELECT pos, stream, leaf FROM "+p.snapshot.events()+" e WHERE pos BETWEEN $1 AND $2", p.from, p.upto)
		if err != nil {
			return leafRow{}, false, err
		}
		var (
			at   int64
			name string
			leaf []byte
		)
		if _, err := pgx.ForEachRow(rows, []any{&at, &name, &leaf}, func() error {
			row := leafRow{stream: name}
			copy(row.leaf[:], leaf)
			p.rows[at] = row
			return nil
		}); err != nil {
			return leafRow{}, false, err
		}
	}
	row, there := p.rows[pos]
	return row, there, nil
}
