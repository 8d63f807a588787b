// Package clock is where the product's time comes from.
//
// Whatever a rule, a deadline or a person is told depends on one Clock, which a process is given when it starts and
// hands to its parts. How long the machine took for something is measured by a Watch. Nothing else asks the system for
// the time, and no SQL asks Postgres.
package clock

import "time"

// Clock answers the present.
type Clock func() time.Time

// System is the machine's own clock.
func System() time.Time { return time.Now() }

// Watch measures how long something takes. The zero Watch has run for ever.
type Watch struct{ began time.Time }

// Start starts a watch.
func Start() Watch { return Watch{time.Now()} }

// Took is how long it has run.
func (w Watch) Took() time.Duration { return time.Since(w.began) }

// In is when the machine has gone on for a while: a deadline of a connection, which the machine keeps.
func In(d time.Duration) time.Time { return time.Now().Add(d) }
