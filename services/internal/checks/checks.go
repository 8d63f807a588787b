// Package checks is what a process says of itself: each thing that is looked at by its name, whether it is well and
// since when. Ready is one whose needed checks are: it can take a payment and answer it. The rest is told at the same
// place.
package checks

import (
	"context"
	"sync"
	"time"

	"adashi.ng/ledger/base/clock"
)

// Verdict is how a look at something came out. Says is a sentence for whoever runs the product; it names nobody.
type Verdict struct {
	OK   bool
	Says string
}

// Well is the verdict that all is well.
func Well(says string) Verdict { return Verdict{OK: true, Says: says} }

// Wrong is the verdict that something is not.
func Wrong(says string) Verdict { return Verdict{Says: says} }

// Check looks at one thing.
type Check struct {
	Name   string // In camel case, stable: alarms hang on it.
	Needed bool   // Without it the process is not ready.
	Lacks  bool   // Without it the process serves, and does not call itself ready.
	// Look answers how it stands; it has lookMax for it. A check that learns nothing is not ok.
	Look func(context.Context) Verdict
}

// Result is how a check stood when it was last looked at.
type Result struct {
	Name   string    `json:"name"`
	OK     bool      `json:"ok"`
	Needed bool      `json:"needed"`
	Lacks  bool      `json:"-"`
	Since  time.Time `json:"since"` // When it became so.
	Says   string    `json:"says"`
}

// Standing is how all of them stood.
type Standing struct {
	Ready  bool
	Checks []Result
}

// Why is what is wrong with the first needed check that is not well; empty when the process is ready.
func (s Standing) Why() string {
	for _, r := range s.Checks {
		if r.Needed && !r.OK {
			return r.Says
		}
	}
	return ""
}

// Lacks is what is wrong with the first check that is not well although the process serves; empty when nothing is.
func (s Standing) Lacks() string {
	for _, r := range s.Checks {
		if r.Lacks && !r.OK {
			return r.Says
		}
	}
	return ""
}

const (
	lookMax = 2 * time.Second
	fresh   = time.Second // However often it is asked, it looks no more often than this.
)

// Board holds a process's checks. Add before it is asked; asking is safe for concurrent use.
type Board struct {
	mu     sync.Mutex
	checks []Check
	last   []Result
	at     clock.Watch // Since the last look.
	now    clock.Clock
}

// New makes an empty board. The clock says since when something stands as it does.
func New(now clock.Clock) *Board { return &Board{now: now} }

// Add puts up one more check.
func (b *Board) Add(checks ...Check) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.checks = append(b.checks, checks...)
	b.at = clock.Watch{}
}

// Standing looks at everything at once, or answers what it saw less than a second ago.
func (b *Board) Standing() Standing {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at.Took() >= fresh {
		b.look()
	}
	s := Standing{Ready: true, Checks: append([]Result(nil), b.last...)}
	for _, r := range s.Checks {
		s.Ready = s.Ready && (r.OK || !r.Needed)
	}
	return s
}

func (b *Board) look() {
	ctx, cancel := context.WithTimeout(context.Background(), lookMax)
	defer cancel()
	results := make([]Result, len(b.checks))
	var under sync.WaitGroup
	for n, c := range b.checks {
		under.Go(func() {
			verdict := c.Look(ctx)
			results[n] = Result{Name: c.Name, OK: verdict.OK, Needed: c.Needed, Lacks: c.Lacks, Since: b.now().UTC(), Says: verdict.Says}
		})
	}
	under.Wait()
	for n, r := range results {
		if n < len(b.last) && b.last[n].OK == r.OK {
			results[n].Since = b.last[n].Since
		}
	}
	b.last, b.at = results, clock.Start()
}
