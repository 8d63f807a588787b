package ledger

import (
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/draw"
	"adashi.ng/ledger/event"
)

// Rounds answers the signature of a round of the beacon that ajo are drawn with, and the beacon; false where it is not
// to be had. Nil has none.
type Rounds func(round uint64) (draw.Beacon, []byte, bool)

// between is when jobs have something to do about an ajo that has not started, other than at the beginning of a day:
// the next time after another one, or zero.
func between(v event.View, name string, after time.Time) (next time.Time) {
	id, is := strings.CutPrefix(name, ajo.Stream(""))
	if !is {
		return next
	}
	var times []time.Time
	switch a := event.StateOf[ajo.Ajo](v, ajo.Stream(id)); a.Status {
	case ajo.Open:
		times = []time.Time{a.AcceptBy, a.Lapses()}
	case ajo.Ordering:
		times = []time.Time{a.Closing.DrawAt}
	}
	for _, at := range times {
		if at.After(after) && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}

// listJobs are what jobs do about an ajo that has not started: who did not accept changed terms in time is released, a
// list that is not full in time lapses, and an order that is due is drawn.
func (rounds Rounds) listJobs(id string, a ajo.Ajo, at time.Time) (out []event.Command) {
	switch a.Status {
	case ajo.Open:
		for _, user := range a.Members() {
			if !a.Accepted(user) {
				out = append(out, ajo.Leave{AjoID: id, User: user, Unanswered: true, Now: at})
			}
		}
		return append(out, cancels(id, "", ajo.Lapsed, at))
	case ajo.Ordering:
		if !at.Before(a.Closing.DrawAt) {
			return rounds.draws(id, a, at)
		}
	}
	return nil
}

// draws makes a draw whose time has come.
func (rounds Rounds) draws(id string, a ajo.Ajo, at time.Time) []event.Command {
	switch {
	case a.Silent(at) && len(a.Revealed) == 0 && a.Closing.Source == nairav1.AjoDrawSource_AJO_DRAW_SOURCE_PHONES: // The round of a beacon came, though it is not known here.
		return one(cancels(id, "", ajo.NoneRevealed, at))
	case a.Closing.Round == 0:
		return one(ajo.DrawPhones(id, at))
	case rounds == nil:
		return nil
	}
	beacon, signature, ok := rounds(a.Closing.Round)
	if !ok {
		return nil
	}
	return one(ajo.SubmitBeacon(id, beacon, signature, at))
}

// cancels ends an ajo before its order is set.
func cancels(id, by, reason string, now time.Time) event.Command {
	return asThen{ajoStreams(id), func(v event.View) event.Command {
		return ajo.Cancel{AjoID: id, By: by, Reason: reason, Members: event.StateOf[ajo.Ajo](v, ajo.Stream(id)).Members(), Now: now}
	}}
}
