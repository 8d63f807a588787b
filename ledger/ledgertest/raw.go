package ledgertest

import (
	"google.golang.org/protobuf/proto"

	"adashi.ng/ledger/event"
)

// Raw is a command that records events as they are, for what a test needs to have happened and no decider of its own
// room decides. Balances are held to all the same.
type Raw []event.Draft

// Happens records events on the stream of a hold of that name, which takes any event without heeding it.
func Happens(name string, messages ...proto.Message) Raw {
	var r Raw
	for _, m := range messages {
		r = append(r, event.Draft{Stream: "hold:" + name, Message: m})
	}
	return r
}

// Streams implements event.Command.
func (r Raw) Streams() (streams []string) {
	for _, d := range r {
		streams = append(streams, d.Stream)
	}
	return streams
}

// Accounts implements event.Command.
func (r Raw) Accounts() (accounts []string) {
	for _, d := range r {
		accounts = append(accounts, posted(d)...)
	}
	return accounts
}

// Decide implements event.Command.
func (r Raw) Decide(event.View) ([]event.Draft, error) { return r, nil }
