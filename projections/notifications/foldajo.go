package notifications

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/projections/engine"
	"adashi.ng/projections/notifications/told"
)

// ajoHandlers notify members of their own access.
var ajoHandlers = []engine.Handler[*folding]{
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoAccessGranted) {
		f.tell(note{typ: told.AjoAccessGranted, kobo: m.GetLimitKobo()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoAccessRefused) {
		f.tell(note{typ: told.AjoAccessRefused, detail: m.GetReason()})
	}),
	engine.On(func(f *folding, _ engine.Event, m *nairav1.AjoAccessLost) {
		f.tell(note{typ: told.AjoAccessLost, detail: m.GetReason()})
	}),
}
