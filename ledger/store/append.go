package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
)

// waiting is a command and where its answer goes.
type waiting struct {
	command Command
	answer  chan answer
	// What the batch came to for it; sent once the transaction committed.
	outcome answer
	// Draft rows to write.
	rows []row
	// The refusal is to be remembered.
	refused bool
}

type answer struct {
	result Result
	err    error
}

const (
	statementTimeout = 20 * time.Second
	retryPause       = 100 * time.Millisecond
)

// run is the appender.
func (s *Store) run() {
	defer close(s.stopped)
	batch := make([]*waiting, 0, s.opt.Batch)
	for {
		batch = batch[:0]
		select {
		case w := <-s.queue:
			batch = append(batch, w)
		case <-s.stopping:
			s.drain()
			return
		}
		batch = s.fill(batch)
		s.commit(batch)
	}
}

// fill takes whatever waits, without waiting for more.
func (s *Store) fill(batch []*waiting) []*waiting {
	for len(batch) < s.opt.Batch {
		select {
		case w := <-s.queue:
			batch = append(batch, w)
		default:
			return batch
		}
	}
	return batch
}

func (s *Store) drain() {
	for {
		batch := s.fill(nil)
		if len(batch) == 0 {
			return
		}
		s.commit(batch)
	}
}

// commit carries a batch to its end: every caller is answered, whatever happens.
func (s *Store) commit(batch []*waiting) {
	err := s.try(batch, false)
	if isConstraint(err) {
		// Most likely a key that was recorded before our memory of keys: look every key up this time.
		err = s.try(batch, true)
	}
	switch {
	case err == nil:
	case isConstraint(err) && len(batch) > 1:
		// Something in it cannot be written: find out which by writing each alone.
		slog.Error("ledger: a batch was refused by the database; replaying singly", "commands", len(batch), "error", err)
		for _, w := range batch {
			s.commit([]*waiting{w})
		}
		return
	case isUnknown(err):
		s.settle(batch, err)
		return
	default:
		// The transaction ended before its commit was sent, so nothing was recorded.
		slog.Error("ledger: a batch could not be written", "commands", len(batch), "error", err)
		for _, w := range batch {
			w.outcome = answer{err: fault.New(fault.Unavailable, "We could not do this just now. Nothing was taken. Please try again shortly.")}
		}
	}
	s.reply(batch)
}

func (s *Store) reply(batch []*waiting) {
	for _, w := range batch {
		w.answer <- w.outcome
	}
	select {
	case s.committed <- struct{}{}:
	default:
	}
}

// unknown marks an error after COMMIT was sent and before its answer was read. pgx may call such an error safe to
// retry although the transaction is committed, so only a Postgres error counts as an answer.
type unknown struct{ error }

func isUnknown(err error) bool {
	var u unknown
	return errors.As(err, &u)
}

func isConstraint(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && len(pg.Code) == 5 && pg.Code[:2] == "23"
}

// settle finds out what became of a batch whose commit was not answered. Taking the head's lock first means that the
// lost transaction has ended, one way or the other.
func (s *Store) settle(batch []*waiting, cause error) {
	slog.Error("ledger: a commit was not answered; looking its commands up", "commands", len(batch), "error", cause)
	for range 50 {
		err := s.try(batch, true)
		if err == nil {
			s.reply(batch)
			return
		}
		slog.Error("ledger: still not known", "error", err)
		time.Sleep(retryPause)
	}
	for _, w := range batch {
		w.outcome = answer{err: fmt.Errorf("%w: %w", ErrUnknown, cause)}
	}
	s.reply(batch)
}

// try decides and writes a batch in one transaction. On an error nothing may be relied on but that error.
func (s *Store) try(batch []*waiting, lookUp bool) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	conn, err := s.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	defer func() {
		if err != nil {
			s.memory.forget()
			// The context may be why it failed; the rollback gets its own.
			rollback, cancel := context.WithTimeout(context.Background(), time.Second)
			defer cancel()
			_, _ = conn.Exec(rollback, "rollback")
		}
	}()
	head, err := s.lockAndLoad(ctx, conn, batch, lookUp)
	if err != nil {
		return err
	}
	s.decide(batch, &head)
	return s.write(ctx, conn, batch, head)
}

// head is the ledger's end as this transaction holds it.
type head struct {
	pos        int64
	recordedAt time.Time
}

// lockAndLoad opens the transaction, takes the head's lock and fills the memory with what the batch needs, in one
// round trip, or two when another process wrote since.
func (s *Store) lockAndLoad(ctx context.Context, conn *pgxpool.Conn, batch []*waiting, lookUp bool) (head, error) {
	var (
		h      head
		writer int64
	)
	pipeline := &pgx.Batch{}
	pipeline.Queue("begin isolation level read committed")
	// Every statement here goes by key. A plan made while the tables were small, or before they were ever analysed,
	// would read them whole.
	pipeline.Queue("SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)")
	pipeline.Queue("SELECT pos, writer, recorded_at FROM ledger_head FOR UPDATE").QueryRow(func(row pgx.Row) error {
		return row.Scan(&h.pos, &writer, &h.recordedAt)
	})
	s.queueRefusals(pipeline, batch)
	if lookUp {
		s.queueKeys(pipeline, batch)
	}
	s.queueMissing(pipeline, batch)
	if err := conn.SendBatch(ctx, pipeline).Close(); err != nil {
		return h, err
	}
	if writer != s.writer || h.pos != s.memory.pos {
		// Somebody else wrote: what was kept is stale. What was loaded just now is right, but cheaper to load again
		// than to tell apart.
		s.memory.forget()
		pipeline = &pgx.Batch{}
		if lookUp {
			s.queueKeys(pipeline, batch)
		}
		s.queueRefusals(pipeline, batch)
		s.queueMissing(pipeline, batch)
		if err := conn.SendBatch(ctx, pipeline).Close(); err != nil {
			return h, err
		}
		s.memory.pos = h.pos
	}
	return h, nil
}

// write inserts what was decided and commits, in one round trip.
func (s *Store) write(ctx context.Context, conn *pgxpool.Conn, batch []*waiting, h head) error {
	pipeline := &pgx.Batch{}
	events := queueEvents(pipeline, batch)
	s.queueBalances(pipeline)
	refusals := queueRemembered(pipeline, batch, h.recordedAt)
	if events > 0 {
		pipeline.Queue("UPDATE ledger_head SET pos = $1, writer = $2, recorded_at = $3", h.pos, s.writer, h.recordedAt)
	} else if refusals == 0 {
		_, err := conn.Exec(ctx, "rollback")
		return err
	}
	pipeline.Queue("commit")
	if err := conn.SendBatch(ctx, pipeline).Close(); err != nil {
		var pg *pgconn.PgError
		if errors.As(err, &pg) {
			return err
		}
		return unknown{err}
	}
	s.memory.keep(h.pos)
	return nil
}

// decide runs every command of the batch against the memory, in order, and makes the rows to write.
func (s *Store) decide(batch []*waiting, h *head) {
	now := s.opt.Clock().UTC().Truncate(time.Microsecond)
	if now.After(h.recordedAt) {
		h.recordedAt = now
	}
	for _, w := range batch {
		w.rows, w.refused = w.rows[:0], false
		if before, ok := s.memory.key(w.command.ID); ok {
			w.outcome = before.repeat(w.command)
			continue
		}
		records, err := s.decideOne(&w.command, h)
		if err != nil {
			w.outcome = answer{err: err}
			if f := fault.As(err); f != nil && w.command.Keyed && f.Code != fault.Unavailable {
				w.refused = true
				s.memory.remember(w.command.ID, known{hash: w.command.Hash, err: err})
			}
			continue
		}
		for i := range records {
			w.rows = append(w.rows, row{&records[i], records[i].Leaf()})
		}
		w.outcome = answer{result: Result{Records: records}}
		s.memory.remember(w.command.ID, known{hash: w.command.Hash, records: records})
	}
}

// decideOne decides one command. Nothing of the memory changes unless it succeeds.
func (s *Store) decideOne(c *Command, h *head) (_ []event.Record, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.memory.poisoned = true
			err = fmt.Errorf("store: deciding a %T: %v", c.Command, r)
		}
	}()
	drafts, err := c.Decide(view{&s.memory})
	if err != nil {
		return nil, err
	}
	if len(drafts) == 0 {
		return nil, errors.New("store: a command decided nothing")
	}
	records, err := s.records(c, drafts, h)
	if err != nil {
		return nil, err
	}
	for i := range records {
		if err := s.apply(&records[i], drafts[i]); err != nil {
			// A fold that fails leaves the memory unsure; the next batch reads afresh.
			s.memory.poisoned = true
			return nil, err
		}
	}
	h.pos += int64(len(records))
	return records, nil
}
