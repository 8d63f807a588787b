package e2e

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// broken is a row of what ./scripts/faults prints: what was broken, and what came of it. A test adds its row once it
// has held that nothing was lost or doubled.
type broken struct {
	what      string
	payments  int           // Which were answered while it was broken and after it.
	unknown   int           // Which were not answered, and were asked again.
	recovered time.Duration // Until a payment was taken again.
	said      string
}

var (
	faultsMu sync.Mutex
	faults   []broken
)

func addRow(f broken) {
	faultsMu.Lock()
	defer faultsMu.Unlock()
	faults = append(faults, f)
}

// printFaults prints the rows where ./scripts/faults asks for them.
func printFaults() {
	if os.Getenv("ADASHI_FAULTS") != "long" || len(faults) == 0 {
		return
	}
	table := &strings.Builder{}
	fmt.Fprintf(table, "\n%-34s %9s %8s %5s %8s %10s  %s\n", "fault", "payments", "unknown", "lost", "doubled", "recovered", "said")
	for _, f := range faults {
		fmt.Fprintf(table, "%-34s %9d %8d %5d %8d %9.1fs  %s\n", f.what, f.payments, f.unknown, 0, 0, f.recovered.Seconds(), f.said)
	}
	fmt.Print(table)
}
