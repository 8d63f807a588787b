package recent

import (
	"context"
	"sync"

	"adashi.ng/ledger/event"
)

const (
	// blockEvents is how many positions a block of the buffer has room for.
	blockEvents = 512
	// blocksMax is how many blocks are kept: two seconds of events at full load.
	blocksMax = 32
	// bytesMax bounds the size of all blocks but the latest: a few large events take as much memory as many small ones.
	bytesMax = 24 << 20
)

// Source reads the ledger: the events after a position, except those of some types, in order, at most limit, and the
// position through which it has searched; after itself at the ledger's end. It may stop searching sooner.
type Source func(ctx context.Context, after int64, limit int, but []string) (records []event.Record, through int64, err error)

// Buffer holds recently read events, in blocks, for all workers of the process, each of which takes them at its own
// pace. An event is decoded once for all of them, when the first asks for it. Events from JetStream are here before a
// worker asks; the others are read once from Postgres, by the first worker that needs them. So models that have fallen
// behind cost little more together than the slowest of them alone, and do not fall further behind for it.
type Buffer struct {
	source Source
	mu     sync.Mutex
	blocks map[int64]*block // Number n holds the positions after n*blockEvents up to (n+1)*blockEvents.
	turn   int64            // Counts the uses of blocks.
	resets int64            // Counts how often all blocks were dropped.
	fed    int64            // The last position that JetStream brought.
	moved  chan struct{}    // Closed when JetStream brings another event; nil while no worker waits.
}

// New makes a buffer.
func New(source Source) *Buffer { return &Buffer{source: source, blocks: map[int64]*block{}} }

// block is a run of events without a gap.
type block struct {
	used    int64         // The buffer's turn at its last use. The buffer's lock guards it.
	bytes   int           // The approximate size of its events. The buffer's lock guards it.
	reading chan struct{} // Has room for the worker that reads it from Postgres.

	mu     sync.Mutex
	first  int64    // The position of the first event; 0 before any came.
	events []Event  // Decoded.
	raw    [][]byte // Those that follow, as JetStream brought them.
}

func numberOf(pos int64) int64 { return (pos - 1) / blockEvents }

// end is the position after the last event.
func (b *block) end() int64 { return b.first + int64(len(b.events)+len(b.raw)) }

// block answers the block of a position, a new one if there is none and mayMake, else nil. The buffer is locked.
func (s *Buffer) block(pos int64, mayMake bool) *block {
	n := numberOf(pos)
	b := s.blocks[n]
	if b == nil && mayMake {
		b = &block{reading: make(chan struct{}, 1)}
	}
	if b != nil {
		s.keep(n, b)
	}
	return b
}

// keep notes that a block was used. A new block replaces the least recently used ones. The buffer is locked.
func (s *Buffer) keep(n int64, b *block) {
	s.turn++
	b.used = s.turn
	if s.blocks[n] == nil {
		s.makeRoom()
	}
	s.blocks[n] = b
}

// makeRoom drops the least recently used blocks, until there is room for another. The buffer is locked.
func (s *Buffer) makeRoom() {
	bytes := 0
	for _, b := range s.blocks {
		bytes += b.bytes
	}
	for len(s.blocks) > 0 && (len(s.blocks) >= blocksMax || bytes > bytesMax) {
		oldest, since := int64(0), s.turn
		for n, b := range s.blocks {
			if b.used < since {
				oldest, since = n, b.used
			}
		}
		bytes -= s.blocks[oldest].bytes
		delete(s.blocks, oldest)
	}
}

// sizeOf estimates the size of a decoded event: its encoded bytes, which it may share, its record and its message.
func sizeOf(encoded int) int { return 600 + 2*encoded }

// Forget drops all events. It is for when the ledger may be another one, as after a restore.
func (s *Buffer) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forgetLocked()
}

func (s *Buffer) forgetLocked() {
	clear(s.blocks)
	s.resets++
}

// put adds an event from JetStream. One that comes after a gap is only noted and read from Postgres. One that goes back
// is of another epoch: then all events here are of another ledger.
func (s *Buffer) put(pos int64, raw []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if pos <= s.fed {
		s.forgetLocked()
	}
	s.fed = pos
	b := s.block(pos, true)
	b.feed(pos, raw)
	b.bytes += sizeOf(len(raw))
	if s.moved != nil {
		close(s.moved)
		s.moved = nil
	}
}

// Fed is the last position that JetStream brought.
func (s *Buffer) Fed() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fed
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

// now is a closed channel: there are events already.
var now = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

// After puts the events that follow on a position into a slice, as many as it has room for. behind says that there are
// none here and that some must be in Postgres. When there are neither, moved is closed as soon as JetStream brings one;
// else it is closed already.
func (s *Buffer) After(pos int64, into []Event) (events []Event, behind bool, moved <-chan struct{}) {
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

// decode decodes the messages of JetStream. It stops at one that does not match the ledger: that position is read from
// Postgres.
func (b *block) decode() {
	if b.events == nil && len(b.raw) > 0 {
		b.events = make([]Event, 0, blockEvents)
	}
	for _, raw := range b.raw {
		r, err := event.DecodeRecord(raw)
		if err != nil || r.Pos != b.first+int64(len(b.events)) {
			break
		}
		b.events = append(b.events, Decoded(r))
	}
	b.raw = nil
}

// Fetch reads the events after a position from Postgres, to the end of the block, unless another worker just did. It
// answers whether to look again, see After; if not, the position is the ledger's end.
func (s *Buffer) Fetch(ctx context.Context, pos int64) (found bool, err error) {
	s.mu.Lock()
	b, forgot := s.block(pos+1, true), s.resets
	s.mu.Unlock()
	select {
	case b.reading <- struct{}{}:
		defer func() { <-b.reading }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	from, limit := b.lacks(pos + 1)
	if limit == 0 {
		return true, nil
	}
	records, _, err := s.source(ctx, from-1, limit, nil)
	if err != nil || len(records) == 0 {
		return false, err
	}
	b.put(from, Decode(records))
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range records {
		b.bytes += sizeOf(len(records[i].Body))
	}
	if s.resets == forgot {
		s.keep(numberOf(pos+1), b) // Others may have taken its place meanwhile.
	}
	return true, nil
}

// lacks answers which events of a block must be read for a position to be in it: none when it is here already, and
// never events that no worker asked for, which may be archived.
func (b *block) lacks(pos int64) (from int64, limit int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.decode()
	beyond := (numberOf(pos)+1)*blockEvents + 1
	switch {
	case b.first == 0:
		return pos, int(beyond - pos)
	case pos < b.first:
		return pos, int(b.first - pos)
	case pos < b.end():
		return 0, 0
	default:
		return b.end(), int(beyond - b.end())
	}
}

// put adds the events that were read from a position that lacks answered.
func (b *block) put(from int64, events []Event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.decode()
	end := from + int64(len(events))
	switch {
	case b.first == 0 || from < b.first:
		// Keep the events that JetStream brought meanwhile, or that were here.
		if b.first > 0 && b.first <= end && end < b.end() {
			events = append(events, b.events[end-b.first:]...)
		}
		b.first, b.events = from, events
	case from <= b.end() && b.end() < end:
		b.events = append(b.events, events[b.end()-from:]...)
	}
}
