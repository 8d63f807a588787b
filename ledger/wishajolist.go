package ledger

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/redecide"
)

// wishAjoList are what becomes of an ajo's list before it is sealed: other terms, who leaves it, and that it is
// cancelled.
func wishAjoList(all redecide.Wishes) {
	wishIn(all, func(v event.View, m *nairav1.AjoTermsChanged, _ []redecide.Recorded, _ int) []event.Command {
		owner := event.StateOf[ajo.Ajo](v, ajo.Stream(m.GetAjoId())).Owner
		now := m.GetAcceptBy().AsTime().Add(-time.Duration(m.GetTerms().GetTermsHours()) * time.Hour)
		return one(ajo.ChangeTerms(m.GetAjoId(), owner, m.GetTerms(), now))
	})
	wishIn(all, func(_ event.View, m *nairav1.AjoSeatFreed, events []redecide.Recorded, at int) []event.Command {
		if m.GetReason() == "cancelled" {
			return cancelled(events, at)
		}
		if m.GetReason() == "closed" {
			return one(ajo.Vacate{AjoID: m.GetAjoId(), User: m.GetUserId()})
		}
		return atEither(events[at], func(now time.Time) event.Command {
			return ajo.Leave{AjoID: m.GetAjoId(), User: m.GetUserId(), Unanswered: m.GetReason() == "terms", Stolen: m.GetReason() == "stolen", Now: now}
		})
	})
	wish(all, func(m *nairav1.AjoHolderClosed, e redecide.Recorded) []event.Command {
		return atEither(e, func(now time.Time) event.Command {
			return ajo.Vacate{AjoID: m.GetAjoId(), User: m.GetUserId(), Now: now}
		})
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoPlaceTaken, events []redecide.Recorded, at int) []event.Command {
		return placeTaken(events, at)
	})
	wishIn(all, func(_ event.View, _ *nairav1.AjoCancelled, events []redecide.Recorded, at int) []event.Command {
		return cancelled(events, at)
	})
}

// placeTaken is that somebody takes over a place by some events, of which one says so. How old they were is not
// recorded, and the price that they were told is what the place costs.
func placeTaken(events []redecide.Recorded, at int) []event.Command {
	m, ok := ahead[*nairav1.AjoPlaceTaken](events, at)
	if !ok {
		return nil
	}
	id, seat := m.GetAjoId(), int(m.GetSeat())
	return one(asThen{ajoStreams(id), func(v event.View) event.Command {
		a := event.StateOf[ajo.Ajo](v, ajo.Stream(id))
		place, _ := a.Place(seat, m.GetFromUserId())
		return ajopot.TakePlace{
			AjoID: id, Seat: seat, From: m.GetFromUserId(), To: ajo.Joiner{User: m.GetToUserId(), Invited: true, TermsHash: m.GetTermsHash()},
			Price: ajopot.Par(a, seat, place), Cycles: unpaidOf(v, id), People: append(peopleOf(v, id), m.GetToUserId()),
		}.Command()
	}})
}

// unpaidOf are the current cycle of an ajo, and those whose pots are ready and not paid out.
func unpaidOf(v event.View, id string) []int {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(id))
	cycles := []int{a.Current()}
	for _, ready := range a.Cycles {
		if !event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(id, ready.Cycle)).PaidOut {
			cycles = append(cycles, ready.Cycle)
		}
	}
	return cycles
}

// cancelled is that an ajo is cancelled by some events, of which the last says so.
func cancelled(events []redecide.Recorded, at int) []event.Command {
	m, ok := ahead[*nairav1.AjoCancelled](events, at)
	if !ok {
		return nil
	}
	return atEither(events[at], func(now time.Time) event.Command {
		return cancels(m.GetAjoId(), m.GetCancelledBy(), m.GetReason(), now)
	})
}
