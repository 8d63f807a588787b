package engine

import (
	"cmp"
	"math"
	"slices"
	"time"

	"adashi.ng/ledger/base/clock"
)

// A joint worker folds one part after another, so it keeps at most one connection to Postgres busy. While there is
// little to do, the first one has all models: one transaction for each batch. As its load grows the other takes models
// from it. A third one was no faster on two cores.
const (
	jointsMost = 2
	busyFrom   = 400 * time.Millisecond // Options.Busy when it is zero.
	// evenEvery is how often they check whether their work is well shared.
	evenEvery = time.Second
)

// pace is how long a part takes to fold.
type pace struct {
	last  time.Duration // Its last batch.
	spent time.Duration // Since its cost was last computed.
	cost  time.Duration // For each second, of late.
}

func (p *pace) took(d time.Duration) {
	p.last = d
	p.spent += d
}

// reckon computes the cost; it is called about every evenEvery.
func (p *pace) reckon(after time.Duration) {
	p.cost = (p.cost + time.Duration(float64(p.spent)*float64(time.Second)/float64(after))) / 2
	p.spent = 0
}

// compare orders parts by model and number.
func (k *keeper) compare(other *keeper) int {
	return cmp.Or(cmp.Compare(k.model.Name, other.model.Name), cmp.Compare(k.part.N, other.part.N))
}

// jointFor answers the joint worker that should keep a part: one that has others of its model, else the first that is
// not busy, else the one with the least load; nil when none is near.
func (e *Engine) jointFor(k *keeper) (best *joint) {
	least := time.Duration(math.MaxInt64)
	for _, j := range e.joints {
		s := j.state()
		if distance := s.pos - k.pos; j == k.avoids || len(s.models) > 0 && (distance > near || distance < -near) {
			continue
		}
		if slices.Contains(s.models, k.model.Name) {
			return j
		}
		if s.load < least && least > e.Busy {
			best, least = j, s.load
		}
	}
	return best
}

// even hands back a model that the other joint worker should keep.
func (j *joint) even() {
	after := j.evened.Took()
	if after < evenEvery {
		return
	}
	j.evened = clock.Start()
	costs := map[string]time.Duration{}
	for _, k := range j.members {
		k.pace.reckon(after)
		costs[k.model.Name] += k.pace.cost
	}
	j.note()
	mine, total, least := j.state().load, time.Duration(0), time.Duration(math.MaxInt64)
	for _, other := range j.engine.joints {
		load := other.state().load
		total += load
		if other != j {
			least = min(least, load)
		}
	}
	switch {
	case j != j.engine.joints[0] && total < j.engine.Busy/2:
		j.pass(func(*keeper) bool { return true })
	case mine > j.engine.Busy && least < mine*3/4:
		// The model whose move makes the two loads most alike.
		moves, left := "", (mine-least)*3/4
		for name, cost := range costs {
			if after := (mine - least - 2*cost).Abs(); after < left {
				moves, left = name, after
			}
		}
		j.pass(func(k *keeper) bool { return k.model.Name == moves })
	}
}

// pass hands back parts that another joint worker should keep.
func (j *joint) pass(which func(*keeper) bool) {
	j.handBack(nil, func(k *keeper) bool {
		passed := which(k)
		if passed {
			k.avoids = j
		}
		return passed
	})
}
