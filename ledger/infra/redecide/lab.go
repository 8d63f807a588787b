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

// Edit is one thing that is taken to have been otherwise: the command of the event at Position never came, or came with
// another amount, or at another time; or commands came that never did, at At.
type Edit struct {
	Position int64
	Absent   bool
	Amount   money.Kobo      // Of the event; zero for the one that it has.
	At       time.Time       // When it counts from and comes; zero for when it did.
	Insert   []event.Command // Instead of a position.
}

// Lab are a subject's events and what is taken to have been otherwise.
type Lab struct {
	Aggregates []event.Aggregate
	Wishes     Wishes
	// Stream answers all records of a stream up to the end of the lab; Balance what an account held before a position.
	Stream  func(name string) ([]event.Record, error)
	Balance func(account string, before int64) (money.Kobo, error)
	Jobs    Jobs
	// Part reports whether an event is edited by itself, and leaves what else its command came to.
	Part func(m proto.Message) bool
	// Alike reports whether two events do the same, whatever else they tell: that is no line then. Nil for none.
	Alike   func(a, b proto.Message) bool
	Records []event.Record // All events of each command that concerns the subject, in order.
	Edits   []Edit
	Until   time.Time // When the lab ends.
}

// Kind is how what would have followed differs from what is recorded.
type Kind string

// The kinds.
const (
	Edited    Kind = "EDITED"    // As an edit says.
	Refused   Kind = "REFUSED"   // The rules would have refused it, and why.
	Otherwise Kind = "OTHERWISE" // It would have come out otherwise.
	New       Kind = "NEW"       // It would have followed, and never came.
	Drift     Kind = "DRIFT"     // The rules of today come to something else than is recorded, without any edit.
	Undecided Kind = "UNDECIDED" // Nothing is known of its command, and as it is recorded it could not have been.
)

// Line is a difference.
type Line struct {
	Kind     Kind
	Position int64 // Of the first event that is recorded; 0 for what never came.
	At       time.Time
	Was      []proto.Message
	Would    []event.Draft
	Why      string
}

// Change is what a stream or an account was at the end, and what it would have been.
type Change[T any] struct{ Was, Would T }

// Found is what a lab came to.
type Found struct {
	Events, Decided int // How many there are, and how many of them the rules decided again.
	Lines           []Line
	Balances        map[string]Change[money.Kobo]
	States          map[string]Change[json.RawMessage]
	// FollowedUntil is up to when what jobs would do was followed, where that ended before the lab did; zero otherwise.
	FollowedUntil time.Time
}

// PositionError is returned for an edit of an event that the lab does not have.
type PositionError struct{ Position int64 }

func (e *PositionError) Error() string {
	return fmt.Sprintf("redecide: no event at position %d", e.Position)
}

// track is a stream as it was and as it would have been.
type track struct {
	fold       event.Aggregate
	was, would any
	others     []event.Record // Those of commands that do not concern the subject.
}

// lab is a Lab at work.
type lab struct {
	Lab
	folds     map[string]event.Aggregate
	tracks    map[string]*track
	watched   map[string]*watched // What jobs look at, by what Jobs.Together calls it.
	otherwise map[string]bool     // What of it came out otherwise.
	own       map[[16]byte]bool
	delta     map[string]money.Kobo // By how much accounts would hold more than they did.
	before    map[string]money.Kobo // What accounts held, as far as it is known, before what is in hand of a command.
	pos       int64                 // Where the lab stands: before this one.
	edits     map[int64]Edit
	others    map[int64]event.Command // What came instead of edited events; kept by the first run, without edits.
	inserts   []Edit                  // In the order of their time.
	applied   []string                // The streams that events came on since it was last looked which came out otherwise.
	news      []proto.Message         // What came on them in the world of the lab.
	days      int                     // For which jobs were followed.
	found     Found
	err       error // Of a view.
}

// Run goes through the lab. Without edits nothing differs, unless the rules of today decide otherwise than those that
// were in force. It fails with a *PositionError, and with a fault for an edit that cannot be made.
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
	if len(others) > 0 { // What came of an event is known only where it came.
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

// time lets the time pass until some events count: first comes what was inserted and counts before one of them on a
// stream that it reads, and jobs do what they do by then about the streams of the events.
func (w *lab) time(events []Recorded) {
	for _, e := range events {
		w.bring(w.together(e.Stream), e.EffectiveAt)
	}
}

// insert has the first of what was inserted come. The others count from the same time or later.
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

// tell notes a difference.
func (w *lab) tell(l Line) { w.found.Lines = append(w.found.Lines, l) }
