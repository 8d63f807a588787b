package people

import (
	"context"
	"crypto/subtle"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	cacheValid     = 5 * time.Second
	tombstoneValid = 30 * time.Second // Longer than any read that may still be under way.
	cacheMax       = 20_000
	readTimeMax    = 10 * time.Second
)

// sessionKey is the hashes of what opens a session.
type sessionKey struct{ token, secret [32]byte }

// sessionCache keeps sessions for a few seconds, by the token's hash. An ended one leaves a tombstone, so that a read
// which began before the end cannot bring it back.
type sessionCache struct {
	now     func() time.Time
	mu      sync.RWMutex
	entries map[[32]byte]cached
	changes uint64 // How often a session that goes on was forgotten.
	flight  singleflight.Group
}

type cached struct {
	caller Caller
	secret [32]byte // Its hash.
	until  time.Time
	ended  bool
}

func newSessionCache(now func() time.Time) *sessionCache {
	return &sessionCache{now: now, entries: make(map[[32]byte]cached)}
}

// get answers a session that is kept, and whether the secret is right.
func (c *sessionCache) get(k sessionKey) (caller Caller, found, right bool) {
	c.mu.RLock()
	entry, ok := c.entries[k.token]
	c.mu.RUnlock()
	if !ok || entry.ended || !c.now().Before(entry.until) {
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
		caller, expires, err := read(ctx, k)
		if err != nil {
			return Caller{}, err
		}
		if !c.put(k, caller, expires, began) {
			return Caller{}, expired()
		}
		return caller, nil
	})
	return answer.(Caller), err
}

// put reports false when the session ended meanwhile. A row that changed meanwhile is not kept.
func (c *sessionCache) put(k sessionKey, caller Caller, expires time.Time, began uint64) bool {
	now := c.now()
	until := now.Add(cacheValid)
	if expires.Before(until) {
		until = expires
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if entry := c.entries[k.token]; entry.ended && now.Before(entry.until) {
		return false
	}
	if c.changes == began {
		c.shrink(now)
		c.entries[k.token] = cached{caller: caller, secret: k.secret, until: until}
	}
	return true
}

// forget has a session that goes on read anew.
func (c *sessionCache) forget(token [32]byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	if !c.entries[token].ended {
		delete(c.entries, token)
	}
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
