package engine

import (
	"context"
	"fmt"
	"sync"

	"adashi.ng/ledger/event"
)

const (
	// blockEvents is how many positions a block of the shelf has room for.
	blockEvents = 512
	// blocksMax is how many blocks are kept: two seconds of events at full load.
	blocksMax = 32
)

// shelf holds what was read of late, in blocks, for all workers of the process, each of which takes it at its own pace.
// An event is decoded once for all of them, when the first asks for it. What JetStream brought is here before anybody
// asks; the rest one worker reads from Postgres for those that come after it. So models that have fallen behind cost
// little more together than the slowest of them alone, and don't fall further behind for it.
type shelf struct {
	source Source
	mu     sync.Mutex
	blocks map[int64]*block // Number n holds the positions after n*blockEvents up to (n+1)*blockEvents.
	turn   int64            // Counts the uses of blocks.
	fed    int64            // The last position that JetStream brought.
	moved  chan struct{}    // Closed when it brings another; nil while nobody waits.
}

func newShelf(source Source) *shelf { return &shelf{source: source, blocks: map[int64]*block{}} }

// block is a run of events without a gap.
type block struct {
	used    int64      // The shelf's turn then.
	reading sync.Mutex // Held by the worker that reads it from Postgres.

	mu     sync.Mutex
	first  int64    // The position of the first event; 0 while there is none.
	events []Event  // Decoded.
	raw    [][]byte // Those that follow, as JetStream brought them.
}

func numberOf(pos int64) int64 { return (pos - 1) / blockEvents }

// end is the position after the last event.
func (b *block) end() int64 { return b.first + int64(len(b.events)+len(b.raw)) }

// block answers a block and notes that it was used. Without make it answers nil for one that is not here; else the one
// that was not used for the longest makes room for it. The shelf is locked.
func (s *shelf) block(pos int64, make bool) *block {
	n := numberOf(pos)
	b := s.blocks[n]
	if b == nil {
		if !make {
			return nil
		}
		b = &block{}
		s.keep(n, b)
	}
	s.turn++
	b.used = s.turn
	return b
}

func (s *shelf) keep(n int64, b *block) {
	if len(s.blocks) >= blocksMax && s.blocks[n] == nil {
		oldest := n
		for other := range s.blocks {
			if o := s.blocks[oldest]; o == nil || s.blocks[other].used < o.used {
				oldest = other
			}
		}
		delete(s.blocks, oldest)
	}
	s.blocks[n] = b
}

// put takes in an event as JetStream brings it. One that comes after a gap is noted; its like is read from Postgres.
// One that goes back is of another epoch: nothing that is here is of that ledger.
func (s *shelf) put(pos int64, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if pos <= s.fed {
		clear(s.blocks)
	}
	s.fed = pos
	s.block(pos, true).feed(pos, raw)
	if s.moved != nil {
		close(s.moved)
		s.moved = nil
	}
}

func (b *block) feed(pos int64, raw []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.first == 0 {
		b.first = pos
	}
	if pos == b.end() {
		b.raw = append(b.raw, raw)
	}
}

// now is closed: something is there already.
var now = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// after puts the events that follow on a position into a slice, as many as it has room for. behind says that there are
// none here and that some must be in Postgres. When there are neither, moved is closed as soon as JetStream brings one; else
// it is closed already.
func (s *shelf) after(pos int64, into []Event) (events []Event, behind bool, moved <-chan struct{}) {
	n := 0
	for n < len(into) {
		s.mu.Lock()
		b := s.block(pos+1, false)
		s.mu.Unlock()
		if b == nil {
			break
		}
		took := b.take(pos+1, into[n:])
		n, pos = n+took, pos+int64(took)
		if took == 0 {
			break
		}
	}
	if n > 0 {
		return into[:n], false, now
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if pos < s.fed {
		return nil, true, now
	}
	if s.moved == nil {
		s.moved = make(chan struct{})
	}
	return nil, false, s.moved
}

// take copies the events from a position on.
func (b *block) take(from int64, into []Event) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.first == 0 || from < b.first || from >= b.end() {
		return 0
	}
	b.decode()
	return copy(into, b.events[min(int(from-b.first), len(b.events)):])
}

// decode decodes what JetStream brought. What is not ours, or cannot be read, ends it: it is met in Postgres.
func (b *block) decode() {
	if b.events == nil {
		b.events = make([]Event, 0, blockEvents)
	}
	for _, raw := range b.raw {
		r, err := event.DecodeRecord(raw)
		if err != nil {
			break
		}
		e, err := decoded(r)
		if err != nil {
			break
		}
		b.events = append(b.events, e)
	}
	b.raw = nil
}

// unreadableError is met at an event whose body this build cannot read.
type unreadableError struct {
	record event.Record
	cause  error
}

func (e *unreadableError) Error() string {
	return fmt.Sprintf("position %d: %v", e.record.Pos, e.cause)
}

// fetch reads on behind a position in Postgres, as far as its block goes, unless another worker just did. It answers
// whether there is anything. The error is an *unreadableError when it is the very next event that cannot be read.
func (s *shelf) fetch(ctx context.Context, pos int64) (found bool, err error) {
	s.mu.Lock()
	b := s.block(pos+1, true)
	s.mu.Unlock()
	b.reading.Lock()
	defer b.reading.Unlock()
	from, here := b.lacks(pos + 1)
	if here {
		return true, nil
	}
	beyond := (numberOf(pos+1)+1)*blockEvents + 1
	records, _, err := s.source(ctx, from-1, int(beyond-from), nil)
	if err != nil {
		return false, err
	}
	events, err := decode(records)
	if err != nil && from+int64(len(events)) == pos+1 {
		return false, &unreadableError{records[len(events)], err}
	}
	b.put(from, events)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keep(numberOf(pos+1), b) // Others may have taken its place meanwhile.
	return from+int64(len(events)) > pos+1, nil
}

// lacks answers from where on a block must be read for a position to be in it, unless it is here already: what it holds
// goes on from its first event to its end.
func (b *block) lacks(pos int64) (from int64, here bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.decode()
	switch {
	case b.first == 0 || pos < b.first:
		return numberOf(pos)*blockEvents + 1, false
	case pos < b.end():
		return 0, true
	default:
		return b.end(), false
	}
}

// put takes in what was read from a position on that lacks answered.
func (b *block) put(from int64, events []Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(events) == 0 {
		return
	}
	b.decode()
	if b.first == 0 || from < b.first {
		// All of it, from its beginning; what came from JetStream meanwhile follows or is among it.
		if end := from + int64(len(events)); b.first > 0 && b.end() > end && b.first <= end {
			events = append(events, b.events[end-b.first:]...)
		}
		b.first, b.events = from, events
		return
	}
	if end := b.end(); from <= end && from+int64(len(events)) > end {
		b.events = append(b.events, events[end-from:]...)
	}
}
