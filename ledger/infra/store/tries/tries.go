// Package tries counts the refusals that are remembered for somebody in an hour. A refusal under a key is remembered
// for ever, in a row of its own. So everybody has only so many an hour: whoever has used theirs up is sent away before
// anything is decided, and nothing is recorded, so the key stays free. The rows themselves are what is counted,
// whichever process wrote them and whenever it was started. Each process counts on by itself in between, so that
// several together may let a few more through.
package tries

import "time"

// recount is after how many refusals of somebody the rows are counted again.
const recount = 50

// system is who has no such limit: Adashi itself.
const system = "system"

// actorsMost is how many people's are kept.
const actorsMost = 10_000

// Tries are everybody's. Make it with New. It is not safe for concurrent use.
type Tries struct {
	most int
	of   map[string]*tried
}

// tried is how many refusals of somebody's were remembered in an hour.
type tried struct {
	hour    time.Time
	n       int
	read    int  // n when the rows were counted last.
	counted bool // They were.
}

// New allows everybody so many an hour.
func New(most int) Tries { return Tries{most, map[string]*tried{}} }

// Note takes down that a refusal will be remembered.
func (t Tries) Note(actor string, at time.Time) {
	hour := at.Truncate(time.Hour)
	a := t.of[actor]
	if a == nil && len(t.of) >= actorsMost {
		clear(t.of)
	}
	if a == nil || a.hour != hour {
		a = &tried{hour: hour}
		t.of[actor] = a
	}
	a.n++
}

// Rest answers how long an actor's keyed commands are sent away for.
func (t Tries) Rest(actor string, at time.Time) time.Duration {
	if len(t.of) == 0 || actor == system {
		return 0
	}
	a, hour := t.of[actor], at.Truncate(time.Hour)
	if a == nil || a.hour != hour || a.n < t.most {
		return 0
	}
	return hour.Add(time.Hour).Sub(at)
}

// Recount answers whether an actor's rows are to be counted, and since when.
func (t Tries) Recount(actor string) (since time.Time, due bool) {
	if a := t.of[actor]; a != nil && (!a.counted || a.n-a.read >= recount) {
		return a.hour, true
	}
	return time.Time{}, false
}

// Counted takes in how many rows an actor has since an hour.
func (t Tries) Counted(actor string, since time.Time, n int) {
	if a := t.of[actor]; a != nil && a.hour.Equal(since) {
		a.n, a.counted = max(a.n, n), true
		a.read = a.n
	}
}
