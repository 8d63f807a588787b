// Package pacer holds appends to the pace of the read models.
package pacer

import (
	"time"

	"adashi.ng/ledger/base/clock"
)

// What a Pacer goes by.
const (
	// paceFrom is how far the read models may be behind before appends are held to their pace.
	paceFrom = 200 * time.Millisecond
	// paceUpTo is how far they may be behind for that: beyond it they catch up with what happened while they were away,
	// and nobody is to be slower for it.
	paceUpTo = 5 * time.Second
	// paceMost is how long a batch waits at most.
	paceMost = 500 * time.Millisecond
	// paceOver is what their pace is measured over.
	paceOver = time.Second
	// stillFrom is from when a part that does not move is not waited for: it is paused, hangs, or nobody keeps it.
	stillFrom = time.Second
	// markEvery and marksMost bound what is remembered of when positions were written.
	markEvery = 10 * time.Millisecond
	marksMost = 1000
)

// Pacer holds appends to the pace of the read models while these fall behind, so that everybody sees a payment within a
// second of it, however many there are. Without it, a machine that is busy taking payments has no time left to show
// them.
type Pacer struct {
	tracker Tracker
	watch   clock.Watch // Marks are set by it.
	written []mark      // Of what some model has not come to.
	stood   []mark      // Where the last of the models stood, over paceOver.
	last    mark        // What was written before, and when the next batch was let go.
}

// Tracker knows where the read models stand, as engine.Tracker does.
type Tracker interface {
	// Moving answers where the last of those stands that moved of late, and whether any did.
	Moving(within time.Duration) (least int64, some bool)
}

// mark is a position, and when on the watch it was written or stood at.
type mark struct {
	pos int64
	at  time.Duration
}

// New makes one that goes by what a tracker hears.
func New(t Tracker) *Pacer { return &Pacer{tracker: t, watch: clock.Start()} }

// Wait answers how long the next batch is to wait, given the position that was just written. It is for one appender.
func (p *Pacer) Wait(pos int64) time.Duration {
	now := p.watch.Took()
	wait := p.wait(pos, now)
	p.last = mark{pos, now + wait}
	return wait
}

func (p *Pacer) wait(pos int64, now time.Duration) time.Duration {
	if p.last.pos == 0 {
		p.written = append(p.written, mark{pos, now - 2*paceUpTo}) // What they lack of before is no fault of now.
	}
	least, some := p.tracker.Moving(stillFrom)
	if !some {
		p.written, p.stood = noted(p.written, mark{pos, now}, func(mark) bool { return false }), p.stood[:0]
		return 0
	}
	p.written = noted(p.written, mark{pos, now}, func(m mark) bool { return m.pos <= least })
	p.stood = noted(p.stood, mark{least, now}, func(m mark) bool { return now-m.at > paceOver })
	behind, over := now-p.written[0].at, now-p.stood[0].at
	if behind < paceFrom || behind > paceUpTo || over < paceOver/4 {
		return 0
	}
	// A batch takes as long as they take for as many events, and longer the further behind they are.
	folded := max(1, least-p.stood[0].pos)
	takes := over * time.Duration(pos-p.last.pos) / time.Duration(folded)
	takes += takes * (behind - paceFrom) / time.Second
	return max(0, min(takes-(now-p.last.at), paceMost))
}

// noted drops the first marks that are over and appends one, unless there is one of just now. Of too many, every other
// one goes.
func noted(marks []mark, m mark, over func(mark) bool) []mark {
	n := 0
	for n < len(marks) && over(marks[n]) {
		n++
	}
	marks = append(marks[:0], marks[n:]...)
	if len(marks) > 0 && m.at-marks[len(marks)-1].at < markEvery {
		return marks
	}
	if marks = append(marks, m); len(marks) < marksMost {
		return marks
	}
	half := marks[:0]
	for n := 0; n < len(marks); n += 2 {
		half = append(half, marks[n])
	}
	return half
}
