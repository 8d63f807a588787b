// Package redecide decides history again: for each recorded event it gives the rules the command that the event must
// have come from, on the ledger as it was before that command, and compares the outcome with the record. This finds an
// event that the rules would not have allowed, even if its hashes, balances and transitions fit, and a change of the
// rules that would rewrite the past.
//
// Commands are not recorded; a Wish makes them from the events. An event without a wish is taken as it is recorded. The
// result counts these, so that they do not pass for decided.
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
	Type                    string // As recorded; Message is of the latest version of the type.
	Message                 proto.Message
	EffectiveAt, RecordedAt time.Time

	body []byte
	pos  int64
	read func(pos int64) (event.Record, error)
}

// Original is the event at a position that this one names, and whether it can be read. A wish whose command needs the
// original makes no command without it.
func (r Recorded) Original(pos int64) (event.Record, bool) {
	if r.read == nil {
		return event.Record{}, false
	}
	original, err := r.read(pos)
	return original, err == nil
}

// Wish answers the commands that some events, recorded by one command, may have come from. at is the index of the event
// that has this wish; others may come before it. The first command whose outcome is the record is taken.
type Wish func(v event.View, events []Recorded, at int) []event.Command

// Whole is a view of everything recorded so far: it can list the streams.
type Whole interface {
	event.View
	// Each calls hears with the streams of a category, in no order.
	Each(category string, hears func(name string, state any))
}

// Wishes are the wishes by type of event.
type Wishes map[reflect.Type]Wish

// Options configure Run.
type Options struct {
	Aggregates []event.Aggregate
	Wishes     Wishes
	// Behind reports whether an event only follows others of its command, and never comes by itself. May be nil.
	Behind func(m proto.Message) bool
	// Read answers the event at a position, for commands that come with one. Without it they are not decided again.
	Read func(pos int64) (event.Record, error)
	// Again receives each command that was decided again, with the ledger before it, its events and the position of the
	// first of them, to ask what other outcomes it could have had. May be nil.
	Again func(v Whole, c event.Command, pos int64, events []Recorded)
	// Differs receives the position of each event that the rules would not have decided so, and why.
	Differs func(pos int64, why string)
}

// Result counts what was decided again.
type Result struct {
	Events  int64            // All events read.
	Decided int64            // Events that the rules decided again as recorded.
	Taken   map[string]int64 // How many were taken as recorded, by type.
}

// lookedAt is among how many of a command's first events to look for the one whose wish knows the command.
const lookedAt = 24

// Run decides all events up to a position again. It keeps the states of all streams in memory. It fails with a
// *history.ArchivedError if events are archived.
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

// world is the ledger as it was before the command in hand.
type world struct {
	opt      Options
	folds    map[string]event.Aggregate
	states   map[string]any
	balances map[string]money.Kobo
	command  [16]byte
	events   []Recorded // Of the command in hand.
	lines    [][]event.Line
	unknown  bool // An event of the command in hand was taken as recorded, and more of them may follow.
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

// decideAll decides the events of the command in hand; a bulk has those of several commands one after the other.
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

// decide answers how many events, from one on, a command explains. If the event has no wish it is taken as recorded.
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

// same answers how many of some events are a command's outcome; 0 if its outcome differs, and how.
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

// says reports whether a message is the recorded one.
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
