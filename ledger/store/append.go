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
	// It was refused by the state just now, not by what is remembered of its key.
	unheard bool
}

type answer struct {
	result Result
	err    error
}

const (
	statementTimeout = 20 * time.Second
	retryPause       = 100 * time.Millisecond
	// contention is for how many batches an appender that met another process's writes takes the lock before deciding.
	contention = 16
	// byKey has every statement of a transaction go by key. A plan made while the tables were small, or before they
	// were ever analysed, would read them whole.
	byKey = "SELECT set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)"
)

// run is the appender. While one batch is on its way to the database it decides the next on the memory as that batch
// will leave it, taking in whatever comes until the one before has landed: see ahead.go.
func (s *Store) run() {
	defer close(s.stopped)
	var (
		flying *flight
		next   *foresight
	)
	for {
		queue := s.queue
		if next.size() >= s.opt.Batch {
			queue = nil // It goes first.
		}
		select {
		case w := <-queue:
			batch := s.fill([]*waiting{w}, s.opt.Batch-next.size())
			if next = s.foresee(next, batch); next.failed {
				s.land(flying)
				s.commit(next.batch)
				flying, next = nil, nil
			}
			if flying == nil && next != nil {
				flying, next = s.launch(next), nil
			}
		case <-flying.landed():
			flying, next = s.follow(flying, next), nil
		case <-s.stopping:
			s.land(s.follow(flying, next))
			for batch := s.fill(nil, s.opt.Batch); len(batch) > 0; batch = s.fill(nil, s.opt.Batch) {
				s.commit(batch)
			}
			return
		}
	}
}

// fill takes whatever waits, without waiting for more.
func (s *Store) fill(batch []*waiting, most int) []*waiting {
	for len(batch) < most {
		select {
		case w := <-s.queue:
			batch = append(batch, w)
		default:
			return batch
		}
	}
	return batch
}

// commit carries a batch to its end under the head's lock, alone: every caller is answered, whatever happens.
func (s *Store) commit(batch []*waiting) {
	err := s.try(batch, false)
	if isConstraint(err) || errors.Is(err, errRecorded) {
		// Most likely a key that was recorded before our memory of keys: look every key up this time.
		err = s.try(batch, true)
	}
	switch {
	case err == nil:
	case errors.Is(err, errBroken) && len(batch) == 1:
		// Its outcome says so already.
	case (isConstraint(err) || errors.Is(err, errBroken)) && len(batch) > 1:
		// Something in it cannot be written: find out which by writing each alone.
		slog.Error("ledger: a batch cannot be written; replaying singly", "commands", len(batch), "error", err)
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
		if errors.Is(err, errBroken) && len(batch) > 1 {
			for _, w := range batch {
				s.settle([]*waiting{w}, cause)
			}
			return
		}
		if errors.Is(err, errBroken) {
			s.reply(batch) // It was not recorded, and its outcome says why it cannot be.
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
			rollback(conn)
		}
	}()
	head, err := s.lockAndLoad(ctx, conn, batch, lookUp)
	if err != nil {
		return err
	}
	s.decide(batch, &head)
	if err := s.recheck(ctx, conn, batch, lookUp); err != nil {
		return err
	}
	return s.write(ctx, conn, batch, head)
}

var (
	errRecorded = errors.New("store: a command that would be refused was recorded before")
	errBroken   = errors.New("store: a command broke off half way")
)

// recheck looks over what was decided before any of it is written. What a broken fold left in the memory must not be.
// And a command that the state refuses now may have been recorded before our memory of keys: then its answer is the
// one of then, so the batch is to be decided again with every key looked up.
func (s *Store) recheck(ctx context.Context, conn *pgxpool.Conn, batch []*waiting, lookedUp bool) error {
	if s.memory.poisoned {
		return errBroken
	}
	refused := unheard(batch)
	if lookedUp || len(refused) == 0 {
		return nil
	}
	recorded := false
	err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM events WHERE command = ANY($1))", refused).Scan(&recorded)
	if err == nil && recorded {
		return errRecorded
	}
	return err
}

// unheard are the commands of the batch that the state refuses and whose ids their callers chose: those that might
// have been recorded before.
func unheard(batch []*waiting) [][16]byte {
	ids := [][16]byte{}
	for _, w := range batch {
		if w.unheard && w.command.Keyed {
			ids = append(ids, [16]byte(w.command.ID))
		}
	}
	return ids
}

// rollback ends a failed transaction. The context may be why it failed; the rollback gets its own.
func rollback(conn *pgxpool.Conn) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_, _ = conn.Exec(ctx, "rollback")
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
	pipeline.Queue(byKey)
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
	if writer != s.writer {
		s.contended = contention
	} else if s.contended > 0 {
		s.contended--
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
		s.memory.head = h
	}
	return h, nil
}

// write inserts what was decided and commits, in one round trip.
func (s *Store) write(ctx context.Context, conn *pgxpool.Conn, batch []*waiting, h head) error {
	pipeline := &pgx.Batch{}
	s.queueWrites(pipeline, batch, h)
	if err := send(ctx, conn, pipeline); err != nil {
		return err
	}
	s.memory.keep(h)
	return nil
}

// queueWrites is everything that a decided batch writes, and the commit.
func (s *Store) queueWrites(pipeline *pgx.Batch, batch []*waiting, h head) {
	if queueEvents(pipeline, batch) > 0 {
		s.queueBalances(pipeline)
		pipeline.Queue("UPDATE ledger_head SET pos = $1, writer = $2, recorded_at = $3", h.pos, s.writer, h.recordedAt)
	}
	queueRemembered(pipeline, batch, h.recordedAt)
	pipeline.Queue("commit")
}

// send sends a pipeline that ends with a commit. What is not an answer of Postgres's leaves it unknown; so does a FATAL
// one, which may come after the commit, as when the server is told to stop just then.
func send(ctx context.Context, conn *pgxpool.Conn, pipeline *pgx.Batch) error {
	err := conn.SendBatch(ctx, pipeline).Close()
	var pg *pgconn.PgError
	if err != nil && (!errors.As(err, &pg) || pg.SeverityUnlocalized != "ERROR") {
		return unknown{err}
	}
	return err
}

// decide runs every command of the batch against the memory, in order, and makes the rows to write.
func (s *Store) decide(batch []*waiting, h *head) {
	now := s.opt.Clock().UTC().Truncate(time.Microsecond)
	if now.After(h.recordedAt) {
		h.recordedAt = now
	}
	for _, w := range batch {
		w.rows, w.refused, w.unheard = w.rows[:0], false, false
		if before, ok := s.memory.key(w.command.ID); ok {
			w.outcome = before.repeat(w.command)
			continue
		}
		records, err := s.decideOne(&w.command, h)
		if err != nil {
			w.outcome, w.unheard = answer{err: err}, true
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
