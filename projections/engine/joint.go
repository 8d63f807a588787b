package engine

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/guard"
)

const (
	// near is how many events a part may be away from a joint worker's position for the worker to catch it up.
	near = batchMax
	// slowMax is the longest fold of a batch for a part to be kept together with others, which wait for it.
	slowMax = 2 * time.Second
	// jointMax is the longest time for a batch of several parts before each is left to itself.
	jointMax = 5 * time.Second
	// far is how many events the parts may be behind before each catches up by itself: sharing a transaction saves
	// nothing when it has a thousand events, and separately they use all processors.
	far = 3 * batchMax
)

// joint is a worker that keeps several parts at one position: it takes one batch for all of them, moves their
// checkpoints in one statement and folds one after another in one transaction. A part's keeper joins with
// keeper.together, and waits until it is handed back:
//
//   - because it leaves: its context ended;
//   - because a batch failed, or a checkpoint had moved: then each takes that batch in a transaction of its own,
//     as it would alone, and comes back. A part that cannot take it pauses alone;
//   - because it was slow, all are far behind, or the other joint worker should keep it.
type joint struct {
	engine  *Engine
	pos     int64     // The position of the members.
	members []*keeper // By model and part.
	ahead   []*keeper // Keepers a little further on, which wait there for the members.
	evened  clock.Watch

	wake   chan struct{}
	mu     sync.Mutex
	open   bool               // It is running.
	wishes []*keeper          // Keepers that want to join.
	cancel context.CancelFunc // Interrupts its current work, for a keeper that leaves.
	noted  jointState
}

// jointState is a joint worker's position and load, for keepers that look for one.
type jointState struct {
	pos    int64
	models []string      // The models that it keeps; empty when there are none.
	load   time.Duration // Their cost, see pace.
}

func (j *joint) state() jointState {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.noted
}

func newJoints(e *Engine) []*joint {
	joints := make([]*joint, jointsMost)
	for i := range joints {
		joints[i] = &joint{engine: e, wake: make(chan struct{}, 1)}
	}
	return joints
}

// together lets a joint worker keep the part while one is at its position.
func (k *keeper) together(ctx context.Context) error {
	if k.pos < k.aloneTo || k.pace.last > slowMax {
		return nil
	}
	j := k.engine.jointFor(k)
	if j == nil || !j.join(k, ctx.Err) {
		return nil
	}
	defer context.AfterFunc(ctx, j.interrupt)()
	if err := <-k.back; err != nil {
		return err
	}
	return k.store(ctx)
}

// join gives a part to the joint worker.
func (j *joint) join(k *keeper, ended func() error) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.open {
		k.ended, k.avoids = ended, nil
		j.wishes = append(j.wishes, k)
		j.noted.load += k.pace.cost
		j.noted.models = append(slices.Clip(j.noted.models), k.model.Name)
		if len(j.noted.models) == 1 {
			j.noted.pos = k.pos
		}
		j.rouse()
	}
	return j.open
}

// interrupt ends the joint worker's current work, since a keeper leaves.
func (j *joint) interrupt() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.cancel != nil {
		j.cancel()
	}
	j.rouse()
}

func (j *joint) rouse() {
	select {
	case j.wake <- struct{}{}:
	default:
	}
}

// run keeps the parts that join, until the context ends.
func (j *joint) run(ctx context.Context) {
	f := newFollower(j.engine, make([]Event, batchMax), j.wake)
	defer f.stop()
	j.mu.Lock()
	j.open = true
	j.mu.Unlock()
	defer func() {
		j.mu.Lock()
		j.open = false
		j.mu.Unlock()
		j.handBack(ctx.Err(), func(*keeper) bool { return true })
	}()
	for ctx.Err() == nil {
		working, done := context.WithCancel(ctx)
		j.mu.Lock()
		j.cancel = done
		j.mu.Unlock()
		err := guard.Call(func() error { return j.turn(working, f) })
		interrupted := working.Err() != nil
		done()
		if err != nil && !interrupted && !errors.Is(err, errAlone) {
			j.handBack(err, func(*keeper) bool { return true })
		}
	}
}

func (j *joint) turn(ctx context.Context, f *follower) error {
	j.even()
	if !j.admit(ctx) {
		select {
		case <-j.wake:
		case <-ctx.Done():
		}
		return nil
	}
	return f.step(ctx, j)
}

// admit hands back leaving keepers, catches joining ones up, and reports whether any remain.
func (j *joint) admit(ctx context.Context) bool {
	j.handBack(nil, (*keeper).leaves)
	j.mu.Lock()
	wishes := j.wishes
	j.wishes = nil
	j.mu.Unlock()
	for _, k := range wishes {
		if len(j.members)+len(j.ahead) == 0 {
			j.pos = k.pos
		}
		err := guard.Call(func() error { return j.level(ctx, k) })
		distance := k.pos - j.pos
		if err != nil || distance < 0 || distance > near || k.leaves() {
			k.aloneTo = max(k.aloneTo, j.pos)
			k.back <- err
			continue
		}
		j.ahead = append(j.ahead, k)
	}
	j.promote()
	return len(j.members) > 0
}

// level folds the events that a part is behind the members. They wait meanwhile, so a part that takes longer than one
// of their batches may is left to its own keeper.
func (j *joint) level(ctx context.Context, k *keeper) error {
	limited, done := context.WithTimeout(ctx, jointMax)
	defer done()
	for k.pos < j.pos && k.pos >= j.pos-near && !k.leaves() {
		events, _, _ := j.engine.buffer.After(k.pos, k.room[:min(j.pos-k.pos, batchMax)])
		if len(events) == 0 {
			return nil
		}
		err := k.take(limited, events)
		if err != nil && limited.Err() != nil && ctx.Err() == nil {
			return nil // It is still behind, and is handed back.
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// promote makes members of the keepers ahead whose position the others have reached.
func (j *joint) promote() {
	if len(j.members) == 0 && len(j.ahead) > 0 {
		j.pos = slices.MinFunc(j.ahead, func(a, b *keeper) int { return int(a.pos - b.pos) }).pos
	}
	j.ahead = slices.DeleteFunc(j.ahead, func(k *keeper) bool {
		if k.pos == j.pos {
			j.members = append(j.members, k)
		}
		return k.pos == j.pos
	})
	slices.SortFunc(j.members, (*keeper).compare)
	j.note()
}

// note publishes this worker's position for keepers that look for one.
func (j *joint) note() {
	noted := jointState{pos: j.pos}
	for _, k := range slices.Concat(j.members, j.ahead) {
		noted.load += k.pace.cost
		noted.models = append(noted.models, k.model.Name)
	}
	j.mu.Lock()
	j.noted = noted
	j.mu.Unlock()
}

// handBack gives parts back to their keepers.
func (j *joint) handBack(err error, which func(*keeper) bool) {
	j.mu.Lock()
	wishes := j.wishes
	j.wishes = nil
	j.mu.Unlock()
	for _, of := range []*[]*keeper{&j.members, &j.ahead, &wishes} {
		*of = slices.DeleteFunc(*of, func(k *keeper) bool {
			if !which(k) {
				return false
			}
			k.back <- err
			return true
		})
	}
	j.mu.Lock()
	j.wishes = append(wishes, j.wishes...)
	j.mu.Unlock()
	j.note()
}

// leaves reports whether the part's keeper must end.
func (k *keeper) leaves() bool { return k.ended() != nil }

func (j *joint) at() int64 { return j.pos }

// reload makes every part read its checkpoint again.
func (j *joint) reload(context.Context) error {
	return fmt.Errorf("position %d is beyond the ledger's end", j.pos)
}

// take applies events that follow on the members' position, up to the first keeper ahead.
func (j *joint) take(ctx context.Context, events []Event) error {
	if !j.admit(ctx) {
		return errAlone // All were handed back.
	}
	if events[0].Pos != j.pos+1 {
		return nil // They were for the earlier members.
	}
	for _, k := range j.ahead {
		events = events[:min(int64(len(events)), k.pos-j.pos)]
	}
	through := events[len(events)-1].Pos
	err := j.commit(ctx, events, through)
	switch {
	case err == nil:
		j.pos = through
		j.promote()
		j.handBack(nil, func(k *keeper) bool { return k.pace.last > slowMax })
		if fed := j.engine.buffer.Fed(); fed-through > far {
			j.apart(fed, errAlone)
		}
	case ctx.Err() != nil:
		return ctx.Err()
	default:
		j.apart(through, err)
	}
	return nil
}

// apart makes every member take the events up to a position alone.
func (j *joint) apart(through int64, cause error) {
	if !errors.Is(cause, errAlone) && !poison(cause) {
		slog.Warn("projections: a batch of several read models failed; each takes it for itself", "to position", through, "error", cause)
	}
	members := slices.Clone(j.members)
	for _, k := range members {
		k.aloneTo = through
	}
	j.handBack(nil, func(k *keeper) bool { return slices.Contains(members, k) })
}

// errAlone is returned when another projector moved a checkpoint, and at an event that this build cannot read.
var errAlone = errors.New("it is for each alone to see")
