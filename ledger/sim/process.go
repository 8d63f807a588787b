package sim

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// Site is a marked place in a process. The process may crash there, or find the database or the bus away.
type Site string

// The sites, in the order in which a command meets them.
const (
	Load             Site = "load"
	Lock             Site = "lock"
	Locked           Site = "locked"
	Settle           Site = "settle"
	AfterDecide      Site = "after decide"
	BeforeCommit     Site = "before commit"
	AfterCommit      Site = "after commit"
	BeforeReply      Site = "before reply"
	BeforePublish    Site = "before publish"
	AfterPublish     Site = "after publish"
	BeforeCheckpoint Site = "before checkpoint"
	AfterProjection  Site = "after projection"
)

// Sites lists all sites.
var Sites = []Site{Load, Lock, Locked, Settle, AfterDecide, BeforeCommit, AfterCommit, BeforeReply, BeforePublish, AfterPublish, BeforeCheckpoint, AfterProjection}

// Weather is how likely each fault is at a visit to a site.
type Weather struct {
	Seed    uint64
	Crash   float64
	Outage  float64
	Lost    float64       // A commit's reply.
	Stall   float64       // The process is paused for up to half a minute.
	Latency time.Duration // Of a round trip, at most.

	healed  atomic.Bool
	mu      sync.Mutex
	crashes map[Site]int
}

// Heal ends all faults.
func (w *Weather) Heal() { w.healed.Store(true) }

// Crashes is how often processes crashed at each site.
func (w *Weather) Crashes() map[Site]int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.crashes
}

// Process is one life of a simulated process. Everything it does takes time and may fail; after a crash everything it
// does fails. The n-th visit to a site depends only on the seed, the process's name, the site and n, not on the other
// processes. A nil Process has no faults.
type Process struct {
	name    string
	weather *Weather
	crashed chan struct{}

	mu     sync.Mutex
	dead   bool
	visits map[Site]uint64
}

// NewProcess starts a life; its name must be its own.
func NewProcess(name string, w *Weather) *Process {
	return &Process{name: name, weather: w, crashed: make(chan struct{}), visits: map[Site]uint64{}}
}

var (
	errCrashed = errors.New("sim: the process crashed")
	errOutage  = errors.New("sim: an outage")
)

// chance is the source of randomness for the n-th time of something with a name.
func chance(seed uint64, name string, n uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()^n*0x9e3779b97f4a7c15))
}

// randomBytes are the same for the same seed and name.
func randomBytes(seed uint64, name string) *rand.ChaCha8 {
	return rand.NewChaCha8(sha256.Sum256(fmt.Append(nil, seed, " ", name)))
}

// draw is the source of randomness of this visit to a site.
func (p *Process) draw(site Site) *rand.Rand {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.visits[site]++
	return chance(p.weather.Seed, p.name+" "+string(site), p.visits[site])
}

// at visits a site: time passes, and then the process may crash or meet an outage.
func (p *Process) at(ctx context.Context, site Site) error {
	if p == nil {
		return nil
	}
	r := p.draw(site)
	wait := time.Duration(1 + r.Int64N(int64(p.weather.Latency)))
	fine := p.weather.healed.Load()
	if !fine && r.Float64() < p.weather.Stall {
		wait += time.Duration(r.Int64N(int64(30 * time.Second)))
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-p.crashed:
		return errCrashed
	case <-ctx.Done():
		return ctx.Err()
	}
	if fine {
		return p.alive()
	}
	switch luck := r.Float64(); {
	case luck < p.weather.Crash:
		p.crash(site)
	case luck < p.weather.Crash+p.weather.Outage:
		return errOutage
	}
	return p.alive()
}

// die may crash a process that would otherwise continue.
func (p *Process) die(site Site) {
	if p != nil && !p.weather.healed.Load() && p.draw(site).Float64() < p.weather.Crash {
		p.crash(site)
	}
}

// reply decides whether a commit's reply is lost, and the outcome of the transaction later.
func (p *Process) reply() (lost, committed bool, later func()) {
	if p == nil || p.weather.healed.Load() {
		return false, false, nil
	}
	r := p.draw("reply")
	lost, committed = r.Float64() < p.weather.Lost, r.Float64() < 0.5
	wait := time.Duration(r.Int64N(int64(2 * time.Second)))
	return lost, committed, func() { time.Sleep(wait) }
}

func (p *Process) crash(site Site) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return
	}
	p.dead = true
	close(p.crashed)
	p.weather.mu.Lock()
	defer p.weather.mu.Unlock()
	if p.weather.crashes == nil {
		p.weather.crashes = map[Site]int{}
	}
	p.weather.crashes[site]++
}

func (p *Process) alive() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return errCrashed
	}
	return nil
}
