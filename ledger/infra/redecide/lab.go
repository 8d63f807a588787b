package redecide

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Edit is one change to history: the command of the event at Position never came, or came with another amount, or at
// another time; or new commands came at At.
type Edit struct {
	Position int64
	Absent   bool
	Amount   money.Kobo      // Of the event; zero to keep it.
	At       time.Time       // When it counts and comes; zero to keep the time.
	Insert   []event.Command // Instead of a position.
}

// Lab is a subject's events with the edits to try on them: it shows what would have happened.
type Lab struct {
	Aggregates []event.Aggregate
	Wishes     Wishes
	// Stream answers all records of a stream up to the end of the lab; Balance an account's balance before a position.
	Stream  func(name string) ([]event.Record, error)
	Balance func(account string, before int64) (money.Kobo, error)
	Jobs    Jobs
	// Part reports whether an event is edited by itself, without the other events of its command.
	Part func(m proto.Message) bool
	// Alike reports whether two events have the same effect, so that the difference needs no line. May be nil.
	Alike   func(a, b proto.Message) bool
	Records []event.Record // All events of each command that concerns the subject, in order.
	Edits   []Edit
	Until   time.Time // When the lab ends.
}

// Kind says how an outcome in the lab differs from the record.
type Kind string

// The kinds.
const (
	Edited    Kind = "EDITED"    // As the edit changed it.
	Refused   Kind = "REFUSED"   // The rules would have refused it, and why.
	Otherwise Kind = "OTHERWISE" // It would have had another outcome.
	New       Kind = "NEW"       // It would have been recorded, and never was.
	Drift     Kind = "DRIFT"     // Today's rules decide differently from the record, even without an edit.
	Undecided Kind = "UNDECIDED" // The command is not known, and the event as recorded would be impossible.
)

// Line is a difference.
type Line struct {
	Kind     Kind
	Position int64 // Of the first recorded event; 0 if none was recorded.
	At       time.Time
	Was      []proto.Message
	Would    []event.Draft
	Why      string
}

// Change is the final state of a stream or an account as it was, and as it would have been.
type Change[T any] struct{ Was, Would T }

// Found is the result of a lab.
type Found struct {
	Events, Decided int // How many events there are, and how many of them the rules decided again.
	Lines           []Line
	Balances        map[string]Change[money.Kobo]
	States          map[string]Change[json.RawMessage]
	// FollowedUntil is the time up to which the jobs were followed, if that was before the lab's end; zero otherwise.
	FollowedUntil time.Time
}

// PositionError is returned for an edit of an event that the lab does not have.
type PositionError struct{ Position int64 }

func (e *PositionError) Error() string {
	return fmt.Sprintf("redecide: no event at position %d", e.Position)
}

// track is a stream as it was, and as it would have been.
type track struct {
	fold       event.Aggregate
	was, would any
	others     []event.Record // The records of commands that do not concern the subject.
}

// lab is a running Lab.
type lab struct {
	Lab
	folds     map[string]event.Aggregate
	tracks    map[string]*track
	watched   map[string]*watched // The streams that jobs read, by their name from Jobs.Together.
	otherwise map[string]bool     // Those of them that differ from the record.
	own       map[[16]byte]bool
	delta     map[string]money.Kobo // How much more accounts would hold than they did.
	before    map[string]money.Kobo // The recorded balances, where known, before the command in hand.
	pos       int64                 // The lab's current position: it has gone through the events before this one.
	edits     map[int64]Edit
	others    map[int64]event.Command // The commands in place of edited events; the first run, without edits, fills it.
	inserts   []Edit                  // Sorted by time.
	applied   []string                // The streams of the events since the last comparison.
	news      []proto.Message         // The messages recorded in the lab since the last look.
	days      int                     // How many days of jobs were followed.
	found     Found
	err       error // From a view.
}

// Run runs the lab. Without edits nothing differs, unless today's rules decide differently from those that were in
// force. It fails with a *PositionError, and with a fault for an edit that cannot be made.
func (l Lab) Run() (Found, error) {
	l.Balance = once(l.Balance)
	others := map[int64]event.Command{}
	for _, e := range l.Edits {
		if len(e.Insert) > 0 {
			continue
		}
		if !slices.ContainsFunc(l.Records, func(r event.Record) bool { return r.Pos == e.Position }) {
			return Found{}, &PositionError{e.Position}
		}
		others[e.Position] = nil
	}
	if len(others) > 0 { // Only a run without edits shows which command an event came from.
		if _, err := l.start(nil, others).done(); err != nil {
			return Found{}, err
		}
	}
	return l.start(l.Edits, others).done()
}

func (l Lab) start(edits []Edit, others map[int64]event.Command) *lab {
	w := &lab{
		Lab: l, folds: map[string]event.Aggregate{}, tracks: map[string]*track{}, watched: map[string]*watched{}, otherwise: map[string]bool{},
		own: map[[16]byte]bool{}, delta: map[string]money.Kobo{}, edits: map[int64]Edit{},
		others: others, found: Found{Events: len(l.Records), Balances: map[string]Change[money.Kobo]{}, States: map[string]Change[json.RawMessage]{}},
	}
	for _, a := range l.Aggregates {
		w.folds[a.Category] = a
	}
	for i := range l.Records {
		w.own[l.Records[i].Command] = true
	}
	for _, e := range edits {
		if len(e.Insert) == 0 {
			w.edits[e.Position] = e
		}
		if len(e.Insert) == 0 && !e.At.IsZero() {
			e.Insert = []event.Command{others[e.Position]}
		}
		if len(e.Insert) > 0 {
			w.inserts = append(w.inserts, e)
		}
	}
	slices.SortStableFunc(w.inserts, func(a, b Edit) int { return a.At.Compare(b.At) })
	return w
}

func (w *lab) done() (Found, error) {
	err := guard.Call(w.run)
	if err == nil {
		err = w.err
	}
	return w.found, err
}

func (w *lab) run() error {
	for from := 0; from < len(w.Records); {
		to := from + 1
		for to < len(w.Records) && w.Records[to].Command == w.Records[from].Command {
			to++
		}
		if err := w.command(w.Records[from:to]); err != nil {
			return err
		}
		from = to
	}
	w.pos = 1 << 62
	clear(w.before)
	for len(w.inserts) > 0 {
		w.insert()
	}
	for _, name := range slices.Sorted(maps.Keys(w.watched)) {
		w.follow(name, w.Until)
	}
	slices.SortStableFunc(w.found.Lines, func(a, b Line) int { return a.At.Compare(b.At) })
	return w.compare()
}

// time brings the lab up to the time of some events. First it makes the insertions that count before one of them on a
// stream that they read, and runs the jobs due by then for the streams of the events.
func (w *lab) time(events []Recorded) {
	for _, e := range events {
		w.bring(w.together(e.Stream), e.EffectiveAt)
	}
}

// insert makes the first insertion. The remaining ones count from the same time or later.
func (w *lab) insert() {
	e := w.inserts[0]
	w.inserts = slices.Clone(w.inserts[1:])
	line := Line{Kind: Edited, Position: e.Position, At: e.At}
	for _, c := range e.Insert {
		for _, name := range c.Streams() {
			w.follow(w.together(name), e.At)
		}
		drafts, err := w.decide(c, true)
		if err != nil {
			line.Kind, line.Why = Refused, sentence(err)
			break
		}
		w.apply(drafts, e.At, e.At)
		line.Would = append(line.Would, drafts...)
	}
	w.part(e.At)
	w.tell(line)
	w.atOnce(e.At)
}

// tell adds a difference.
func (w *lab) tell(l Line) { w.found.Lines = append(w.found.Lines, l) }
