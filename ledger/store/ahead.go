package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// A batch is decided while the one before it is still being written. No lock is held to decide: the memory holds what
// the batch before will leave, and the transaction itself makes sure, with ledger_lock, that nobody else wrote since.
// When anything is not as believed nothing was written, and the batch is decided again under the lock.

// foresight is a batch decided on what the ledger is about to be.
type foresight struct {
	batch  []*waiting
	from   head // Where the ledger must end when it is written.
	to     head // Where it ends then.
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
		next = &foresight{from: s.memory.head, to: s.memory.head}
	}
	next.batch = append(next.batch, batch...)
	if !s.memory.valid || s.contended > 0 {
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
// in the memory, so nothing that is read here is about to change, unless by another process: ledger_lock finds out.
func (s *Store) loadAhead(batch []*waiting) error {
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level read committed read only")
	pipeline.Queue(byKey)
	before := pipeline.Len()
	s.queueMissing(pipeline, batch)
	if pipeline.Len() == before {
		return nil
	}
	pipeline.Queue("commit")
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	return s.pool.SendBatch(ctx, pipeline).Close()
}

// launch writes what was foreseen and answers its callers, beside the appender.
func (s *Store) launch(next *foresight) *flight {
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level read committed")
	pipeline.Queue(byKey)
	pipeline.Queue("SELECT ledger_lock($1, $2, $3, $4)", next.from.pos, s.writer, newKeys(next.batch), unheard(next.batch))
	s.queueWrites(pipeline, next.batch, next.to)
	s.memory.keep(next.to)
	f := &flight{batch: next.batch, done: make(chan struct{})}
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
		s.reply(f.batch)
	}()
	return f
}

// newKeys are the keyed commands that are not known from the memory, and so might have been refused before.
func newKeys(batch []*waiting) [][16]byte {
	keys := make([][16]byte, 0, len(batch))
	for _, w := range batch {
		if w.command.Keyed && (len(w.rows) > 0 || w.refused) {
			keys = append(keys, [16]byte(w.command.ID))
		}
	}
	return keys
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
	if isUnknown(f.err) {
		s.settle(f.batch, f.err)
		return false
	}
	var pg *pgconn.PgError
	if errors.As(f.err, &pg) && pg.Code == "AD001" {
		s.contended = contention
	}
	s.commit(f.batch)
	return false
}
