package notifications

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
)

// The types about access to ajo with people whom one does not know.
const (
	AjoAccessGranted = "ajo_access_granted"
	AjoAccessRefused = "ajo_access_refused" // Its detail is why.
	AjoAccessLost    = "ajo_access_lost"    // Its detail is why.
)

// ajoHandlers tell members of their own access.
var ajoHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoAccessGranted) {
		f.say(note{typ: AjoAccessGranted, user: m.GetUserId(), kobo: m.GetLimitKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoAccessRefused) {
		f.say(note{typ: AjoAccessRefused, user: m.GetUserId(), detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoAccessLost) {
		f.say(note{typ: AjoAccessLost, user: m.GetUserId(), detail: m.GetReason()})
	}),
}
