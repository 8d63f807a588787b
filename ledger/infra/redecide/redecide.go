// Package redecide decides history again: it gives the rules the command that each recorded event must have come from,
// as the ledger stood in front of it, and holds what they decide against what is recorded. So an event is found that
// the rules would not have allowed, however well its hashes, balances and transitions fit, and a change of the rules
// that would rewrite the past.
//
// A command is not recorded; a Wish makes it from its events. What no wish is known for is taken as it is recorded, and
// counted, so that nobody takes it for decided.
package redecide

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
)

// Recorded is an event as a wish sees it.
type Recorded struct {
	Stream                  string
	Type                    string // As which it is recorded; the message is of its latest version.
	Message                 proto.Message
	EffectiveAt, RecordedAt time.Time

	body []byte
	pos  int64
	read func(pos int64) (event.Record, error)
}

// Original is an event that this one names by its position, and whether it can be read: a wish of a command that comes
// with it is none without.
func (r Recorded) Original(pos int64) (event.Record, bool) {
	if r.read == nil {
		return event.Record{}, false
	}
	original, err := r.read(pos)
	return original, err == nil
}

// Wish answers the commands that some events may have come from, which were recorded by one command: at is the one that
// it is asked about, and there may be others in front of it. The first that comes to what is recorded is taken.
type Wish func(v event.View, events []Recorded, at int) []event.Command

// Whole is a view of all that was recorded so far: it knows which streams there are.
type Whole interface {
	event.View
	// Each hears of the streams of a category, in no order.
	Each(category string, hears func(name string, state any))
}

// Wishes are those of each type of event.
type Wishes map[reflect.Type]Wish

// Options are what is decided again.
type Options struct {
	Aggregates []event.Aggregate
	Wishes     Wishes
	// Behind reports whether an event only comes behind others of its command, and never by itself. Nil for none.
	Behind func(m proto.Message) bool
	// Read answers the event at a position, for commands that come with one. Without it they are not decided again.
	Read func(pos int64) (event.Record, error)
	// Again hears of each command that its events were decided by, with the ledger in front of it and the position of
	// the first of them: for questions about what else it could have come to. Nil for nobody.
	Again func(v Whole, c event.Command, pos int64, events []Recorded)
	// Differs hears of each event, by the first position of its command, that the rules would not have decided so.
	Differs func(pos int64, why string)
}

// Result is how much was decided again.
type Result struct {
	Events  int64            // All that were read.
	Decided int64            // Those that the rules came to again.
	Taken   map[string]int64 // How many were taken as they are recorded, by type.
}

// lookedAt is how far behind the first event of a command the one may stand that tells which command it was.
const lookedAt = 24

// Run decides all events up to a position again. It holds the states of all streams. It fails with a
// *history.ArchivedError where events are archived.
func Run(ctx context.Context, conn *pgx.Conn, to int64, opt Options) (Result, error) {
	w := &world{opt: opt, folds: map[string]event.Aggregate{}, states: map[string]any{}, balances: map[string]money.Kobo{}}
	w.result.Taken = map[string]int64{}
	for _, a := range opt.Aggregates {
		w.folds[a.Category] = a
	}
	err := history.Scan(ctx, conn, 1, to, func(records []event.Record) error {
		for i := range records {
			if err := w.take(&records[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = w.decideAll()
	}
	return w.result, err
}

// world is the ledger as it stands in front of the command in hand.
type world struct {
	opt      Options
	folds    map[string]event.Aggregate
	states   map[string]any
	balances map[string]money.Kobo
	command  [16]byte
	events   []Recorded // Of the command in hand.
	lines    [][]event.Line
	unknown  bool // Of the command in hand something was taken as it is recorded, and more of it may follow.
	result   Result
}

// take gathers the events of a command, and decides them once the next command begins.
func (w *world) take(r *event.Record) error {
	if len(w.events) > 0 && w.command != r.Command {
		if err := w.decideAll(); err != nil {
			return err
		}
	}
	m, err := r.Message()
	if err != nil {
		return fmt.Errorf("position %d: %w", r.Pos, err)
	}
	w.command = r.Command
	lines := make([]event.Line, len(r.Lines))
	for i, line := range r.Lines {
		lines[i] = event.Line{Account: strings.Clone(line.Account), Amount: line.Amount, Balance: line.Balance}
	}
	w.lines = append(w.lines, lines)
	w.events = append(w.events, Recorded{strings.Clone(r.Stream), strings.Clone(r.Type), m, r.EffectiveAt, r.RecordedAt, bytes.Clone(r.Body), r.Pos, w.opt.Read})
	return nil
}

// decideAll decides the events of the command in hand, of which a bulk holds several commands one after the other.
func (w *world) decideAll() error {
	w.result.Events, w.unknown = w.result.Events+int64(len(w.events)), false
	for from := 0; from < len(w.events); {
		n, err := w.decide(from)
		if err != nil {
			return err
		}
		for i := from; i < from+n; i++ {
			if err := w.fold(i); err != nil {
				return err
			}
		}
		from += n
	}
	w.events, w.lines = w.events[:0], w.lines[:0]
	return nil
}

// decide answers how many events, from one on, a command comes to. Where there is no wish, one is taken as it is
// recorded.
func (w *world) decide(from int) (int, error) {
	rest := w.events[from:]
	wished, why := false, ""
	for at := range min(len(rest), lookedAt) {
		wish := w.opt.Wishes[reflect.TypeOf(rest[at].Message)]
		if wish == nil {
			continue
		}
		var commands []event.Command
		if err := guard.Call(func() error { commands = wish(w, rest, at); return nil }); err != nil {
			return 0, fmt.Errorf("position %d: its wish: %w", rest[at].pos, err)
		}
		for _, c := range commands {
			n, differs := same(w, c, rest)
			if n > at {
				if w.opt.Again != nil {
					w.opt.Again(w, c, rest[0].pos, rest[:n])
				}
				w.result.Decided += int64(n)
				w.unknown = false
				return n, nil
			}
			if at == 0 && why == "" {
				why = differs
			}
		}
		wished = wished || at == 0 && len(commands) > 0
	}
	if !wished && !w.unknown && w.opt.Behind != nil && w.opt.Behind(rest[0].Message) {
		wished, why = true, "it comes behind another event, and none is in front of it"
	}
	w.unknown = true
	if wished && w.opt.Differs != nil {
		w.opt.Differs(rest[0].pos, event.TypeOf(rest[0].Message)+": "+why)
	}
	if !wished {
		w.result.Taken[event.TypeOf(rest[0].Message)]++
	}
	return 1, nil
}

// same answers how many of some events a command comes to, if it comes to them, and otherwise what differs.
func same(v event.View, c event.Command, events []Recorded) (n int, differs string) {
	var drafts []event.Draft
	err := guard.Call(func() (err error) {
		drafts, err = c.Decide(v)
		return err
	})
	switch f := fault.As(err); {
	case f != nil:
		return 0, "the rules refuse it: " + f.Message
	case err != nil:
		return 0, "the rules cannot decide it: " + err.Error()
	case len(drafts) > len(events):
		return 0, "the rules decide more than is recorded, first " + event.TypeOf(drafts[len(events)].Message)
	}
	for i, d := range drafts {
		r := &events[i]
		if d.Stream != r.Stream {
			return 0, "the rules record " + event.TypeOf(d.Message) + " on " + d.Stream + " and it is on " + r.Stream
		}
		if !r.says(d.Message) {
			return 0, fmt.Sprintf("the rules decide %s {%v}", event.TypeOf(d.Message), d.Message)
		}
	}
	return len(drafts), ""
}

// says reports whether a message is what is recorded.
func (r *Recorded) says(m proto.Message) bool {
	body, err := proto.Marshal(m)
	return err == nil && (bytes.Equal(body, r.body) || proto.Equal(m, r.Message))
}

func (w *world) fold(i int) error {
	r := &w.events[i]
	category, _, _ := strings.Cut(r.Stream, ":")
	a, known := w.folds[category]
	if !known {
		return fmt.Errorf("position %d: nothing folds the stream %s", r.pos, r.Stream)
	}
	w.states[r.Stream] = a.Evolve(w.State(r.Stream), event.Happened{Message: r.Message, EffectiveAt: r.EffectiveAt, RecordedAt: r.RecordedAt})
	for _, line := range w.lines[i] {
		w.balances[line.Account] = line.Balance
	}
	return nil
}

// State implements event.View.
func (w *world) State(stream string) any {
	if state, ok := w.states[stream]; ok {
		return state
	}
	category, _, _ := strings.Cut(stream, ":")
	return w.folds[category].Zero
}

// Each implements Whole.
func (w *world) Each(category string, hears func(name string, state any)) {
	for stream, state := range w.states {
		if of, name, _ := strings.Cut(stream, ":"); of == category {
			hears(name, state)
		}
	}
}

// Balance implements event.View.
func (w *world) Balance(account string) money.Kobo { return w.balances[account] }
