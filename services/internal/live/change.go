package live

import "adashi.ng/projections/engine"

// Subject is where projections say what changed, over core NATS.
const Subject = engine.ChangedSubject

// Change is a message on Subject.
type Change = engine.Changed

// topicGroups is the user topic that says that their memberships changed.
const topicGroups = "groups"

// ringMax is how many changes can be resumed from.
const ringMax = 10_000

// ring keeps the newest changes in the order they came.
type ring struct {
	changes []Change
	next    int // Where the next one goes once the ring is full.
}

func (r *ring) add(change Change) {
	if len(r.changes) < ringMax {
		r.changes = append(r.changes, change)
		return
	}
	r.changes[r.next] = change
	r.next = (r.next + 1) % ringMax
}

func (r *ring) at(i int) *Change { return &r.changes[(r.next+i)%len(r.changes)] }

// last is the position of the newest change, or 0.
func (r *ring) last() int64 {
	if len(r.changes) == 0 {
		return 0
	}
	return r.at(len(r.changes) - 1).Position
}

// since answers what came after the first change with that position, and whether there is such a one.
func (r *ring) since(position int64) ([]*Change, bool) {
	for i := range r.changes {
		if r.at(i).Position != position {
			continue
		}
		var after []*Change
		for j := i + 1; j < len(r.changes); j++ {
			after = append(after, r.at(j))
		}
		return after, true
	}
	return nil, false
}
