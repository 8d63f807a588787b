package engine

import (
	"reflect"

	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
)

// Handler is a fold's function for events of one type. Make it with On.
type Handler[F any] struct {
	message proto.Message
	do      func(F, Event)
}

// On is the handler of an event type.
func On[F any, M proto.Message](do func(f F, e Event, m M)) Handler[F] {
	var m M
	return Handler[F]{m, func(f F, e Event) { do(f, e, e.Message.(M)) }}
}

// Table is a fold as a table, from event type to its handlers. Make it with Handlers.
type Table[F any] struct {
	do       map[reflect.Type][]func(F, Event)
	messages []proto.Message
}

// Handlers makes a table. Several handlers of one type are run in their order.
func Handlers[F any](all ...Handler[F]) Table[F] {
	t := Table[F]{do: map[reflect.Type][]func(F, Event){}}
	for _, h := range all {
		of := reflect.TypeOf(h.message)
		t.do[of] = append(t.do[of], h.do)
		t.messages = append(t.messages, h.message)
	}
	return t
}

// Take runs an event's handlers.
func (t Table[F]) Take(f F, e Event) {
	for _, do := range t.do[reflect.TypeOf(e.Message)] {
		do(f, e)
	}
}

// Takes reports whether a message's type has a handler.
func (t Table[F]) Takes(m proto.Message) bool { return t.do[reflect.TypeOf(m)] != nil }

// Ignores are the types that have no handler, for Model.Ignores of a model that does nothing else.
func (t Table[F]) Ignores() []string { return event.Others(t.messages...) }
