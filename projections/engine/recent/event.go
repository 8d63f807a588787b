// Package recent holds recently read events of the ledger, for all folds in one process.
package recent

import (
	"github.com/google/uuid"
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
)

// Event is a recorded event with its body decoded.
type Event struct {
	event.Record
	Message proto.Message // Nil if this build cannot read the body: no Fold gets such an event.
	id      uuid.UUID     // Kept because most folds ask for it, and it is a hash.
}

// Decoded decodes a record's body.
func Decoded(r event.Record) Event {
	m, _ := r.Message() // Code that needs the error decodes again.
	return Event{r, m, r.ID()}
}

// ID is the record's ID.
func (e *Event) ID() uuid.UUID {
	if e.id == uuid.Nil {
		return e.Record.ID()
	}
	return e.id
}

// Decode decodes records' bodies.
func Decode(records []event.Record) []Event {
	events := make([]Event, len(records))
	for i, r := range records {
		events[i] = Decoded(r)
	}
	return events
}

// Unreadable reports whether this build cannot read the body.
func (e Event) Unreadable() bool { return e.Message == nil }
