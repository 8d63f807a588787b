package people

import (
	"context"
	"crypto/subtle"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"adashi.ng/ledger/base/clock"
)

const (
	cacheValid     = 5 * time.Second
	tombstoneValid = 30 * time.Second // By the machine: longer than any read that may still be under way.
	cacheMax       = 20_000
	readTimeMax    = 10 * time.Second
)

// sessionKey is the hashes of what opens a session.
type sessionKey struct{ token, secret [32]byte }

// sessionCache keeps sessions for a few seconds, by the token's hash. An ended one leaves a tombstone, so that a read
// which began before the end cannot bring it back. What is kept ends by the product's clock, and at once when that goes
// back to before it was read, since it would be kept for too long then. A tombstone stays as long as the machine may
// still read, however the product's clock moves meanwhile.
type sessionCache struct {
	now     clock.Clock
	mu      sync.RWMutex
	entries map[[32]byte]cached
	changes uint64 // How often a session that goes on was forgotten.
	flight  singleflight.Group
}

type cached struct {
	caller       Caller
	secret       [32]byte // Its hash.
	since, until time.Time
	ended        *clock.Watch // Since it is a tombstone.
}

// over reports whether an entry says nothing any more.
func (c cached) over(now time.Time) bool {
	if c.ended != nil {
		return c.ended.Took() >= tombstoneValid
	}
	return now.Before(c.since) || !now.Before(c.until)
}

func newSessionCache(now clock.Clock) *sessionCache {
	return &sessionCache{now: now, entries: make(map[[32]byte]cached)}
}

// get answers a session that is kept, and whether the secret is right.
func (c *sessionCache) get(k sessionKey) (caller Caller, found, right bool) {
	c.mu.RLock()
	entry, ok := c.entries[k.token]
	c.mu.RUnlock()
	if !ok || entry.ended != nil || entry.over(c.now()) {
		return Caller{}, false, false
	}
	return entry.caller, true, subtle.ConstantTimeCompare(entry.secret[:], k.secret[:]) == 1
}

type readFunc func(ctx context.Context, k sessionKey) (Caller, time.Time, error)

// load reads once for all who ask with the same key at the same time. The read outlives the one that asked first.
func (c *sessionCache) load(ctx context.Context, k sessionKey, read readFunc) (Caller, error) {
	answer, err, _ := c.flight.Do(string(k.token[:])+string(k.secret[:]), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), readTimeMax)
		defer cancel()
		c.mu.RLock()
		began := c.changes
		c.mu.RUnlock()
		asked := c.now()
		caller, expires, err := read(ctx, k)
		if err != nil {
			return Caller{}, err
		}
		if !c.put(k, caller, expires, asked, began) {
			return Caller{}, expired()
		}
		return caller, nil
	})
	return answer.(Caller), err
}

// put reports false when the session ended meanwhile. It does not keep a row that changed meanwhile. asked is the time
// just before the row was read, so that the entry of a clock that has moved since is already over.
func (c *sessionCache) put(k sessionKey, caller Caller, expires, asked time.Time, began uint64) bool {
	until := asked.Add(cacheValid)
	if expires.Before(until) {
		until = expires
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry := c.entries[k.token]; entry.ended != nil && !entry.over(asked) {
		return false
	}
	if c.changes == began {
		c.shrink(asked)
		c.entries[k.token] = cached{caller: caller, secret: k.secret, since: asked, until: until}
	}
	return true
}

// forget has a session that goes on read anew.
func (c *sessionCache) forget(token [32]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	if c.entries[token].ended == nil {
		delete(c.entries, token)
	}
}

func (c *sessionCache) end(hash [32]byte) {
	now, watch := c.now(), clock.Start()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.shrink(now)
	c.entries[hash] = cached{ended: &watch}
}

// shrink keeps the cache bounded: first what is out of date goes, then whatever comes to hand but tombstones.
func (c *sessionCache) shrink(now time.Time) {
	if len(c.entries) < cacheMax {
		return
	}
	for hash, entry := range c.entries {
		if entry.over(now) {
			delete(c.entries, hash)
		}
	}
	for hash, entry := range c.entries {
		if len(c.entries) < cacheMax*3/4 {
			return
		}
		if entry.ended == nil {
			delete(c.entries, hash)
		}
	}
}
