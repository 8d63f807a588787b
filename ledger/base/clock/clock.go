// Package clock is where the product's time comes from.
//
// Whatever a rule, a deadline or a person is told depends on one Clock, which a process is given when it starts and
// hands to its parts. How long the machine took for something is measured by a Watch. Nothing else asks the system for
// the time, and no SQL asks Postgres.
package clock

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Clock answers the present.
type Clock func() time.Time

// System is the machine's own clock. It ticks in microseconds, as the ledger records. With finer times a rule could
// decide by what the record cuts off, and decide otherwise when it is asked again.
func System() time.Time { return time.Now().Truncate(time.Microsecond) }

// Watch measures how long something takes. The zero Watch has run for ever.
type Watch struct{ began time.Time }

// Start starts a watch.
func Start() Watch { return Watch{time.Now()} }

// Took is how long it has run.
func (w Watch) Took() time.Duration { return time.Since(w.began) }

// In is when the machine has gone on for a while: a deadline of a connection, which the machine keeps.
func In(d time.Duration) time.Time { return time.Now().Add(d) }

// ID makes an id of version 7 (RFC 9562), which begins with a time in milliseconds: ids that were made in a later
// millisecond sort after earlier ones.
func ID(at time.Time) uuid.UUID {
	id := uuid.New()
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x70
	return id
}
