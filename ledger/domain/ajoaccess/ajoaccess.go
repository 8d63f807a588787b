// Package ajoaccess decides who may join ajo with people whom they do not know, and up to how much a month.
//
//	"" ──▶ ASKED ──▶ GRANTED ──▶ LOST ──▶ ASKED     GRANTED may ask again too: the salary has changed
//	         ├─────▶ REFUSED ──▶ ASKED              corrected, with the reason known
//	         └─────▶ back                           withdrawn by the member
//
// Who has access keeps it, with its limit, while they ask again, and when that is refused. Only owing takes it away.
package ajoaccess

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
)

// Status is where the latest request stands.
type Status string

// The statuses.
const (
	None    Status = "" // Also once a request is withdrawn by somebody without access.
	Asked   Status = "ASKED"
	Granted Status = "GRANTED"
	Refused Status = "REFUSED"
	Taken   Status = "LOST"
)

// Access is the state of a member's stream.
type Access struct {
	Status Status
	AskID  string     // The latest request.
	Salary money.Kobo // What they earned a month when they asked.
	Reason string     // Why it was refused, or lost.
	Since  time.Time  // When it came to its status.
	Has    bool       // They may join ajo with people whom they do not know.
	Limit  money.Kobo // What all their ajo may come to in a month; nil without access.
	Base   money.Kobo // The salary that the limit is of.
	Held   money.Kobo // The limit that they had when they lost access, to which they are held; nil with access.
}

// Aggregate folds a member's stream.
var Aggregate = event.Of("ajoaccess", 2, func(a Access, e event.Happened) Access {
	switch m := e.Message.(type) {
	case *nairav1.AjoAccessAsked:
		a.Status, a.AskID, a.Salary, a.Reason = Asked, m.GetAskId(), money.Kobo(m.GetSalaryKobo()), ""
	case *nairav1.AjoAccessGranted:
		a.Status, a.Has, a.Limit, a.Base, a.Held = Granted, true, money.Kobo(m.GetLimitKobo()), a.Salary, 0
	case *nairav1.AjoAccessRefused:
		a.Status, a.Reason = Refused, m.GetReason()
	case *nairav1.AjoAccessWithdrawn:
		if a.Status = None; a.Has {
			a.Status = Granted
		}
	case *nairav1.AjoAccessLost:
		a.Held = max(a.Held, a.Limit)
		a.Status, a.Reason, a.Has, a.Limit, a.Base = Taken, m.GetReason(), false, 0, 0
	default:
		return a
	}
	a.Since = e.EffectiveAt
	return a
})

// Stream is the stream of a member's access.
func Stream(user string) string { return "ajoaccess:" + user }

// LimitOf is what all ajo of somebody may come to in a month: a third of their salary, in whole kobo.
func LimitOf(salary money.Kobo) money.Kobo { return salary / 3 }

// Lost is the draft that takes access away, for deciders of ajo that hold Has of the same view.
func Lost(user, reason, ajoID string) event.Draft {
	return event.On(Stream(user), &nairav1.AjoAccessLost{UserId: user, Reason: reason, AjoId: ajoID})
}
