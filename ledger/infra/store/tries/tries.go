// Package tries counts the refusals that are remembered for each actor in an hour. A refusal under a key is remembered
// for ever, in a row of its own, so each actor may have only so many an hour. An actor who has used theirs up is
// refused before anything is decided; nothing is recorded, so the key stays free. The count is read from the rows, so
// it includes those of other processes and from before a restart. Between reads each process counts only its own, so
// several processes together may let a few more through.
package tries

import "time"

// recount is after how many refusals of an actor the rows are counted again.
const recount = 50

// system is the actor without a limit: Adashi itself.
const system = "system"

// actorsMost is for how many actors a count is kept.
const actorsMost = 10_000

// Tries holds the counts of all actors. Make it with New. It is not safe for concurrent use.
type Tries struct {
	most int
	of   map[string]*tried
}

// tried is how many refusals of one actor were remembered in an hour.
type tried struct {
	hour    time.Time
	n       int
	read    int  // n when the rows were last counted.
	counted bool // The rows were counted.
}

// New allows each actor so many refusals an hour.
func New(most int) Tries { return Tries{most, map[string]*tried{}} }

// Note counts a refusal that will be remembered.
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

// Rest answers for how long an actor's keyed commands are refused.
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

// Recount answers whether an actor's rows must be counted, and since when.
func (t Tries) Recount(actor string) (since time.Time, due bool) {
	if a := t.of[actor]; a != nil && (!a.counted || a.n-a.read >= recount) {
		return a.hour, true
	}
	return time.Time{}, false
}

// Counted takes the number of rows that an actor has since an hour.
func (t Tries) Counted(actor string, since time.Time, n int) {
	if a := t.of[actor]; a != nil && a.hour.Equal(since) {
		a.n, a.counted = max(a.n, n), true
		a.read = a.n
	}
}
