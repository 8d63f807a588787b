package store

import (
	"context"
	"errors"
)

// A batch is decided while the one before it is still being written. No lock is held to decide: the memory holds what
// the batch before will leave, and the transaction itself makes sure, with Backend.Write's fence, that nobody else wrote since.
// When anything is not as believed nothing was written, and the batch is decided again under the lock.

// foresight is a batch decided on what the ledger is about to be.
type foresight struct {
	batch  []*waiting
	from   Tip  // Where the ledger must end when it is written.
	to     Tip  // Where it ends then.
	failed bool // It cannot be relied on: decide it again under the lock.
}

func (n *foresight) size() int {
	if n == nil {
		return 0
	}
	return len(n.batch)
}

// flight is a batch on its way to the database.
type flight struct {
	batch []*waiting
	err   error
	done  chan struct{} // Closed when it came back; on success its callers are answered by then.
}

// landed is closed when the flight came back; for no flight it never is.
func (f *flight) landed() <-chan struct{} {
	if f == nil {
		return nil
	}
	return f.done
}

// foresee decides more commands into a batch that waits to be written.
func (s *Store) foresee(next *foresight, batch []*waiting) *foresight {
	if next == nil {
		next = &foresight{from: s.memory.Tip, to: s.memory.Tip}
	}
	next.batch = append(next.batch, batch...)
	if !s.memory.valid || s.contended > 0 || s.distrust.Load() {
		next.failed = true
		return next
	}
	if s.loadAhead(batch) == nil {
		s.decide(batch, &next.to)
		next.failed = s.memory.poisoned
	} else {
		next.failed = true
	}
	if next.failed {
		s.memory.forget()
	}
	return next
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
	found, err := s.backend.Load(ctx, need)
	if err != nil {
		return err
	}
	return s.take(need, found)
}

// launch writes what was foreseen and answers its callers, beside the appender.
func (s *Store) launch(next *foresight) *flight {
	writes := s.writes(next.batch, next.to)
	s.memory.keep(next.to)
	f := &flight{batch: next.batch, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
		defer cancel()
		if f.err = s.backend.Write(ctx, next.from, writes); f.err == nil {
			s.reply(f.batch)
		}
	}()
	return f
}

// follow waits for a flight and sends off what was foreseen behind it.
func (s *Store) follow(f *flight, next *foresight) *flight {
	landed := s.land(f)
	switch {
	case next == nil:
		return nil
	case landed:
		return s.launch(next)
	default:
		s.commit(next.batch)
		return nil
	}
}

// land waits for a flight and answers whether it was committed. One that was not is carried to its end here, and what
// was foreseen behind it no longer holds.
func (s *Store) land(f *flight) bool {
	if f == nil {
		return true
	}
	<-f.done
	if f.err == nil {
		return true
	}
	s.memory.forget()
	if errors.Is(f.err, ErrUnanswered) {
		s.settle(f.batch, f.err)
		return false
	}
	if errors.Is(f.err, ErrMoved) {
		s.contended = contention
	}
	s.commit(f.batch)
	return false
}
