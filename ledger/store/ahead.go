package store

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// flight is a decided batch on its way to the database.
type flight struct {
	batch []*waiting
	err   error
	done  chan struct{} // Closed when it came back; on success its callers are answered by then.
}

// landed is closed when the flight came back; it never comes for no flight.
func (f *flight) landed() <-chan struct{} {
	if f == nil {
		return nil
	}
	return f.done
}

// advance decides a batch while the one before it is still being written, and sends it off as soon as that is
// committed. It takes no lock to decide: the memory holds what the batch before will leave, and the transaction itself
// makes sure, with ledger_lock, that nobody else wrote since. When anything is not as believed, nothing was written,
// and the batch is decided again under the lock.
func (s *Store) advance(batch []*waiting, before *flight) *flight {
	if s.memory.valid && s.contended == 0 {
		if pipeline := s.foresee(batch); pipeline != nil && s.land(before) {
			return s.launch(batch, pipeline)
		}
	}
	s.land(before) // Again does nothing.
	s.commit(batch)
	return nil
}

// foresee decides a batch on the memory and answers what to send, or nil when that cannot be done.
func (s *Store) foresee(batch []*waiting) *pgx.Batch {
	if err := s.loadAhead(batch); err != nil {
		s.memory.forget()
		return nil
	}
	h := s.memory.head
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level read committed")
	pipeline.Queue("SELECT ledger_lock($1, $2)", h.pos, s.writer)
	pipeline.Queue(byKey)
	s.decide(batch, &h)
	if err := s.recheckAhead(batch); err != nil {
		s.memory.forget()
		return nil
	}
	s.queueWrites(pipeline, batch, h)
	s.memory.keep(h)
	if !s.memory.valid {
		return nil
	}
	return pipeline
}

func (s *Store) recheckAhead(batch []*waiting) error {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return s.recheck(ctx, s.pool, batch, false)
}

// loadAhead fills the memory with what the batch needs and the memory lacks. What the flight before it is writing is
// in the memory, so nothing that is read here is about to change, unless by another process: ledger_lock finds out.
func (s *Store) loadAhead(batch []*waiting) error {
	pipeline := &pgx.Batch{}
	s.queueRefusals(pipeline, batch)
	s.queueMissing(pipeline, batch)
	if pipeline.Len() == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return s.pool.SendBatch(ctx, pipeline).Close()
}

// launch writes a batch and answers its callers, beside the appender.
func (s *Store) launch(batch []*waiting, pipeline *pgx.Batch) *flight {
	f := &flight{batch: batch, done: make(chan struct{})}
	go func() {
		defer close(f.done)
		ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
		defer cancel()
		conn, err := s.pool.Acquire(ctx)
		if err != nil {
			f.err = err
			return
		}
		defer conn.Release()
		if f.err = send(ctx, conn, pipeline); f.err != nil {
			rollback(conn)
			return
		}
		s.reply(batch)
	}()
	return f
}

// land waits for a flight and answers whether it was committed. One that was not is carried to its end here, and what
// was decided after it no longer holds.
func (s *Store) land(f *flight) bool {
	if f == nil {
		return true
	}
	<-f.done
	if f.err == nil {
		return true
	}
	err := f.err
	f.err = nil
	s.memory.forget()
	if isUnknown(err) {
		s.settle(f.batch, err)
	} else {
		s.contended = contention
		s.commit(f.batch)
	}
	return false
}
