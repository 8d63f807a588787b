// Package recent is a bounded map that keeps what was used of late.
package recent

// Map has two generations, of which the older one is dropped whole. Each weighs half of the limit.
type Map[K comparable, V any] struct {
	young, old map[K]V
	weigh      func(V) int
	held       int // What the young ones weigh.
	limit      int
}

// New makes an empty one.
func New[K comparable, V any](limit int, weigh func(V) int) Map[K, V] {
	return Map[K, V]{young: map[K]V{}, old: map[K]V{}, limit: limit, weigh: weigh}
}

// Get answers what was put under a key, if it is still there, and keeps it longer.
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

// Turn drops the old generation once the young one is full. Between turns nothing is lost, so what a batch loaded stays
// until the batch is over.
func (m *Map[K, V]) Turn() {
	if m.held > m.limit/2 {
		m.old, m.young, m.held = m.young, map[K]V{}, 0
	}
}
