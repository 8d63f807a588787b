package engine

import (
	"cmp"
	"time"
)

// Joint workers fold one part after another, so that one of them keeps at most one connection to Postgres busy.
const (
	// secondFrom is how much of a second one joint worker folds before a second one takes a part of the work.
	secondFrom = 400 * time.Millisecond
	// evenEvery is how often they look whether their work is shared well.
	evenEvery = time.Second
)

// pace is how long a part takes to fold.
type pace struct {
	last  time.Duration // Its last batch.
	spent time.Duration // Since its cost was last reckoned.
	cost  time.Duration // A second, of late.
}

func (p *pace) took(d time.Duration) {
	p.last = d
	p.spent += d
}

// reckon is called every evenEvery or so.
func (p *pace) reckon(after time.Duration) {
	p.cost = (p.cost + time.Duration(float64(p.spent)*float64(time.Second)/float64(after))) / 2
	p.spent = 0
}

// compare orders parts by model and number.
func (k *keeper) compare(other *keeper) int {
	return cmp.Or(cmp.Compare(k.model.Name, other.model.Name), cmp.Compare(k.part.N, other.part.N))
}

// jointFor answers the joint worker that should keep a part that stands at a position: the first one while it can do
// all, else the one that has less to do; nil when none is near.
func (e *Engine) jointFor(pos int64) (best *joint) {
	var total, least time.Duration
	for _, j := range e.joints {
		j.mu.Lock()
		stands, empty, load := j.stands, j.empty, j.load
		j.mu.Unlock()
		total += load
		if distance := stands - pos; !empty && (distance > near || distance < -near) {
			continue
		}
		if best == nil || total > secondFrom && load < least {
			best, least = j, load
		}
	}
	return best
}

// even hands parts back that another joint worker had better keep, as many of a model as there are: as one they cost
// less.
func (j *joint) even() {
	after := time.Since(j.evened)
	if after < evenEvery {
		return
	}
	j.evened = time.Now()
	costs := map[string]time.Duration{}
	for _, k := range j.members {
		k.pace.reckon(after)
		costs[k.model.Name] += k.pace.cost
	}
	j.note()
	var mine, theirs time.Duration
	for _, other := range j.engine.joints {
		other.mu.Lock()
		if other == j {
			mine = other.load
		} else {
			theirs += other.load
		}
		other.mu.Unlock()
	}
	first := j == j.engine.joints[0]
	switch total := mine + theirs; {
	case !first && total < secondFrom/2:
		j.handBack(nil, func(*keeper) bool { return true })
	case total > secondFrom && mine-theirs > total/4:
		// The model whose going leaves the two the most alike.
		moves, left := "", mine-theirs
		for name, cost := range costs {
			if after := (mine - theirs - 2*cost).Abs(); after < left {
				moves, left = name, after
			}
		}
		if moves != "" {
			j.handBack(nil, func(k *keeper) bool { return k.model.Name == moves })
		}
	}
}
