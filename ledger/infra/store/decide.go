package store

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store/text"
	"adashi.ng/ledger/posting"
)

// decide runs every command of the batch against the memory, in order, and makes the records to write.
func (s *Store) decide(batch []*waiting, tip *Tip) {
	held := s.opt.Hold() // The hold may have begun while these waited.
	now := s.opt.Clock().UTC().Truncate(time.Microsecond)
	if held == nil && now.After(tip.RecordedAt) {
		tip.RecordedAt = now
	}
	for _, w := range batch {
		w.records, w.leaves, w.refused, w.unheard = nil, w.leaves[:0], false, false
		if before, ok := s.memory.key(w.command.ID); ok {
			w.outcome = before.repeat(w.command)
			continue
		}
		if w.ended {
			w.outcome = answer{err: fault.New(fault.Unauthenticated, "Your session has expired, please log in to continue")}
			continue
		}
		if held != nil {
			w.outcome, w.unheard = answer{err: held}, true
			continue
		}
		if wait := s.tries.Rest(w.command.Actor, tip.RecordedAt); wait > 0 && w.command.Keyed {
			w.outcome = answer{err: fault.Wait(wait)}
			continue
		}
		records, drafts, err := s.decideOne(&w.command, tip)
		if err != nil {
			w.outcome, w.unheard = answer{err: err}, true
			if f := fault.As(err); w.command.Keyed && f.Code != fault.Unavailable {
				f = text.Cleaned(f)
				w.refused, w.outcome = true, answer{err: f}
				s.tries.Note(w.command.Actor, tip.RecordedAt)
				s.memory.remember(w.command.ID, known{hash: w.command.Hash, err: f})
			}
			continue
		}
		w.records = records
		k := known{hash: w.command.Hash, records: roomFor(records)}
		for i := range records {
			tip.Leaf = event.LeafOf(k.keep(&records[i]))
			w.leaves = append(w.leaves, tip.Leaf)
		}
		w.outcome = answer{result: Result{Records: records, Decided: drafts}}
		s.memory.remember(w.command.ID, k)
	}
}

// decideOne decides one command. It leaves the memory unchanged unless it succeeds.
func (s *Store) decideOne(c *Command, tip *Tip) (_ []event.Record, _ []event.Draft, err error) {
	s.memory.undo = s.memory.undo[:0]
	snapshots := len(s.memory.snapshots)
	defer func() {
		if r := recover(); r != nil {
			err = broken(r)
		}
		if err == nil {
			return
		}
		for _, before := range slices.Backward(s.memory.undo) {
			s.memory.streams.Put(before.name, before.was)
		}
		s.memory.snapshots = s.memory.snapshots[:snapshots]
		if fault.As(err) == nil {
			err = undecided(c, tip.Pos, err)
		}
	}()
	at := event.Happened{EffectiveAt: c.effective(tip.RecordedAt), RecordedAt: tip.RecordedAt}
	drafts, err := s.drafts(c.Command, view{&s.memory}, at)
	if err != nil {
		return nil, nil, err
	}
	if len(drafts) == 0 {
		return nil, nil, errors.New("store: a command decided nothing")
	}
	records, err := s.records(c, drafts, tip.Pos, at)
	if err != nil {
		return nil, nil, err
	}
	for i := range records {
		if err := s.apply(&records[i], drafts[i]); err != nil {
			return nil, nil, err
		}
	}
	for i := range records {
		s.memory.post(&records[i])
	}
	tip.Pos += int64(len(records))
	return records, drafts, nil
}

// broken is the error for a panic in a decider or a fold: why a stream cannot be folded (see view), or a bug.
func broken(value any) error {
	if reason, ok := value.(stream); ok {
		return reason.broken
	}
	return &guard.Panicked{Value: value, Stack: debug.Stack()}
}

// ErrUndecided is the error of a command that no rule refuses but that cannot be decided, because of a bug or of data
// that this build does not know. Nothing was recorded.
var ErrUndecided = errors.New("store: the command cannot be decided")

// sorry is ErrUndecided in the words that the caller reads.
func sorry(cause error) error {
	return fmt.Errorf("%w %w: %w", fault.New(fault.Unavailable,
		"Something is wrong on our side with what this needs. Nothing was taken, and it was reported. Please try again later."), ErrUndecided, cause)
}

// undecided reports a command that cannot be decided, and why.
func undecided(c *Command, pos int64, cause error) error {
	attributes := []any{"command", fmt.Sprintf("%T", c.Command), "id", c.ID, "streams", namesOf(c), "after position", pos, "error", cause}
	var panicked *guard.Panicked
	if errors.As(cause, &panicked) {
		attributes = append(attributes, "stack", string(panicked.Stack))
	}
	slog.Error("ledger: a command cannot be decided; it failed alone", attributes...)
	return sorry(cause)
}

// namesOf returns the streams that a command names, if it can name them.
func namesOf(c *Command) (streams []string) {
	_ = guard.Call(func() error {
		streams = c.Streams()
		return nil
	})
	return streams
}

// view is the memory as a decider may see it.
type view struct{ m *memory }

func (v view) State(stream string) any {
	e, ok := v.m.streams.Get(stream)
	if !ok {
		panic(fmt.Sprintf("store: the stream %q was not named by its command", stream))
	}
	return e.whole()
}

// whole is the state of a stream. It panics with a stream that could not be folded; see broken.
func (e stream) whole() any {
	if e.broken != nil {
		panic(e)
	}
	return e.state
}

func (v view) Balance(account string) money.Kobo {
	balance, ok := v.m.balance(account)
	if !ok {
		panic(fmt.Sprintf("store: the account %q was not named by its command", account))
	}
	return balance
}

// records makes the rows of a command's drafts, with their versions, positions and resulting balances. It refuses
// drafts that would take a floored account below zero, and changes nothing.
func (s *Store) records(c *Command, drafts []event.Draft, pos int64, at event.Happened) ([]event.Record, error) {
	out := make([]event.Record, 0, len(drafts))
	for i, d := range drafts {
		e, ok := s.memory.streams.Get(d.Stream)
		if !ok {
			return nil, fmt.Errorf("store: %s wrote to %q without naming it", event.TypeOf(d.Message), d.Stream)
		}
		e.whole()
		body, err := proto.Marshal(d.Message)
		if err != nil {
			return nil, fmt.Errorf("store: encode %s: %w", event.TypeOf(d.Message), err)
		}
		if !text.InEvent(d.Message, body) {
			return nil, text.Err()
		}
		hash, err := event.Salted(c.Hash, s.opt.Random)
		if err != nil {
			return nil, fmt.Errorf("store: random bytes: %w", err)
		}
		lines := posting.Lines(d.Message)
		if err := s.balance(lines, out); err != nil {
			return nil, err
		}
		out = append(out, event.Record{
			Pos: pos + 1 + int64(i), Stream: d.Stream, Version: e.version + 1 + onStream(out, d.Stream), Type: event.TypeOf(d.Message),
			Command: c.ID, Seq: i, CommandHash: hash, Actor: c.Actor, Correlation: c.Correlation,
			EffectiveAt: at.EffectiveAt, RecordedAt: at.RecordedAt, Body: body, Lines: lines,
		})
	}
	return out, nil
}

// effective is the time from which the command counts: when it is recorded, unless it gives another.
func (c *Command) effective(recorded time.Time) time.Time {
	if c.EffectiveAt.IsZero() {
		return recorded
	}
	return c.EffectiveAt.UTC().Truncate(time.Microsecond)
}

// onStream counts a command's earlier records on a stream.
func onStream(earlier []event.Record, stream string) int64 {
	n := int64(0)
	for i := range earlier {
		if earlier[i].Stream == stream {
			n++
		}
	}
	return n
}

// balance sets the balance that each line leaves, after the command's earlier records.
func (s *Store) balance(lines []event.Line, earlier []event.Record) error {
	var sum money.Kobo
	for i := range lines {
		line := &lines[i]
		before, ok := s.before(line.Account, lines[:i], earlier)
		if !ok {
			return fmt.Errorf("store: a line on %q, which its command did not name", line.Account)
		}
		after, err := before.Add(line.Amount)
		if err != nil {
			return err
		}
		if after < 0 && line.Amount < 0 && posting.Floored(line.Account) {
			return fault.New(fault.Insufficient, "There is not enough money for this. Nothing was taken.")
		}
		if after > 0 && line.Amount > 0 && posting.Capped(line.Account) {
			return fault.New(fault.Conflict, "Less than this is owed. Nothing was taken.")
		}
		line.Balance = after
		sum += line.Amount
	}
	if sum != 0 {
		return fmt.Errorf("store: an event's lines sum to %d kobo", sum)
	}
	return nil
}

// before is an account's balance before a line. It comes from the lines before it in its event, else from the command's
// earlier records, else from the memory.
func (s *Store) before(account string, lines []event.Line, earlier []event.Record) (money.Kobo, bool) {
	for n := len(earlier); ; n-- {
		for i := len(lines) - 1; i >= 0; i-- {
			if lines[i].Account == account {
				return lines[i].Balance, true
			}
		}
		if n == 0 {
			break
		}
		lines = earlier[n-1].Lines
	}
	return s.memory.balance(account)
}

// apply folds a record into the memory.
func (s *Store) apply(r *event.Record, d event.Draft) error {
	a, err := s.fold(r.Stream)
	if err != nil {
		return err
	}
	was, _ := s.memory.streams.Get(r.Stream)
	e := stream{
		version: r.Version,
		state:   a.Evolve(was.state, event.Happened{Message: d.Message, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt}),
	}
	s.memory.undo = append(s.memory.undo, undone{r.Stream, was})
	s.memory.streams.Put(r.Stream, e)
	if e.version%int64(s.opt.Freeze) == 0 {
		s.memory.snapshot(a, r.Stream, e)
	}
	return nil
}
