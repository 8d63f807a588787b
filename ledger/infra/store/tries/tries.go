package store

import (
	"slices"
	"time"
)

// A refusal under a key is remembered for ever, in a row of its own. So everybody has only so many an hour: whoever has
// used theirs up is sent away before anything is decided, and nothing is recorded, so the key stays free. The rows
// themselves are what is counted, whichever process wrote them and whenever it was started. Each process counts on by
// itself in between, so that several together may let a few more through.

// recount is after how many refusals of somebody the rows are counted again.
const recount = 50

// system is who has no such limit: Adashi itself.
const system = "system"

// tried is how many refusals of somebody's were remembered in an hour.
type tried struct {
	hour    time.Time
	n       int
	read    int  // n when the rows were counted last.
	counted bool // They were.
}

// triedMax is how many people's are kept.
const triedMax = 10_000

// note takes down that a refusal will be remembered.
func (s *Store) note(actor string, at time.Time) {
	hour := at.Truncate(time.Hour)
	t := s.tries[actor]
	if t == nil && len(s.tries) >= triedMax {
		clear(s.tries)
	}
	if t == nil || t.hour != hour {
		t = &tried{hour: hour}
		s.tries[actor] = t
	}
	t.n++
}

// tooMany answers how long an actor's keyed commands are sent away for.
func (s *Store) tooMany(actor string, at time.Time) time.Duration {
	if len(s.tries) == 0 || actor == system {
		return 0
	}
	t, hour := s.tries[actor], at.Truncate(time.Hour)
	if t == nil || t.hour != hour || t.n < s.opt.Refusals {
		return 0
	}
	return hour.Add(time.Hour).Sub(at)
}

// recounts names whose rows are to be counted.
func (s *Store) recounts(batch []*waiting, n *Need) {
	if len(s.tries) == 0 {
		return
	}
	for _, w := range batch {
		actor := w.command.Actor
		t := s.tries[actor]
		if t == nil || !w.command.Keyed || t.counted && t.n-t.read < recount || slices.Contains(n.Tried, actor) {
			continue
		}
		n.Tried = append(n.Tried, actor)
		if n.TriedSince.Before(t.hour) {
			n.TriedSince = t.hour
		}
	}
}

// count takes in how many there are.
func (s *Store) count(n Need, f Found) {
	for _, actor := range n.Tried {
		if t := s.tries[actor]; t != nil && t.hour.Equal(n.TriedSince) {
			t.n, t.counted = max(t.n, f.Tried[actor]), true
			t.read = t.n
		}
	}
}
