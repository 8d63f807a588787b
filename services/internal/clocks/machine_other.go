//go:build !linux

package clocks

import (
	"time"

	"adashi.ng/ledger/base/clock"
)

var began = clock.Start()

// machineRan is how long this process has run. Nobody can set it. Where the system does not count the time that the
// machine slept, waking up is a jump.
func machineRan() time.Duration { return began.Took() }
