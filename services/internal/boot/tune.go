package boot

import (
	"os"
	"runtime/debug"
)

const (
	gcPercent   = 400
	memoryBytes = 240 << 20
)

// Tune trades memory that we are allowed for time: the heap is small and what requests leave behind is not, so the
// default collector would run many times a second. Near the soft limit it collects as often as it must. GOGC and
// GOMEMLIMIT, when set, are obeyed instead.
func Tune() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryBytes)
	}
}
