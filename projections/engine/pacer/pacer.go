// Package pacer slows appends down to the pace of the read models.
package pacer

import (
	"time"

	"adashi.ng/ledger/base/clock"
)

// The limits of a Pacer.
const (
	// paceFrom is how far the read models may be behind before appends are slowed to their pace.
	paceFrom = 200 * time.Millisecond
	// paceUpTo is how far behind they may be for that: beyond it they are catching up after an interruption, and
	// appends must not be slower for it.
	paceUpTo = 5 * time.Second
	// paceMost is the longest wait of a batch.
	paceMost = 500 * time.Millisecond
	// paceOver is the time over which their pace is measured.
	paceOver = time.Second
	// stillFrom is after how long an unmoving part is no longer waited for: it is paused, hangs, or no process keeps
	// it.
	stillFrom = time.Second
	// markEvery and marksMost bound how many write times are remembered.
	markEvery = 10 * time.Millisecond
	marksMost = 1000
)

// Pacer slows appends down to the pace of the read models while these fall behind, so that people see a payment within
// a second of it, however many there are. Without it, a machine that is busy taking payments has no time left to show
// them.
type Pacer struct {
	tracker Tracker
	watch   clock.Watch // The clock of the marks.
	written []mark      // Positions that some model has not reached.
	stood   []mark      // The positions of the slowest model, over paceOver.
	last    mark        // The last position written before, and when the next batch was let go.
}

// Tracker knows the positions of the read models, as engine.Tracker does.
type Tracker interface {
	// Moving answers the position of the slowest model that moved of late, and whether any did.
	Moving(within time.Duration) (least int64, some bool)
}

// mark is a position with the watch's time at which it was written or reached.
type mark struct {
	pos int64
	at  time.Duration
}

// New makes a Pacer that uses a tracker's positions.
func New(t Tracker) *Pacer { return &Pacer{tracker: t, watch: clock.Start()} }

// Wait answers how long the next batch must wait, given the position that was just written. It is for one appender.
func (p *Pacer) Wait(pos int64) time.Duration {
	now := p.watch.Took()
	wait := p.wait(pos, now)
	p.last = mark{pos, now + wait}
	return wait
}

func (p *Pacer) wait(pos int64, now time.Duration) time.Duration {
	if p.last.pos == 0 {
		p.written = append(p.written, mark{pos, now - 2*paceUpTo}) // Earlier delays are no fault of now.
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
	// A batch waits as long as the models take for as many events, and longer the further behind they are.
	folded := max(1, least-p.stood[0].pos)
	takes := over * time.Duration(pos-p.last.pos) / time.Duration(folded)
	takes += takes * (behind - paceFrom) / time.Second
	return max(0, min(takes-(now-p.last.at), paceMost))
}

// noted drops the first marks that are over and appends one, unless there is a very recent one. Of too many marks it
// drops every other one.
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
