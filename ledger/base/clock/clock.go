// Package clock is the source of the product's time.
//
// Every rule, every deadline and every time that a person reads uses one Clock, which a process gets when it starts and
// gives to its parts. A Watch measures how long the machine took for something. Nothing else asks the system for the
// time, and no SQL asks Postgres.
package clock

import (
	"encoding/binary"
	"time"

	"github.com/google/uuid"
)

// Clock answers the current time.
type Clock func() time.Time

// System is the machine's own clock. It ticks in microseconds, as the ledger records. With finer times a rule could
// decide by digits that the record cuts off, and decide differently when the event is decided again.
func System() time.Time { return time.Now().Truncate(time.Microsecond) }

// Watch measures how long something takes. The zero Watch has run for ever.
type Watch struct{ began time.Time }

// Start starts a watch.
func Start() Watch { return Watch{time.Now()} }

// Took is how long it has run.
func (w Watch) Took() time.Duration { return time.Since(w.began) }

// In is the time after a duration by the machine's clock, for a connection's deadline, which the machine enforces.
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
