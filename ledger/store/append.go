package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
)

// waiting is a command and where its answer goes.
type waiting struct {
	command Command
	answer  chan answer
	// Taken by the appender, or given up by its caller: whoever is first.
	claimed atomic.Bool
	// What the batch came to for it; sent once the transaction committed.
	outcome answer
	// What there is to write for it.
	records []event.Record
	leaves  [][32]byte
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
	// helping is how many commands are decided before they are put behind a flight, which may land meanwhile. Under the
	// lock as many as can be are decided at a time.
	helping = 64
	// contention is for how many batches an appender that met another process's writes takes the lock before deciding.
	contention = 16
)

// run is the appender. While one batch is on its way to the database it decides the next on the memory as that batch
// will leave it, a little at a time, until the one before has landed: see ahead.go.
func (s *Store) run() {
	defer close(s.stopped)
	defer s.replying.Wait()
	var flying *flight
	for {
		queue, room := s.queue, s.opt.Batch-s.behind.size()
		if room <= 0 {
			queue = nil // What waits goes first.
		}
		// What has landed comes first: the disk is not to wait. And of two that are ready a select takes one by chance,
		// which no simulation could repeat.
		select {
		case <-flying.landed():
			flying = s.follow(flying)
			continue
		default:
		}
		select {
		case w := <-queue:
			if s.contended == 0 {
				room = min(room, helping)
			}
			batch := s.fill(w, room)
			switch {
			case len(batch) == 0:
			case !s.foresee(batch):
				s.land(flying)
				s.commitBehind(batch)
				flying = nil
			case flying == nil:
				flying = s.launch()
			}
		case <-flying.landed():
			flying = s.follow(flying)
		case <-s.behind.taken:
		case <-s.stopping:
			s.land(s.follow(flying))
			s.drain()
			return
		}
	}
}

// fill takes whatever waits behind the first, without waiting for more. It leaves out those whose callers gave up.
func (s *Store) fill(first *waiting, most int) []*waiting {
	var batch []*waiting
	for w := first; ; {
		if !w.claimed.Swap(true) {
			batch = append(batch, w)
		}
		if len(batch) >= most {
			return batch
		}
		select {
		case w = <-s.queue:
		default:
			return batch
		}
	}
}

// drain answers everybody who still waits.
func (s *Store) drain() {
	for {
		select {
		case w := <-s.queue:
			if batch := s.fill(w, s.opt.Batch); len(batch) > 0 {
				s.commit(batch)
			}
		default:
			return
		}
	}
}

// commit carries a batch to its end under the head's lock, alone: every caller is answered, whatever happens.
func (s *Store) commit(batch []*waiting) {
	err := s.try(&batch, false)
	if isOutage(err) {
		// Most likely the connection was lost. Nothing was written, so the batch may go once more over another.
		err = s.try(&batch, false)
	}
	if errors.Is(err, ErrConstraint) || errors.Is(err, ErrBefore) {
		// Most likely a key that was recorded or refused before our memory of keys: look every key up this time.
		err = s.try(&batch, true)
	}
	switch {
	case err == nil:
	case errors.Is(err, errBroken) && len(batch) == 1:
		// Its outcome says so already.
	case (errors.Is(err, ErrConstraint) || errors.Is(err, errBroken)) && len(batch) > 1:
		// Something in it cannot be written: find out which by writing each alone.
		slog.Error("ledger: a batch cannot be written; replaying singly", "commands", len(batch), "error", err)
		s.singly = true
		for _, w := range batch {
			s.commit([]*waiting{w})
		}
		s.singly = false
		return
	case errors.Is(err, ErrUnanswered):
		s.settle(batch, err)
		return
	case errors.Is(err, ErrParted):
		for _, w := range batch {
			w.outcome = answer{err: fault.New(fault.Unavailable, "Our records were put back to an earlier time and are being looked at. Nothing was taken. Please try again later.")}
		}
	default:
		// The transaction ended before its commit was sent, so nothing was recorded.
		slog.Error("ledger: a batch could not be written", "commands", len(batch), "error", err)
		for _, w := range batch {
			w.outcome = answer{err: fault.New(fault.Unavailable, "We could not do this just now. Nothing was taken. Please try again shortly.")}
		}
	}
	s.reply(batch)
}

// isOutage reports an error that says nothing of the batch itself.
func isOutage(err error) bool {
	return err != nil && !errors.Is(err, ErrParted) && !errors.Is(err, ErrConstraint) && !errors.Is(err, ErrBefore) && !errors.Is(err, ErrUnanswered) && !errors.Is(err, errBroken)
}

func (s *Store) reply(batch []*waiting) {
	for _, w := range batch {
		w.answer <- w.outcome
	}
	signal(s.committed)
	signal(s.unsettled)
}

// signal lets whoever listens know, once.
func signal(heard chan<- struct{}) {
	select {
	case heard <- struct{}{}:
	default:
	}
}

// settle finds out what became of a batch whose commit was not answered. Taking the head's lock first means that the
// lost transaction has ended, one way or the other.
func (s *Store) settle(batch []*waiting, cause error) {
	slog.Error("ledger: a commit was not answered; looking its commands up", "commands", len(batch), "error", cause)
	for range 50 {
		err := s.try(&batch, true)
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

// try decides and writes a batch in one transaction, with those who joined it while it waited for the lock. On an error
// nothing may be relied on but that error.
func (s *Store) try(all *[]*waiting, lookUp bool) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
	defer cancel()
	defer func() {
		if err != nil {
			s.memory.forget()
		}
	}()
	tx, tip, err := s.lockAndLoad(ctx, *all, lookUp)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if s.contended > 0 && !s.singly && !lookUp {
		if err := s.join(ctx, tx, all); err != nil {
			return err
		}
	}
	batch := *all
	s.decide(batch, &tip)
	if err := s.recheck(ctx, tx, batch, lookUp); err != nil {
		return err
	}
	if err := tx.Commit(ctx, writes(batch, tip, s.memory.snapshots)); err != nil {
		return err
	}
	s.memory.keep(tip)
	return nil
}

// join takes in whoever came while another process had the lock: each turn at it is to carry as many as it can.
func (s *Store) join(ctx context.Context, tx Locked, batch *[]*waiting) error {
	had := len(*batch)
	for len(*batch) < s.opt.Batch {
		select {
		case w := <-s.queue:
			if !w.claimed.Swap(true) {
				*batch = append(*batch, w)
			}
			continue
		default:
		}
		break
	}
	need := s.need((*batch)[had:])
	if need.empty() {
		return nil
	}
	found, err := tx.Load(ctx, need)
	if err != nil {
		return err
	}
	return s.take(need, found)
}

var errBroken = errors.New("store: a command broke off half way")

// recheck looks over what was decided before any of it is written. What a broken fold left in the memory must not be.
// And a command that the state refuses now may have been recorded before our memory of keys: then its answer is the
// one of then, so the batch is to be decided again with every key looked up.
func (s *Store) recheck(ctx context.Context, tx Locked, batch []*waiting, lookedUp bool) error {
	if s.memory.poisoned {
		return errBroken
	}
	refused := unheard(batch)
	if lookedUp || len(refused) == 0 {
		return nil
	}
	found, err := tx.Load(ctx, Need{Recorded: refused, Refused: refused})
	if err == nil && len(found.Recorded)+len(found.Archived)+len(found.Refusals) > 0 {
		return ErrBefore
	}
	return err
}

// unheard are the commands of the batch that the state refuses and whose ids their callers chose: those that might
// have been recorded before.
func unheard(batch []*waiting) []uuid.UUID {
	var ids []uuid.UUID
	for _, w := range batch {
		if w.unheard && w.command.Keyed {
			ids = append(ids, w.command.ID)
		}
	}
	return ids
}

// lockAndLoad opens the transaction, takes the head's lock and fills the memory with what the batch needs, in one
// round trip, or two when another process wrote since.
func (s *Store) lockAndLoad(ctx context.Context, batch []*waiting, lookUp bool) (_ Locked, _ Tip, err error) {
	if s.contended > 0 {
		s.catchUpAhead(ctx, batch)
	}
	need := s.need(batch)
	need.Tail, need.From = s.memory.valid && s.memory.Pos > 0, s.memory.Pos
	need.Settle = !s.memory.valid || s.distrust.Load()
	if lookUp {
		lookUpKeys(&need, batch)
	}
	tx, found, err := s.backend.Lock(ctx, need)
	if err != nil {
		return nil, Tip{}, err
	}
	tip := found.Tip
	defer func() {
		if err != nil {
			tx.Rollback()
		}
	}()
	moved := s.memory.valid && (tip.Pos != s.memory.Pos || tip.Leaf != s.memory.Leaf)
	if moved {
		s.contended = contention
	} else if s.contended > 0 {
		s.contended--
	}
	if moved && !s.catchUp(found.Tail, tip) {
		// Too much to follow. What was loaded just now is right, but cheaper to load again than to tell apart.
		s.memory.forget()
		need = s.need(batch)
		need.Settle = true
		if lookUp {
			lookUpKeys(&need, batch)
		}
		if found, err = tx.Load(ctx, need); err != nil {
			return nil, Tip{}, err
		}
	}
	s.memory.Tip = tip
	return tx, tip, s.take(need, found)
}

// lookUpKeys adds what is known in the database of the batch's own ids.
func lookUpKeys(n *Need, batch []*waiting) {
	for _, w := range batch {
		n.Recorded = append(n.Recorded, w.command.ID)
		if w.command.Keyed {
			n.Refused = append(n.Refused, w.command.ID)
		}
	}
}

// decide runs every command of the batch against the memory, in order, and makes the records to write.
func (s *Store) decide(batch []*waiting, tip *Tip) {
	now := s.opt.Clock().UTC().Truncate(time.Microsecond)
	if now.After(tip.RecordedAt) {
		tip.RecordedAt = now
	}
	for _, w := range batch {
		w.records, w.leaves, w.refused, w.unheard = nil, w.leaves[:0], false, false
		if before, ok := s.memory.key(w.command.ID); ok {
			w.outcome = before.repeat(w.command)
			continue
		}
		records, err := s.decideOne(&w.command, tip)
		if err != nil {
			w.outcome, w.unheard = answer{err: err}, true
			if f := fault.As(err); f != nil && w.command.Keyed && f.Code != fault.Unavailable {
				w.refused = true
				s.memory.remember(w.command.ID, known{hash: w.command.Hash, err: err})
			}
			continue
		}
		w.records = records
		k := known{hash: w.command.Hash}
		for i := range records {
			tip.Leaf = event.LeafOf(k.keep(&records[i]))
			w.leaves = append(w.leaves, tip.Leaf)
		}
		w.outcome = answer{result: Result{Records: records}}
		s.memory.remember(w.command.ID, k)
	}
}

// decideOne decides one command. Nothing of the memory changes unless it succeeds.
func (s *Store) decideOne(c *Command, tip *Tip) (_ []event.Record, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.memory.poisoned = true
			err = fmt.Errorf("store: deciding a %T: %v", c.Command, r)
		}
	}()
	at := event.Happened{EffectiveAt: c.effective(tip.RecordedAt), RecordedAt: tip.RecordedAt}
	drafts, err := s.drafts(c.Command, view{&s.memory}, at)
	if err != nil {
		return nil, err
	}
	if len(drafts) == 0 {
		return nil, errors.New("store: a command decided nothing")
	}
	records, err := s.records(c, drafts, tip.Pos, at)
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
	tip.Pos += int64(len(records))
	return records, nil
}

// writes is all that a decided batch writes.
func writes(batch []*waiting, tip Tip, snapshots []Snapshot) Writes {
	w := Writes{Tip: tip, Snapshots: snapshots, Refused: unheard(batch)}
	for _, one := range batch {
		if len(one.records) > 0 {
			w.Commands = append(w.Commands, Recorded{one.command.ID, one.records[0].Pos, len(one.records)})
		}
		for i := range one.records {
			w.Records = append(w.Records, &one.records[i])
		}
		w.Leaves = append(w.Leaves, one.leaves...)
		if one.refused {
			w.Refusals = append(w.Refusals, Refusal{one.command.ID, one.command.Hash, *fault.As(one.outcome.err)})
		}
	}
	return w
}
