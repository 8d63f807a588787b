package audit

import (
	"fmt"
	"sync"
	"time"

	"adashi.ng/ledger/base/clock"
)

// Violation is a broken rule.
type Violation struct {
	Position int64  `json:"position,omitempty"` // Of the event; 0 when the violation is about something else.
	Subject  string `json:"subject,omitempty"`  // The account, stream, command or row that it is about.
	Says     string `json:"says"`               // A sentence.
}

// String is the violation in one line.
func (v Violation) String() string {
	switch {
	case v.Position != 0 && v.Subject != "":
		return fmt.Sprintf("position %d, %s: %s", v.Position, v.Subject, v.Says)
	case v.Position != 0:
		return fmt.Sprintf("position %d: %s", v.Position, v.Says)
	case v.Subject != "":
		return v.Subject + ": " + v.Says
	default:
		return v.Says
	}
}

// Check is one rule and its result.
type Check struct {
	Name       string        `json:"name"`
	Rule       string        `json:"rule"`
	Looked     int64         `json:"looked"` // How many were checked.
	Violations int64         `json:"violations"`
	Listed     []Violation   `json:"listed,omitempty"`  // The first violations.
	Skipped    string        `json:"skipped,omitempty"` // Why nothing was checked.
	Said       string        `json:"said,omitempty"`    // How much was checked, where that is not all.
	Took       time.Duration `json:"tookNanoseconds"`   // 0 for a check that shares its reading with the check before it.

	mu  sync.Mutex
	max int
}

// Violate notes a violation.
func (c *Check) Violate(position int64, subject, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Violations++
	if len(c.Listed) < c.max {
		c.Listed = append(c.Listed, Violation{position, subject, fmt.Sprintf(format, args...)})
	}
}

// Report is the result of a verification.
type Report struct {
	Epoch  int           `json:"epoch"`
	Head   int64         `json:"head"`   // The last position at the snapshot.
	Sealed int64         `json:"sealed"` // The size of the latest checkpoint in the database; 0 for none.
	Checks []*Check      `json:"checks"`
	Notes  []string      `json:"notes,omitempty"` // Facts that a reader of the report must know.
	Took   time.Duration `json:"tookNanoseconds"`
	max    int
}

// Violations is the number of violations.
func (r *Report) Violations() int64 {
	var n int64
	for _, c := range r.Checks {
		n += c.Violations
	}
	return n
}

// Find is the check with a name; nil when there is none.
func (r *Report) Find(name string) *Check {
	for _, c := range r.Checks {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// check begins a check.
func (r *Report) check(name, rule string) *Check {
	c := &Check{Name: name, Rule: rule, max: r.max}
	r.Checks = append(r.Checks, c)
	return c
}

func (r *Report) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// timed runs a check and measures its time.
func timed(c *Check, f func() error) error {
	began := clock.Start()
	err := f()
	c.Took = began.Took()
	return err
}
