package ledger

import (
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// asEarlier adds to the commands of each wish the same commands as earlier builds decided them, where rules have become
// stricter since. Which build decided an event is not recorded, so today's rule is tried first.
func asEarlier(all redecide.Wishes) {
	for typ, wish := range all {
		all[typ] = func(v event.View, events []redecide.Recorded, at int) []event.Command {
			commands := wish(v, events, at)
			for _, c := range slices.Clone(commands) {
				commands = append(commands, earlier{c})
			}
			return commands
		}
	}
}

// earlier is a command as earlier builds decided it.
type earlier struct{ event.Command }

// Decide implements event.Command. Earlier builds ended no bids.
func (c earlier) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.Command.Decide(earlierView{v})
	return slices.DeleteFunc(drafts, func(d event.Draft) bool {
		_, ends := d.Message.(*nairav1.AjoBidEnded)
		return ends
	}), err
}

// earlierView shows what the stricter rules look at so that they refuse nothing.
type earlierView struct{ event.View }

// IsEarlier implements standing.Earlier.
func (earlierView) IsEarlier() {}

// State implements event.View.
func (v earlierView) State(stream string) any {
	state := v.View.State(stream)
	if cycle, is := state.(ajopot.Cycle); is && len(cycle.Bids) > 0 {
		return v.passedOn(stream, cycle)
	}
	return state
}

// passedOn is a cycle as earlier builds read it: when somebody took over a place, its bid passed on to them.
func (v earlierView) passedOn(stream string, cycle ajopot.Cycle) ajopot.Cycle {
	id, _, _ := strings.Cut(strings.TrimPrefix(stream, "ajocycle:"), ":")
	a := event.StateOf[ajo.Ajo](v.View, ajo.Stream(id))
	cycle.Bids = slices.Clone(cycle.Bids)
	for i, b := range cycle.Bids {
		if _, holds := a.Place(b.Seat, b.User); !holds {
			cycle.Bids[i].User = a.Seats[b.Seat-1].Places[0].User
		}
	}
	return cycle
}
