package clocks

import (
	"time"

	"golang.org/x/sys/unix"

	"adashi.ng/ledger/base/clock"
)

var began = clock.Start()

// machineRan is how long the machine has run, also while it slept: a laptop that wakes up has no clock that jumped.
// Nobody can set it.
func machineRan() time.Duration {
	var ran unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ran); err != nil {
		return began.Took()
	}
	return time.Duration(ran.Nano())
}
