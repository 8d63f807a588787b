// Package recent is a cache of short-lived values about people, so that a page does not read them each time. It forgets
// at once a value that this process changes. A value that another process changes is read again when it has expired, or
// when the clock went back to before it was read.
package recent

import (
	"sync"
	"time"

	"github.com/google/uuid"

	"adashi.ng/ledger/base/clock"
)

const entriesMax = 20_000

// Cache keeps a V for each id. It is safe for concurrent use.
type Cache[V any] struct {
	now   clock.Clock
	valid time.Duration

	mu        sync.Mutex
	entries   map[string]entry[V]
	forgotten int // How often something was.
}

type entry[V any] struct {
	value        V
	since, until time.Time
}

// New makes a cache that keeps what was read for so long.
func New[V any](now clock.Clock, valid time.Duration) *Cache[V] {
	return &Cache[V]{now: now, valid: valid, entries: make(map[string]entry[V])}
}

// Get answers the values of ids. Those that are not kept are read, and kept unless something was forgotten meanwhile:
// it may have been read before it changed. Ids that read does not answer, and those that are no UUID, are absent.
func (c *Cache[V]) Get(ids []string, read func(missing []uuid.UUID) (map[string]V, error)) (map[string]V, error) {
	found := make(map[string]V, len(ids))
	missing, forgotten := c.take(ids, found)
	if len(missing) == 0 {
		return found, nil
	}
	fresh, err := read(missing)
	if err != nil {
		return nil, err
	}
	for id, value := range fresh {
		found[id] = value
	}
	c.keep(fresh, forgotten)
	return found, nil
}

func (c *Cache[V]) take(ids []string, found map[string]V) (missing []uuid.UUID, forgotten int) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, id := range ids {
		if e, ok := c.entries[id]; ok && !now.Before(e.since) && now.Before(e.until) {
			found[id] = e.value
		} else if parsed, err := uuid.Parse(id); err == nil {
			missing = append(missing, parsed)
		}
	}
	return missing, c.forgotten
}

func (c *Cache[V]) keep(fresh map[string]V, forgotten int) {
	since := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.forgotten != forgotten {
		return
	}
	if len(c.entries)+len(fresh) > entriesMax {
		clear(c.entries)
	}
	for id, value := range fresh {
		c.entries[id] = entry[V]{value, since, since.Add(c.valid)}
	}
}

// Forget has an id read anew. Call it when its change is committed.
func (c *Cache[V]) Forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.entries, id)
	c.forgotten++
}
