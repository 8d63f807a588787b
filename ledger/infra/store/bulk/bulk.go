// Package bulk is a list of commands that succeed or fail together.
package bulk

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/event"
)

// Commands is such a list; see store.Bulk.
type Commands []event.Command

// Streams implements event.Command.
func (b Commands) Streams() []string { return b.names(event.Command.Streams) }

// Accounts implements event.Command.
func (b Commands) Accounts() []string { return b.names(event.Command.Accounts) }

func (b Commands) names(of func(event.Command) []string) []string {
	var all []string
	for _, c := range b {
		all = append(all, of(c)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// DecidesAt implements event.Dated: all count from the time of the first command that has one.
func (b Commands) DecidesAt() time.Time {
	for _, c := range b {
		if at := event.DecidesAt(c); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// Decide implements event.Command. It works only for a bulk of one: for more, only the store can show a command the
// state that those before it leave.
func (b Commands) Decide(v event.View) ([]event.Draft, error) {
	if len(b) != 1 {
		return nil, fmt.Errorf("store: a bulk of %d commands cannot be decided at once", len(b))
	}
	return b[0].Decide(v)
}

// Around wraps a command, or each one of a bulk, in the rules that hold for all commands; nil rules leave it as it is.
// The rules get the command's id.
func Around(rules func(uuid.UUID, event.Command) event.Command, id uuid.UUID, c event.Command) event.Command {
	all, is := c.(Commands)
	switch {
	case rules == nil:
		return c
	case !is:
		return rules(id, c)
	}
	ruled := make(Commands, len(all))
	for i, one := range all {
		ruled[i] = rules(event.DeriveID(id, strconv.Itoa(i)), one)
	}
	return ruled
}
