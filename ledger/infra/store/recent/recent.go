// Package recent is a bounded map that keeps recently used entries.
package recent

// Map has two generations and drops the older one whole. Each generation may weigh half of the limit.
type Map[K comparable, V any] struct {
	young, old map[K]V
	weigh      func(V) int
	held       int // The weight of the young generation.
	limit      int
}

// New makes an empty Map.
func New[K comparable, V any](limit int, weigh func(V) int) Map[K, V] {
	return Map[K, V]{young: map[K]V{}, old: map[K]V{}, limit: limit, weigh: weigh}
}

// Get answers the value under a key, if it is still there, and keeps it longer.
func (m *Map[K, V]) Get(key K) (V, bool) {
	if v, ok := m.young[key]; ok {
		return v, true
	}
	v, ok := m.old[key]
	if ok {
		m.Put(key, v)
	}
	return v, ok
}

// Put puts a value under a key.
func (m *Map[K, V]) Put(key K, v V) {
	if before, ok := m.young[key]; ok {
		m.held -= m.weigh(before)
	}
	m.young[key] = v
	m.held += m.weigh(v)
}

// Turn drops the old generation once the young one is full. Nothing is dropped between turns, so the data that a batch
// loaded stays until the batch is done.
func (m *Map[K, V]) Turn() {
	if m.held > m.limit/2 {
		m.old, m.young, m.held = m.young, map[K]V{}, 0
	}
}
