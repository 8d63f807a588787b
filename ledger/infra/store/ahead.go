package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"adashi.ng/ledger/base/guard"
)

// A batch is decided while the one before it is still being written. No lock is held to decide: the memory holds what
// the batch before will leave, and the transaction itself makes sure, with Backend.Write's fence, that nobody else
// wrote since. When anything is not as believed nothing was written, and the batch is decided again under the lock.

// foresight is a batch decided on what the ledger is about to be.
type foresight struct {
	batch     []*waiting
	from      Tip // Where the ledger must end when it is written.
	to        Tip // Where it ends then.
	snapshots []Snapshot
}

// behind is what was decided behind a flight. It is taken whole, by the flight itself as it lands, so that the database
// never waits for the appender; or by the appender when there is no flight.
type behind struct {
	mu    sync.Mutex
	next  *foresight
	taken chan struct{} // Receives when a flight took it: there is room again.
}

func (b *behind) take() *foresight {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.next
	b.next = nil
	return next
}

// size is how many commands it holds.
func (b *behind) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		return 0
	}
	return len(b.next.batch)
}

// add puts more commands behind what is there.
func (b *behind) add(more foresight) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = &more
		return
	}
	b.next.batch, b.next.to = append(b.next.batch, more.batch...), more.to
	b.next.snapshots = append(b.next.snapshots, more.snapshots...)
}

// flight is a batch on its way to the database, and then whatever was decided behind it by the time it landed.
type flight struct {
	last *foresight // Of these; the ones before it were written.
	err  error      // What became of the last.
	done chan struct{}
}

// landed is closed when the flight came back; for no flight it never is. Whose commands were written is answered, or
// about to be.
func (f *flight) landed() <-chan struct{} {
	if f == nil {
		return nil
	}
	return f.done
}

// foresee decides more commands behind what is on its way. It answers false when they cannot be decided that way.
func (s *Store) foresee(batch []*waiting) bool {
	if !s.memory.valid || s.contended > 0 || s.distrust.Load() {
		return false
	}
	if s.behind.size() == 0 {
		s.memory.turn()
	}
	if err := s.loadAhead(batch); err != nil {
		return false
	}
	for !send(batch) { // From here on whoever gives up is not told that nothing was taken.
		batch = inHand(batch)
	}
	more := foresight{batch: batch, from: s.memory.Tip, to: s.memory.Tip}
	err := guard.Call(func() error {
		s.decide(batch, &more.to)
		return nil
	})
	if err != nil {
		slog.Error("ledger: a batch broke off", "error", err)
		s.memory.forget()
		return false
	}
	if len(batch) == 0 {
		return true
	}
	more.snapshots, s.memory.snapshots = s.memory.snapshots, nil
	s.memory.Tip = more.to
	s.behind.add(more)
	return true
}

// loadAhead fills the memory with what the batch needs and the memory lacks. What the flight before it is writing is
// in the memory, so nothing that is read here is about to change, unless by another process: the fence finds out.
func (s *Store) loadAhead(batch []*waiting) error {
	need := s.need(batch)
	if need.empty() && len(s.memory.unsettled) < s.opt.Cache {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return guard.Call(func() error {
		found, err := s.backend.Load(ctx, need)
		if err == nil {
			s.take(need, found)
		}
		return err
	})
}

// launch writes what was foreseen, if anything was, beside the appender.
func (s *Store) launch() *flight {
	next := s.behind.take()
	if next == nil {
		return nil
	}
	f := &flight{last: next, done: make(chan struct{})}
	go s.fly(f)
	return f
}

// fly goes to the database until nothing is left to write. The callers of a batch are answered while the next is on its
// way.
func (s *Store) fly(f *flight) {
	defer close(f.done)
	for {
		if f.err = s.writeAhead(f.last); f.err != nil {
			return
		}
		written := f.last.batch
		s.replying.Go(func() { s.reply(written) })
		next := s.behind.take()
		if next == nil {
			return
		}
		f.last = next
		signal(s.behind.taken)
	}
}

func (s *Store) writeAhead(n *foresight) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", ErrUnanswered, r)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return s.backend.Write(ctx, n.from, writes(n.batch, n.to, n.snapshots))
}

// follow waits for a flight and sends off what was foreseen behind it.
func (s *Store) follow(f *flight) *flight {
	if f != nil {
		<-f.done
	}
	if f == nil || f.err == nil {
		return s.launch()
	}
	s.land(f, nil)
	return nil
}

// land waits for a flight and carries to its end, under the lock, what it did not write, what was foreseen behind it,
// and more. Behind an outage nothing was sent: whoever waited there is told so.
func (s *Store) land(f *flight, more []*waiting) {
	up := true
	if f != nil {
		<-f.done
		up = s.carry(f)
	}
	if next := s.behind.take(); next != nil {
		s.memory.forget() // It holds what was foreseen.
		more = append(next.batch, more...)
	}
	switch {
	case len(more) == 0:
	case up:
		s.commit(more)
	default:
		refuse([][]*waiting{more}, errBusy())
	}
}

// carry brings what a flight did not write to its end. It answers false for an outage.
func (s *Store) carry(f *flight) bool {
	if f.err == nil {
		return true
	}
	s.memory.forget() // What was foreseen behind it no longer holds.
	if errors.Is(f.err, ErrUnanswered) {
		return s.settle(f.last.batch, f.err)
	}
	if errors.Is(f.err, ErrMoved) {
		s.contended = contention
	}
	return s.commit(f.last.batch)
}
