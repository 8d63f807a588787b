package sim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/relay"
)

// Bus is JetStream in memory: one stream for each epoch, which acknowledges messages before they are synced to its
// disk.
type Bus struct {
	mu      sync.Mutex
	streams map[int]*stream
}

type stream struct {
	first    int64 // The sequence of the first message.
	messages [][]byte
	synced   int // How many surely survive a crash of the broker.
}

func (s *stream) last() int64 { return s.first - 1 + int64(len(s.messages)) }

// NewBus is a broker without streams.
func NewBus() *Bus { return &Bus{streams: map[int]*stream{}} }

// Sync writes the acknowledged messages to the broker's disk.
func (b *Bus) Sync() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.streams {
		s.synced = len(s.messages)
	}
}

// Crash loses some acknowledged messages that were not synced.
func (b *Bus) Crash(r *rand.Rand) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, epoch := range b.epochs() {
		s := b.streams[epoch]
		s.messages = s.messages[:s.synced+r.IntN(len(s.messages)-s.synced+1)]
	}
}

// Wipe loses everything.
func (b *Bus) Wipe() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.streams)
}

func (b *Bus) epochs() []int {
	var all []int
	for epoch := range b.streams {
		all = append(all, epoch)
	}
	slices.Sort(all)
	return all
}

// Messages are the messages of an epoch after a sequence, at most limit.
func (b *Bus) Messages(epoch int, after int64, limit int) [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.streams[epoch]
	if s == nil || after >= s.last() {
		return nil
	}
	rest := s.messages[max(0, after+1-s.first):]
	return slices.Clone(rest[:min(limit, len(rest))])
}

// Log is the bus as a process's relay reaches it.
func (b *Bus) Log(p *Process) relay.Log { return log{b, p} }

type log struct {
	bus     *Bus
	process *Process
}

// Exists implements relay.Log.
func (l log) Exists(ctx context.Context, epoch int) (bool, error) {
	if err := l.process.at(ctx, Load); err != nil {
		return false, err
	}
	l.bus.mu.Lock()
	defer l.bus.mu.Unlock()
	return l.bus.streams[epoch] != nil, nil
}

// Last implements relay.Log.
func (l log) Last(ctx context.Context, epoch int, first int64) (relay.Tail, error) {
	if err := l.process.at(ctx, Load); err != nil {
		return relay.Tail{}, err
	}
	l.bus.mu.Lock()
	defer l.bus.mu.Unlock()
	s := l.bus.streams[epoch]
	if s == nil {
		s = &stream{first: first}
		l.bus.streams[epoch] = s
	}
	tail := relay.Tail{Pos: s.last()}
	if len(s.messages) > 0 {
		tail.Message = s.messages[len(s.messages)-1]
	}
	return tail, nil
}

// Message implements relay.Log.
func (l log) Message(ctx context.Context, epoch int, pos int64) ([]byte, int64, error) {
	if err := l.process.at(ctx, Load); err != nil {
		return nil, 0, err
	}
	l.bus.mu.Lock()
	defer l.bus.mu.Unlock()
	s := l.bus.streams[epoch]
	if s == nil || pos < s.first || pos > s.last() {
		return nil, 0, fmt.Errorf("sim: the stream of epoch %d has no message %d", epoch, pos)
	}
	return s.messages[pos-s.first], s.first, nil
}

// Publish implements relay.Log. Of messages in flight together some may arrive and others not; after one that did not,
// the later ones are refused.
func (l log) Publish(ctx context.Context, epoch int, records []event.Record) (func(context.Context) error, error) {
	if err := l.process.at(ctx, BeforePublish); err != nil {
		return nil, err
	}
	arrive := l.process.arriving(len(records))
	for i := range records {
		if i == arrive {
			return nil, errOutage
		}
		if err := l.bus.append(epoch, &records[i]); err != nil {
			return nil, err
		}
	}
	return func(context.Context) error { return l.process.at(ctx, AfterPublish) }, nil
}

// append is one message that expects the stream's last sequence.
func (b *Bus) append(epoch int, r *event.Record) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	s := b.streams[epoch]
	if s == nil {
		return fmt.Errorf("sim: there is no stream of epoch %d", epoch)
	}
	if last := s.last(); last != r.Pos-1 {
		return fmt.Errorf("sim: wrong last sequence: %d", last)
	}
	s.messages = append(s.messages, r.Encode())
	return nil
}

// arriving is how many of n messages arrive.
func (p *Process) arriving(n int) int {
	if p == nil || p.weather.healed.Load() {
		return n
	}
	r := p.draw("arriving")
	if r.Float64() < p.weather.Outage {
		return r.IntN(n)
	}
	return n
}
