package people

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"adashi.ng/ledger/fault"
)

const (
	cacheValid     = 5 * time.Second
	tombstoneValid = 30 * time.Second // Longer than any read that may still be under way.
	cacheMax       = 20_000
	readTimeMax    = 10 * time.Second
)

// sessionCache keeps sessions for a few seconds. An ended one leaves a tombstone, so that a read which began before
// the end cannot bring it back.
type sessionCache struct {
	now     func() time.Time
	mu      sync.RWMutex
	entries map[[32]byte]cached
	flight  singleflight.Group
}

type cached struct {
	caller Caller
	until  time.Time
	ended  bool
}

func newSessionCache(now func() time.Time) *sessionCache {
	return &sessionCache{now: now, entries: make(map[[32]byte]cached)}
}

func (c *sessionCache) get(hash [32]byte) (Caller, bool) {
	c.mu.RLock()
	entry, ok := c.entries[hash]
	c.mu.RUnlock()
	return entry.caller, ok && !entry.ended && c.now().Before(entry.until)
}

type readFunc func(ctx context.Context, hash [32]byte) (Caller, time.Time, error)

// load reads once for all who ask at the same time. The read outlives the one that asked first.
func (c *sessionCache) load(ctx context.Context, hash [32]byte, read readFunc) (Caller, error) {
	answer, err, _ := c.flight.Do(string(hash[:]), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeMax)
		defer cancel()
		caller, expires, err := read(ctx, hash)
		if err != nil {
			return Caller{}, err
		}
		if !c.put(hash, caller, expires) {
			return Caller{}, fault.New(fault.Unauthenticated, "Your session has expired, please log in to continue")
		}
		return caller, nil
	})
	return answer.(Caller), err
}

// put reports false when the session ended meanwhile.
func (c *sessionCache) put(hash [32]byte, caller Caller, expires time.Time) bool {
	now := c.now()
	until := now.Add(cacheValid)
	if expires.Before(until) {
		until = expires
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry := c.entries[hash]; entry.ended && now.Before(entry.until) {
		return false
	}
	c.shrink(now)
	c.entries[hash] = cached{caller: caller, until: until}
	return true
}

func (c *sessionCache) end(hash [32]byte) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shrink(now)
	c.entries[hash] = cached{ended: true, until: now.Add(tombstoneValid)}
}

// shrink keeps the cache bounded: first what is out of date goes, then whatever comes to hand but tombstones.
func (c *sessionCache) shrink(now time.Time) {
	if len(c.entries) < cacheMax {
		return
	}
	for hash, entry := range c.entries {
		if !now.Before(entry.until) {
			delete(c.entries, hash)
		}
	}
	for hash, entry := range c.entries {
		if len(c.entries) < cacheMax*3/4 {
			return
		}
		if !entry.ended {
			delete(c.entries, hash)
		}
	}
}
