// Package earlier decides commands as earlier builds did, where rules have become stricter since.
package earlier

import (
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/reviews"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// Also adds to the commands of each wish the same commands as earlier builds decided them, where rules have become
// stricter since. Which build decided an event is not recorded, so today's rule is tried first.
func Also(all redecide.Wishes) {
	for typ, wish := range all {
		all[typ] = func(v event.View, events []redecide.Recorded, at int) []event.Command {
			commands := wish(v, events, at)
			for _, c := range slices.Clone(commands) {
				commands = append(commands, decided{Command: c, endsBids: true}, decided{Command: c})
				if slices.ContainsFunc(events, func(e redecide.Recorded) bool { return e.Type == uncredited }) {
					commands = append(commands, decided{Command: c, notCredited: true})
				}
			}
			return commands
		}
	}
}

// uncredited is the type of payments that were confirmed when the first builds noted of no bank reference that its
// money was credited.
const uncredited = "naira.v1.PaymentConfirmed" //nolint:gosec // An event's type, and no secret.

// decided is a command as earlier builds decided it. None of them ended votes, passed offices on or counted what was
// adjusted, and those before them ended no bids either.
type decided struct {
	event.Command
	endsBids    bool
	notCredited bool
}

// IsEarlier implements standing.Earlier.
func (decided) IsEarlier() {}

// Decide implements event.Command.
func (c decided) Decide(v event.View) ([]event.Draft, error) {
	drafts, err := c.Command.Decide(view{v, c.endsBids})
	if len(drafts) == 0 {
		return drafts, err
	}
	first, taken, frozen := drafts[0].Message, "", false
	for _, d := range drafts {
		switch m := d.Message.(type) {
		case *nairav1.AjoPlaceTaken:
			taken = m.GetFromUserId()
		case *nairav1.AjoSeatFrozen:
			frozen = true
		}
	}
	return slices.DeleteFunc(drafts, func(d event.Draft) bool {
		switch m := d.Message.(type) {
		case *nairav1.ArrivalCreditedV2:
			return c.notCredited
		case *nairav1.AjoBidEnded:
			return !c.endsBids
		case *nairav1.AjoSwapEnded:
			return taken != ""
		case *nairav1.AjoConsentSet: // Consents did not end with a place.
			return first != d.Message
		case *nairav1.CommitmentCounted: // What a member promised was not counted again while they held a place.
			_, ahead := first.(*nairav1.AjoContributed)
			return ahead || m.GetMonthlyKobo() > 0 && (frozen || taken == m.GetUserId())
		case *nairav1.LiquidationReversedV3:
			m.RequestedBy = ""
		case *nairav1.MemberDeactivatedV2:
			m.WholePeriods = false
		case *nairav1.AdjustmentCounted, *nairav1.AjoMotionVoteEnded, *nairav1.AjoVoteEnded, *nairav1.AjoOfficesPassed:
			return true
		}
		return false
	}), err
}

// view shows what the stricter rules look at so that they refuse nothing.
type view struct {
	event.View
	endsBids bool
}

// IsEarlier implements standing.Earlier.
func (view) IsEarlier() {}

// State implements event.View.
func (v view) State(stream string) any {
	switch state := v.View.State(stream).(type) {
	case ajo.Ajo:
		state.Earlier = true
		return state
	case reviews.Review:
		state.Anew = ""
		return state
	case ajopot.Cycle:
		if !v.endsBids && len(state.Bids) > 0 {
			return v.passedOn(stream, state)
		}
		return state
	default:
		return state
	}
}

// passedOn is a cycle as earlier builds read it: when somebody took over a place, its bid passed on to them.
func (v view) passedOn(stream string, cycle ajopot.Cycle) ajopot.Cycle {
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
