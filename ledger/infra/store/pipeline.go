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

// A batch is decided while the one before it is still being written. This needs no lock: the memory already includes
// the batch in flight, and the transaction itself checks, with Backend.Write's fence, that no other process wrote
// since. If that check fails nothing was written, and the batch is decided again under the lock.

// decidedBatch is a batch decided on the ledger as it will be after the batch in flight.
type decidedBatch struct {
	batch     []*waiting
	from      Tip // Where the ledger must end when the batch is written.
	to        Tip // Where the ledger ends afterwards.
	snapshots []Snapshot
}

// nextBatch holds what was decided while a batch is in flight. The goroutine that writes takes all of it as soon as the
// batch in flight is answered, so that the database never waits. Without that goroutine the appender takes it.
type nextBatch struct {
	mu    sync.Mutex
	next  *decidedBatch
	taken chan struct{} // Receives when the batch was taken: there is room again.
}

func (b *nextBatch) take() *decidedBatch {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.next
	b.next = nil
	return next
}

// size is how many commands the next batch holds.
func (b *nextBatch) size() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next == nil {
		return 0
	}
	return len(b.next.batch)
}

// add appends more commands to the next batch.
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

// inFlight is a run of batches sent to the database one after another: each takes what was decided meanwhile.
type inFlight struct {
	last *decidedBatch // The last batch sent; those before it were written.
	err  error         // The error of the last batch.
	done chan struct{}
}

// finished is closed when nothing is in flight any more; it is nil, and so never ready, where nothing was in flight.
// The callers of written batches have their answers by then, or get them soon.
func (f *inFlight) finished() <-chan struct{} {
	if f == nil {
		return nil
	}
	return f.done
}

// decideAhead decides more commands while a batch is in flight. It answers false when that is not possible.
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
	for !send(batch) { // From here on a caller who gives up does not get the answer that nothing was taken.
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

// loadAhead loads into the memory the data that the batch needs and the memory does not have. The batch in flight is in
// the memory already, so only another process can change what is read here; the fence detects that.
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

// sendNext starts to write the next batch, if there is one, in a goroutine.
func (s *Store) sendNext() *inFlight {
	next := s.next.take()
	if next == nil {
		return nil
	}
	f := &inFlight{last: next, done: make(chan struct{})}
	go s.writeOn(f)
	return f
}

// writeOn writes batches until none is left. The callers of one get their answers while the next is in flight.
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

// rest waits as long as Options.Pace asks after a position is written. Meanwhile the next batch grows.
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

// finish waits for what is in flight and commits, under the lock, what was not written, the next batch, and more. After
// an outage it sends nothing else and refuses the commands that wait.
func (s *Store) finish(f *inFlight, more []*waiting) {
	up := true
	if f != nil {
		<-f.done
		up = s.resolve(f)
	}
	if next := s.next.take(); next != nil {
		s.memory.forget() // The memory includes the next batch, which was not written.
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
	s.memory.forget() // The commands decided after it were decided on a state that does not exist.
	if errors.Is(f.err, ErrUnanswered) {
		return s.settle(f.last.batch, f.err)
	}
	if errors.Is(f.err, ErrMoved) {
		s.contended = contention
	}
	return s.commit(f.last.batch)
}
