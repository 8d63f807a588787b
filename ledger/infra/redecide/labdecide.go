package redecide

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/guard"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// command processes the events of one recorded command; that of a bulk has the events of several commands.
func (w *lab) command(records []event.Record) error {
	events := make([]Recorded, len(records))
	w.pos, w.before = records[0].Pos, map[string]money.Kobo{}
	for i := range records {
		r := &records[i]
		m, err := r.Message()
		if err != nil {
			return fmt.Errorf("position %d: %w", r.Pos, err)
		}
		events[i] = Recorded{r.Stream, r.Type, m, r.EffectiveAt, r.RecordedAt, r.Body, r.Pos, nil}
		for _, l := range r.Lines {
			if _, known := w.before[l.Account]; !known {
				w.before[l.Account] = l.Balance - l.Amount
			}
		}
	}
	w.time(events)
	for from := 0; from < len(events); {
		n, c, why := w.came(events[from:])
		if err := w.segment(events[from:from+n], records[from:from+n], c, why); err != nil {
			return err
		}
		from += n
	}
	return w.err
}

// candidate is the command that some events came from, with the event whose wish answered it and its index in the
// answer.
type candidate struct {
	at, answer int
	command    event.Command
}

// came answers how many of some events came from the command of the first one, and that command; nil if it is not
// known. If there is a wish, why says how its command's outcome differs from the record.
func (w *lab) came(events []Recorded) (n int, c *candidate, why string) {
	for at := range min(len(events), lookedAt) {
		wish := w.Wishes[reflect.TypeOf(events[at].Message)]
		if wish == nil {
			continue
		}
		for answer, c := range wish(side{w, false}, events, at) {
			n, differs := same(side{w, false}, c, events)
			if n > at {
				return n, &candidate{at, answer, c}, ""
			}
			if at == 0 && why == "" {
				why, _, _ = strings.Cut(differs, " {") // Not the whole event.
			}
		}
	}
	return 1, nil, why
}

// segment processes the events of one known command, or one event by itself.
func (w *lab) segment(events []Recorded, records []event.Record, c *candidate, why string) error {
	line := Line{Position: events[0].pos, At: events[0].EffectiveAt}
	for _, e := range events {
		line.Was = append(line.Was, e.Message)
	}
	w.keepOther(events, c)
	edits, parts := w.editsOf(events)
	switch {
	case slices.ContainsFunc(edits, func(e Edit) bool { return e.Absent }):
		line.Kind = Edited
		w.tell(line)
	case len(edits) > 0 && !edits[0].At.IsZero(): // It came, or comes, at its edited time.
	case len(edits) > 0:
		line.Kind = Edited
		w.again(events, w.others[edits[0].Position], line, parts)
	case c != nil:
		w.found.Decided += len(events)
		w.again(events, c.command, line, parts)
	default:
		if why != "" {
			w.tell(Line{Kind: Drift, Position: line.Position, At: line.At, Was: line.Was, Why: why})
		}
		w.takeAsIs(events, records, line)
	}
	for i, e := range events {
		t := w.track(e.Stream)
		w.watch(e.Stream).last = e.Message
		t.was = t.fold.Evolve(t.was, event.Happened{Message: e.Message, EffectiveAt: e.EffectiveAt, RecordedAt: e.RecordedAt})
		for _, l := range records[i].Lines {
			w.delta[l.Account] -= l.Amount
			w.before[l.Account] = l.Balance
		}
		w.applied = append(w.applied, e.Stream)
	}
	w.part(events[0].EffectiveAt)
	w.atOnce(events[0].EffectiveAt)
	return w.err
}

// editsOf are the edits of a command's events: of the whole command, and of single events by themselves.
func (w *lab) editsOf(events []Recorded) (whole, parts []Edit) {
	for _, e := range events {
		edit, is := w.edits[e.pos]
		switch {
		case !is:
		case w.isPart(events, e):
			parts = append(parts, edit)
		default:
			whole = append(whole, edit)
		}
	}
	return whole, parts
}

func (w *lab) isPart(events []Recorded, e Recorded) bool {
	return len(events) > 1 && w.Part != nil && w.Part(e.Message)
}

// keepOther makes the commands in place of edited events. Only the first run, which edits nothing, does this.
func (w *lab) keepOther(events []Recorded, c *candidate) {
	if len(w.edits) > 0 {
		return
	}
	var changes []Edit
	for _, e := range w.Edits {
		i := slices.IndexFunc(events, func(r Recorded) bool { return len(e.Insert) == 0 && !e.Absent && r.pos == e.Position })
		switch {
		case i < 0:
		case !w.isPart(events, events[i]):
			changes = append(changes, e)
		case !e.At.IsZero():
			w.fail(fault.Field("edits", "The event at position %d came of another, so it cannot have come at another time. Leave it out, or change the other one.", e.Position))
		}
	}
	if len(changes) > 1 {
		w.fail(fault.Field("edits", "The events at positions %d and %d came together. Change one of them at a time.", changes[0].Position, changes[1].Position))
	}
	for _, e := range changes {
		if c == nil {
			w.fail(fault.Field("edits", "What the event at position %d came from is not known, so it can only be left out.", e.Position))
			return
		}
		changed := slices.Clone(events)
		for i := range changed {
			changed[i].edit(e)
		}
		answers := w.Wishes[reflect.TypeOf(changed[c.at].Message)](side{w, false}, changed, c.at)
		if c.answer >= len(answers) {
			w.fail(fault.Field("edits", "The event at position %d cannot be changed like this.", e.Position))
			return
		}
		w.others[e.Position] = answers[c.answer]
	}
}

// edit changes an event before its wish sees it.
func (r *Recorded) edit(e Edit) {
	r.Message = proto.Clone(r.Message)
	m := r.Message.ProtoReflect()
	if field := m.Descriptor().Fields().ByName("amount_kobo"); field != nil && e.Amount > 0 && r.pos == e.Position {
		m.Set(field, protoreflect.ValueOfInt64(int64(e.Amount)))
	}
	if e.At.IsZero() {
		return
	}
	r.EffectiveAt, r.RecordedAt = e.At, e.At
	if field := m.Descriptor().Fields().ByName("paid_at"); field != nil {
		m.Set(field, protoreflect.ValueOfMessage(timestamppb.New(e.At).ProtoReflect()))
	}
}

// again decides a command again. It reports events that were edited by themselves in lines of their own.
func (w *lab) again(events []Recorded, c event.Command, line Line, parts []Edit) {
	at, recorded := events[0].EffectiveAt, events[0].RecordedAt
	drafts, err := w.decide(c, true)
	if err != nil {
		line.Kind, line.Why = Refused, sentence(err)
		w.tell(line)
		return
	}
	if line.Kind == "" && len(parts) == 0 && equal(drafts, events) {
		for i := range drafts {
			drafts[i].Message = events[i].Message // So that both fold the same bytes.
		}
		w.apply(drafts, at, recorded)
		return
	}
	var edited []event.Draft
	drafts, events, edited = w.split(drafts, events, parts)
	if line.Kind == Edited || !w.alike(drafts, events) {
		if len(events) > 0 {
			line.Position = events[0].pos
		}
		if line.Was, line.Would = messagesOf(events), drafts; line.Kind == "" {
			line.Kind = Otherwise
		}
		w.tell(line)
	}
	w.apply(append(drafts, edited...), at, recorded)
}

// split removes the events that are edited by themselves from a command's new drafts and from its recorded events.
func (w *lab) split(drafts []event.Draft, events []Recorded, parts []Edit) (rest []event.Draft, others []Recorded, edited []event.Draft) {
	rest, others = drafts, slices.Clone(events)
	for _, e := range parts {
		i := slices.IndexFunc(others, func(r Recorded) bool { return r.pos == e.Position })
		was := others[i]
		others = slices.Delete(others, i, i+1)
		line := Line{Kind: Edited, Position: was.pos, At: was.EffectiveAt, Was: []proto.Message{was.Message}}
		i = slices.IndexFunc(rest, func(d event.Draft) bool {
			return d.Stream == was.Stream && reflect.TypeOf(d.Message) == reflect.TypeOf(was.Message) && alike(d.Message, was.Message, "debt_id", "cycle", "seat", "user_id", "period")
		})
		if i >= 0 {
			changed := Recorded{Message: rest[i].Message, pos: was.pos}
			rest = slices.Delete(slices.Clone(rest), i, i+1)
			if changed.edit(e); !e.Absent {
				line.Would = []event.Draft{{Stream: was.Stream, Message: changed.Message}}
				edited = append(edited, line.Would...)
			}
		}
		w.tell(line)
	}
	return rest, others, edited
}

func messagesOf(events []Recorded) (all []proto.Message) {
	for _, e := range events {
		all = append(all, e.Message)
	}
	return all
}

// takeAsIs takes an event as it is recorded, unless money would be missing for it.
func (w *lab) takeAsIs(events []Recorded, records []event.Record, line Line) {
	for _, l := range records[0].Lines {
		if left := l.Balance + w.delta[l.Account]; posting.Floored(l.Account) && l.Amount < 0 && left < 0 {
			line.Kind, line.Why = Undecided, fmt.Sprintf("%s would be missing for it.", -left)
			w.tell(line)
			return
		}
	}
	w.apply([]event.Draft{{Stream: events[0].Stream, Message: events[0].Message}}, events[0].EffectiveAt, events[0].RecordedAt)
}

func equal(drafts []event.Draft, events []Recorded) bool {
	return slices.EqualFunc(drafts, events, func(d event.Draft, e Recorded) bool { return d.Stream == e.Stream && e.says(d.Message) })
}

// alike reports whether drafts have the same effect as events.
func (w *lab) alike(drafts []event.Draft, events []Recorded) bool {
	return slices.EqualFunc(drafts, events, func(d event.Draft, e Recorded) bool {
		return d.Stream == e.Stream && (e.says(d.Message) || w.Alike != nil && w.Alike(d.Message, e.Message))
	})
}

// decide decides a command in the lab's history, or in the recorded one.
func (w *lab) decide(c event.Command, would bool) (drafts []event.Draft, err error) {
	err = guard.Call(func() (err error) {
		drafts, err = c.Decide(side{w, would})
		return err
	})
	return drafts, err
}

func sentence(err error) string {
	if f := fault.As(err); f != nil {
		return f.Message
	}
	return "The rules cannot decide it."
}

// apply records drafts in the lab's history.
func (w *lab) apply(drafts []event.Draft, effective, recorded time.Time) {
	for _, d := range drafts {
		t := w.track(d.Stream)
		if t == nil {
			return
		}
		t.would = t.fold.Evolve(t.would, event.Happened{Message: d.Message, EffectiveAt: effective, RecordedAt: recorded})
		w.watch(d.Stream).last = d.Message
		for _, l := range posting.Lines(d.Message) {
			w.delta[l.Account] += l.Amount
		}
		w.applied, w.news = append(w.applied, d.Stream), append(w.news, d.Message)
	}
}
