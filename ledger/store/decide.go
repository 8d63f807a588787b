package store

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/fault"
	"adashi.ng/ledger/money"
	"adashi.ng/ledger/posting"
)

// view is the memory as a decider may see it.
type view struct{ m *memory }

func (v view) State(stream string) any {
	e, ok := v.m.streams.get(stream)
	if !ok {
		panic(fmt.Sprintf("store: the stream %q was not named by its command", stream))
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

// records makes the rows of a command's drafts: versions, positions and balances as they will stand. It refuses what
// would take a floored account below zero, and changes nothing.
func (s *Store) records(c *Command, drafts []event.Draft, pos int64, at event.Happened) ([]event.Record, error) {
	out := make([]event.Record, 0, len(drafts))
	for i, d := range drafts {
		e, ok := s.memory.streams.get(d.Stream)
		if !ok {
			return nil, fmt.Errorf("store: %s wrote to %q without naming it", event.TypeOf(d.Message), d.Stream)
		}
		body, err := proto.Marshal(d.Message)
		if err != nil {
			return nil, fmt.Errorf("store: encode %s: %w", event.TypeOf(d.Message), err)
		}
		lines := posting.Lines(d.Message)
		if err := s.balance(lines, out); err != nil {
			return nil, err
		}
		out = append(out, event.Record{
			Pos: pos + 1 + int64(i), Stream: d.Stream, Version: e.version + 1 + onStream(out, d.Stream), Type: event.TypeOf(d.Message),
			Command: c.ID, Seq: i, CommandHash: c.Hash, Actor: c.Actor, Correlation: c.Correlation,
			EffectiveAt: at.EffectiveAt, RecordedAt: at.RecordedAt, Body: body, Lines: lines,
		})
	}
	return out, nil
}

// effective is when the command counts from: when it is recorded, unless it says otherwise.
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

// balance fills in what each line leaves its account at, after the command's earlier records.
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
		line.Balance = after
		sum += line.Amount
	}
	if sum != 0 {
		return fmt.Errorf("store: an event's lines sum to %d kobo", sum)
	}
	return nil
}

// before is an account's balance before a line: as the lines before it in its event left it, or the command's earlier
// records, or the memory.
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
	e, _ := s.memory.streams.get(r.Stream)
	e.version = r.Version
	e.state = a.Evolve(e.state, event.Happened{Message: d.Message, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt})
	s.memory.streams.put(r.Stream, e)
	if e.version%int64(s.opt.Freeze) == 0 {
		if err := s.memory.snapshot(a, r.Stream, e); err != nil {
			return err
		}
	}
	s.memory.post(r)
	return nil
}
