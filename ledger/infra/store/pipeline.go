package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"adashi.ng/ledger/base/guard"
)

// A batch is decided while the one before it is still being written. No lock is held to decide: the memory holds what
// the batch before will leave, and the transaction itself makes sure, with Backend.Write's fence, that nobody else
// wrote since. When anything is not as believed nothing was written, and the batch is decided again under the lock.

// decidedBatch is a batch decided on what the ledger is about to be.
type decidedBatch struct {
	batch     []*waiting
	from      Tip // Where the ledger must end when it is written.
	to        Tip // Where it ends then.
	snapshots []Snapshot
}

// nextBatch is what was decided while a batch is in flight. The goroutine that writes takes it whole as soon as it is
// answered, so that the database never waits for the appender; without one the appender takes it.
type nextBatch struct {
	mu    sync.Mutex
	next  *decidedBatch
	taken chan struct{} // Receives when it was taken: there is room again.
}

func (b *nextBatch) take() *decidedBatch {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.next
	b.next = nil
	return next
}

// size is how many commands it holds.
func (b *nextBatch) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		return 0
	}
	return len(b.next.batch)
}

// add appends more commands to it.
func (b *nextBatch) add(more decidedBatch) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		b.next = &more
		return
	}
	b.next.batch, b.next.to = append(b.next.batch, more.batch...), more.to
	b.next.snapshots = append(b.next.snapshots, more.snapshots...)
}

// inFlight is a batch that was sent to the database, and then whatever was decided by the time it was answered.
type inFlight struct {
	last *decidedBatch // Of these; the ones before it were written.
	err  error         // What became of the last.
	done chan struct{}
}

// finished is closed when nothing is in flight any more; where nothing ever was, it never is. Whose commands were
// written is answered, or about to be.
func (f *inFlight) finished() <-chan struct{} {
	if f == nil {
		return nil
	}
	return f.done
}

// decideAhead decides more commands while a batch is in flight. It answers false when they cannot be decided that way.
func (s *Store) decideAhead(batch []*waiting) bool {
	if !s.memory.valid || s.contended > 0 || s.distrust.Load() {
		return false
	}
	if s.next.size() == 0 {
		s.memory.turn()
	}
	if err := s.loadAhead(batch); err != nil {
		return false
	}
	for !send(batch) { // From here on whoever gives up is not told that nothing was taken.
		batch = inHand(batch)
	}
	more := decidedBatch{batch: batch, from: s.memory.Tip, to: s.memory.Tip}
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
	s.next.add(more)
	return true
}

// loadAhead fills the memory with what the batch needs and the memory lacks. The batch being written is in the memory,
// so nothing that is read here is about to change, unless by another process: the fence finds out.
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

// sendNext writes the next batch, if there is one, beside the appender.
func (s *Store) sendNext() *inFlight {
	next := s.next.take()
	if next == nil {
		return nil
	}
	f := &inFlight{last: next, done: make(chan struct{})}
	go s.writeOn(f)
	return f
}

// writeOn writes batches until none is left. The callers of one are answered while the next is in flight.
func (s *Store) writeOn(f *inFlight) {
	defer close(f.done)
	for {
		if f.err = s.writeAhead(f.last); f.err != nil {
			return
		}
		written := f.last.batch
		s.replying.Go(func() { s.reply(written) })
		s.rest(f.last.to.Pos)
		next := s.next.take()
		if next == nil {
			return
		}
		f.last = next
		signal(s.next.taken)
	}
}

// rest waits as long as it is asked to once a position is written. Meanwhile the next batch grows.
func (s *Store) rest(pos int64) {
	if s.opt.Pace == nil {
		return
	}
	select {
	case <-time.After(s.opt.Pace(pos)):
	case <-s.stopping:
	}
}

func (s *Store) writeAhead(n *decidedBatch) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: panic: %v", ErrUnanswered, r)
		}
	}()
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return s.backend.Write(ctx, n.from, writes(n.batch, n.to, n.snapshots, s.opt.Sealing))
}

// sendAfter waits for what is in flight and sends the next batch.
func (s *Store) sendAfter(f *inFlight) *inFlight {
	if f != nil {
		<-f.done
	}
	if f == nil || f.err == nil {
		return s.sendNext()
	}
	s.finish(f, nil)
	return nil
}

// finish waits for what is in flight and commits, under the lock, what it did not write, the next batch, and more.
// After an outage nothing else was sent: whoever waited is told so.
func (s *Store) finish(f *inFlight, more []*waiting) {
	up := true
	if f != nil {
		<-f.done
		up = s.resolve(f)
	}
	if next := s.next.take(); next != nil {
		s.memory.forget() // It holds what the next batch would have left.
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

// resolve commits what was in flight and not written. It answers false for an outage.
func (s *Store) resolve(f *inFlight) bool {
	if f.err == nil {
		return true
	}
	s.memory.forget() // What was decided after it no longer holds.
	if errors.Is(f.err, ErrUnanswered) {
		return s.settle(f.last.batch, f.err)
	}
	if errors.Is(f.err, ErrMoved) {
		s.contended = contention
	}
	return s.commit(f.last.batch)
}
