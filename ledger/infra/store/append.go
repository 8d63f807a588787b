package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/refusals"
)

// waiting is a queued command and the channel for its answer.
type waiting struct {
	command Command
	answer  chan answer // Has room for one.
	since   clock.Watch
	// The streams and accounts that the command names, asked of it once.
	streams, accounts []string
	// How far the command has come: see progress.
	progress progress
	// The batch's outcome for this command; sent once the transaction committed.
	outcome answer
	// The records to write for it.
	records []event.Record
	leaves  [][32]byte
	// The refusal must be remembered.
	refused bool
	// The current state refused it; it was not a remembered refusal under its key.
	unheard bool
	// The session that asked for it has ended.
	ended bool
}

type answer struct {
	result Result
	err    error
}

const (
	statementTimeout = 20 * time.Second
	retryPause       = 100 * time.Millisecond
	// waitMax is how long a command may wait before the appender takes it.
	waitMax = 10 * time.Second
	// decideAtOnce is how many commands the appender decides before they join the next batch, since the batch in flight
	// may be answered meanwhile. Under the lock it decides as many as wait.
	decideAtOnce = 64
	// contention is for how many batches an appender locks before it decides, once it met another process's writes.
	contention = 16
)

// run is the appender. While one batch is in flight it decides the next on the memory as that batch will leave it, a
// few commands at a time, until the batch in flight is answered: see pipeline.go.
func (s *Store) run() {
	defer close(s.stopped)
	defer s.replying.Wait()
	var current *inFlight
	for {
		queue, room := s.queue, s.opt.Batch-s.next.size()
		if room <= 0 {
			queue = nil // Waiting commands go first.
		}
		// An answered batch comes first, so that the disk never idles. A select would choose between two ready channels
		// at random, and no simulation could repeat that.
		select {
		case <-current.finished():
			current = s.sendAfter(current)
			continue
		default:
		}
		select {
		case w := <-queue:
			if s.contended == 0 {
				room = min(room, decideAtOnce)
			}
			batch := s.fill(w, room)
			switch {
			case len(batch) == 0:
			case !s.decideAhead(batch):
				s.finish(current, batch)
				current = nil
			case current == nil:
				current = s.sendNext()
			}
		case <-current.finished():
			current = s.sendAfter(current)
		case <-s.next.taken:
		case <-s.stopping:
			s.finish(s.sendAfter(current), nil)
			s.drain()
			return
		}
	}
}

// fill takes all commands that wait behind the first, without waiting for more. It leaves out those whose callers gave
// up, and refuses those that have waited too long.
func (s *Store) fill(first *waiting, most int) []*waiting {
	var batch []*waiting
	for w := first; ; {
		switch late := w.since.Took() > waitMax; {
		case late && w.progress.to(queued, given):
			w.tell(answer{err: errBusy()})
		case w.progress.to(queued, taken):
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

// drain answers all callers who still wait.
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

// commit writes a batch under the head's lock and always answers every caller. It halves the batch to find a command
// that cannot be written, so that only that one fails; only an outage fails them all. It answers false for an outage.
func (s *Store) commit(batch []*waiting) bool {
	halved := false
	for parts := [][]*waiting{batch}; len(parts) > 0; {
		part := parts[0]
		err := s.attempt(&part, halved)
		n := len(part) / 2
		switch {
		case err == nil:
			s.reply(part)
		case errors.Is(err, ErrConstraint) && n > 0:
			slog.Warn("ledger: a batch cannot be written; it is halved to find out which command it is", "commands", len(part), "error", err)
			halved = true
			parts = append([][]*waiting{part[:n], part[n:]}, parts[1:]...)
			continue
		case errors.Is(err, ErrConstraint):
			part[0].outcome = answer{err: undecided(&part[0].command, s.memory.Pos, err)}
			s.reply(part)
		case errors.Is(err, ErrUnanswered):
			if s.settle(part, err) {
				break
			}
			refuse(parts[1:], errBusy())
			return false
		default:
			// The transaction ended before its commit was sent, so nothing was recorded.
			slog.Error("ledger: a batch could not be written", "commands", len(batch), "error", err)
			parts[0] = part
			refuse(parts, nothingTaken(err))
			return false
		}
		parts = parts[1:]
	}
	return true
}

// nothingTaken is the answer when a batch was not written.
func nothingTaken(err error) *fault.Fault {
	if errors.Is(err, ErrParted) {
		return fault.New(fault.Unavailable, "Our records were put back to an earlier time and are being looked at. Nothing was taken. Please try again later.")
	}
	return fault.New(fault.Unavailable, "We could not do this just now. Nothing was taken. Please try again shortly.")
}

// attempt tries to write a batch, again where another try may help. alone keeps other commands from joining it.
func (s *Store) attempt(batch *[]*waiting, alone bool) error {
	err := s.tryTaken(batch, false, alone)
	if isOutage(err) {
		// Most likely the connection was lost. Nothing was written, so try the batch once more over another connection.
		err = s.tryTaken(batch, false, alone)
	}
	if errors.Is(err, ErrConstraint) || errors.Is(err, ErrBefore) {
		// Most likely a key was recorded or refused before our memory of keys begins: look every key up this time.
		err = s.tryTaken(batch, true, alone)
	}
	return err
}

// tryTaken tries those commands of a batch whose callers have not given up.
func (s *Store) tryTaken(batch *[]*waiting, lookUp, alone bool) error {
	for {
		*batch = inHand(*batch)
		if len(*batch) == 0 {
			return nil
		}
		if err := s.try(context.Background(), batch, lookUp, alone); !errors.Is(err, errGivenUp) {
			return err
		}
	}
}

// isOutage reports an error that says nothing about the batch itself.
func isOutage(err error) bool {
	return err != nil && !errors.Is(err, ErrParted) && !errors.Is(err, ErrConstraint) && !errors.Is(err, ErrBefore) && !errors.Is(err, ErrUnanswered)
}

func (s *Store) reply(batch []*waiting) {
	for _, w := range batch {
		w.tell(w.outcome)
	}
	signal(s.committed)
	signal(s.unsettled)
}

// signal notifies the listener, once.
func signal(heard chan<- struct{}) {
	select {
	case heard <- struct{}{}:
	default:
	}
}

// try decides and writes a batch in one transaction, with the commands that joined it while it waited for the lock.
// After an error the caller may rely on nothing but that error.
func (s *Store) try(ctx context.Context, all *[]*waiting, lookUp, alone bool) (err error) {
	ctx, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	defer func() {
		if err != nil {
			s.memory.forget()
		}
	}()
	sent := false
	defer func() {
		if r := recover(); r != nil {
			slog.Error("ledger: a batch broke off", "panic", r, "stack", string(debug.Stack()))
			err = fmt.Errorf("%w: panic: %v", map[bool]error{false: ErrConstraint, true: ErrUnanswered}[sent], r)
		}
	}()
	tx, tip, err := s.lockAndLoad(ctx, *all, lookUp)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if s.contended > 0 && !alone && !lookUp {
		if err := s.join(ctx, tx, all); err != nil {
			return err
		}
	}
	batch := *all
	s.decide(batch, &tip)
	if err := s.recheck(ctx, tx, batch, lookUp); err != nil {
		return err
	}
	if !send(batch) {
		return errGivenUp
	}
	sent = true
	if err := tx.Commit(ctx, writes(batch, tip, s.memory.snapshots, s.opt.Sealing)); err != nil {
		return err
	}
	s.memory.keep(tip)
	return nil
}

// join adds the commands that came while another process had the lock: each turn at the lock carries as many as it can.
func (s *Store) join(ctx context.Context, tx Locked, batch *[]*waiting) error {
	had := len(*batch)
	for len(*batch) < s.opt.Batch {
		select {
		case w := <-s.queue:
			if w.progress.to(queued, taken) {
				*batch = append(*batch, w)
			}
			continue
		default:
		}
		break
	}
	joined := (*batch)[had:]
	need := s.need(joined)
	need.Sessions = sessions(joined)
	if need.empty() {
		return nil
	}
	found, err := tx.Load(ctx, need)
	if err == nil {
		s.take(need, found)
		end(joined, found.Ended)
	}
	return err
}

// recheck looks up the commands that the current state refuses before anything is written. Such a command may have been
// recorded before our memory of keys begins, and then its recorded answer counts. In that case the batch must be
// decided again with every key looked up.
func (s *Store) recheck(ctx context.Context, tx Locked, batch []*waiting, lookedUp bool) error {
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

// unheard returns the ids of the commands that the current state refuses and whose callers chose the id: those that
// might have been recorded before.
func unheard(batch []*waiting) []uuid.UUID {
	var ids []uuid.UUID
	for _, w := range batch {
		if w.unheard && w.command.Keyed {
			ids = append(ids, w.command.ID)
		}
	}
	return ids
}

// lockAndLoad opens the transaction, takes the head's lock and fills the memory with the data that the batch needs, in
// one round trip, or two when another process wrote since.
func (s *Store) lockAndLoad(ctx context.Context, batch []*waiting, lookUp bool) (_ Locked, _ Tip, err error) {
	if s.contended > 0 {
		s.catchUpAhead(ctx, batch)
	}
	need := s.need(batch)
	need.Tail, need.From = s.memory.valid && s.memory.Pos > 0, s.memory.Pos
	need.Settle = !s.memory.valid || s.distrust.Load()
	need.Sessions = sessions(batch)
	if lookUp {
		lookUpKeys(&need, batch)
	}
	tx, found, err := s.backend.Lock(ctx, need)
	if err != nil {
		return nil, Tip{}, err
	}
	tip := found.Tip
	end(batch, found.Ended)
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
		// Too much to follow. The streams loaded just now are right, but loading them again is cheaper than telling
		// them apart.
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
	s.take(need, found)
	return tx, tip, nil
}

// sessions returns the sessions that asked for the commands, each once.
func sessions(batch []*waiting) (ids []uuid.UUID) {
	seen := map[uuid.UUID]bool{uuid.Nil: true}
	for _, w := range batch {
		if id := w.command.Session; !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}

// end marks the commands whose sessions have ended.
func end(batch []*waiting, ended []uuid.UUID) {
	for _, w := range batch {
		w.ended = slices.Contains(ended, w.command.Session)
	}
}

// lookUpKeys makes the need ask for earlier records and refusals of the batch's own ids.
func lookUpKeys(n *Need, batch []*waiting) {
	for _, w := range batch {
		n.Recorded = append(n.Recorded, w.command.ID)
		if w.command.Keyed {
			n.Refused = append(n.Refused, w.command.ID)
		}
	}
}

// writes collects everything that a decided batch writes.
func writes(batch []*waiting, tip Tip, snapshots []Snapshot, key refusals.Key) Writes {
	w := Writes{Tip: tip, Snapshots: snapshots, Refused: unheard(batch)}
	var recorded []*waiting
	for _, one := range batch {
		if len(one.records) > 0 {
			w.Commands = append(w.Commands, Recorded{one.command.ID, one.records[0].Pos, len(one.records)})
			recorded = append(recorded, one)
		}
		for i := range one.records {
			w.Records = append(w.Records, &one.records[i])
		}
		w.Leaves = append(w.Leaves, one.leaves...)
		if one.refused {
			w.Refusals = append(w.Refusals, refusalOf(&one.command, fault.As(one.outcome.err), tip, key))
		}
	}
	w.Sessions = sessions(recorded)
	return w
}

// refusalOf is the row of a refused command, sealed.
func refusalOf(c *Command, f *fault.Fault, tip Tip, key refusals.Key) Refusal {
	seal := key.Seal(refusals.Row{
		Command: c.ID, Hash: c.Hash[:], Code: string(f.Code), Message: f.Message, Field: f.Field, RecordedAt: tip.RecordedAt, Actor: c.Actor,
	})
	return Refusal{c.ID, c.Hash, c.Actor, *f, seal}
}
