package town

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/timestamppb"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// memory is what the town knows from the ledger's own events: every id by its kind, which of them were named together,
// and the moments that are still to come. It reads the events by their schema and knows none of them by name
// but those that suspend a group and resume it.
type memory struct {
	at      int64                   // The position up to which it has read.
	known   map[string][]string     // By kind: the ids, in the order in which they were first named.
	kinds   map[string]string       // By id.
	beside  map[string][]string     // By id: what was named beside it, the newest last.
	numbers map[string][]fact       // By id: what numbers and words were said beside it.
	moments []time.Time             // Ends, deadlines and the like that events named.
	last    map[string]event.Record // By id: the newest event that names it.
	halted  map[string]bool         // Groups that are suspended.
}

// fact is a value that an event said beside an id.
type fact struct {
	name string // The field's, such as amount_kobo.
	num  int64
	text string
}

const besideMost = 60

func newMemory() *memory {
	return &memory{
		known: map[string][]string{}, kinds: map[string]string{}, beside: map[string][]string{}, numbers: map[string][]fact{},
		last: map[string]event.Record{}, halted: map[string]bool{},
	}
}

// kindOf is what a field's value is the id of, or "".
func kindOf(field string) string {
	switch field {
	case "provider_ref":
		return "unmatched"
	case "withdrawal_id":
		return "payout"
	case "check_id", "event_id", "plan_event_id", "case_id":
		return ""
	}
	kind, is := strings.CutSuffix(field, "_id")
	if !is {
		return ""
	}
	return strings.ReplaceAll(kind, "_", " ")
}

// learn takes in what was recorded.
func (m *memory) learn(records []event.Record) error {
	for _, r := range records {
		message, err := event.Decode(r.Type, r.Body)
		if err != nil {
			return err
		}
		m.at = r.Pos
		switch e := message.(type) {
		case *nairav1.GroupSuspended:
			m.halted[e.GetGroupId()] = true
		case *nairav1.GroupResumed:
			m.halted[e.GetGroupId()] = false
		}
		var ids []string
		var facts []fact
		m.walk(message.ProtoReflect(), &ids, &facts)
		for _, id := range ids {
			m.last[id] = r
			m.numbers[id] = lastOf(append(m.numbers[id], facts...), besideMost)
			for _, other := range ids {
				if other != id && !slices.Contains(lastOf(m.beside[id], besideMost), other) {
					m.beside[id] = append(m.beside[id], other)
				}
			}
		}
	}
	return nil
}

func lastOf[T any](all []T, most int) []T { return all[max(0, len(all)-most):] }

func (m *memory) walk(message protoreflect.Message, ids *[]string, facts *[]fact) {
	message.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		each := func(value protoreflect.Value) { m.take(field, value, ids, facts) }
		if field.IsList() {
			for i := range value.List().Len() {
				each(value.List().Get(i))
			}
		} else if !field.IsMap() {
			each(value)
		}
		return true
	})
	// Range goes through fields in no order.
	slices.Sort(*ids)
	slices.SortFunc(*facts, func(a, b fact) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.num, b.num), strings.Compare(a.text, b.text))
	})
}

func (m *memory) take(field protoreflect.FieldDescriptor, value protoreflect.Value, ids *[]string, facts *[]fact) {
	name := string(field.Name())
	switch field.Kind() {
	case protoreflect.MessageKind:
		if at, is := value.Message().Interface().(*timestamppb.Timestamp); is {
			m.moments = append(m.moments, at.AsTime())
			return
		}
		m.walk(value.Message(), ids, facts)
	case protoreflect.StringKind:
		text := value.String()
		if kind := kindOf(name); kind != "" {
			m.names(kind, text)
			*ids = append(*ids, text)
			return
		}
		if m.kinds[text] != "" { // A known id in a field of another name.
			*ids = append(*ids, text)
			return
		}
		*facts = append(*facts, fact{name: name, text: text})
	case protoreflect.Int32Kind, protoreflect.Int64Kind:
		*facts = append(*facts, fact{name: name, num: value.Int()})
	case protoreflect.BytesKind:
		*facts = append(*facts, fact{name: name, text: string(value.Bytes())})
	default:
	}
}

// names keeps an id.
func (m *memory) names(kind, id string) {
	if id == "" || m.kinds[id] != "" {
		return
	}
	m.kinds[id] = kind
	m.known[kind] = append(m.known[kind], id)
}

// near answers the ids of a kind that were named beside another, the newest last.
func (m *memory) near(kind, id string) (all []string) {
	for _, other := range m.beside[id] {
		if m.kinds[other] == kind {
			all = append(all, other)
		}
	}
	return all
}

// said answers what an id's events said in a field, the newest last.
func (m *memory) said(id, field string) (all []fact) {
	for _, f := range m.numbers[id] {
		if f.name == field {
			all = append(all, f)
		}
	}
	return all
}

// next is the first moment after now that an event named; zero for none.
func (m *memory) next(now time.Time) (first time.Time) {
	m.moments = slices.DeleteFunc(m.moments, func(at time.Time) bool { return !at.After(now) })
	for _, at := range m.moments {
		if first.IsZero() || at.Before(first) {
			first = at
		}
	}
	return first
}
