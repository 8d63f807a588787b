package live

import "adashi.ng/projections/engine"

// Subject is where projections say what changed, over core NATS.
const Subject = engine.ChangedSubject

// Change is a message on Subject.
type Change = engine.Changed

// topicGroups is the user topic that says that their memberships changed.
const topicGroups = "groups"

// ring keeps the newest changes in the order they came: so many at most, and no more than name so many users and groups
// together, since one change may name a thousand.
type ring struct {
	changes []Change
	named   int
}

const (
	ringMax  = 10_000
	namedMax = 50_000
)

func (r *ring) add(change Change) {
	r.changes = append(r.changes, change)
	r.named += names(change)
	for len(r.changes) > ringMax || r.named > namedMax && len(r.changes) > 1 {
		r.named -= names(r.changes[0])
		r.changes[0] = Change{}
		r.changes = r.changes[1:]
	}
}

func names(change Change) int { return len(change.Users) + len(change.Groups) }

// last is the position of the newest change, or 0.
func (r *ring) last() int64 {
	if len(r.changes) == 0 {
		return 0
	}
	return r.changes[len(r.changes)-1].Position
}

// since answers what came after the first change with that position, and whether there is such a one.
func (r *ring) since(position int64) ([]*Change, bool) {
	for i := range r.changes {
		if r.changes[i].Position != position {
			continue
		}
		var after []*Change
		for j := i + 1; j < len(r.changes); j++ {
			after = append(after, &r.changes[j])
		}
		return after, true
	}
	return nil, false
}
