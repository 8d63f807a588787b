package ajos

import (
	"sync"

	jsonv2 "github.com/go-json-experiment/json"

	"adashi.ng/ledger/domain/ajo"
)

// memo remembers what texts of late were decoded to: dues of one ajo come soon after each other. Nothing goes stale,
// since what a text stands for never changes. What is remembered must not be changed.
type memo[V any] struct {
	mu         sync.Mutex
	young, old map[string]V
}

// memoMost is how many texts each half of a memo has at most. One takes some kilobytes with what it stands for.
const memoMost = 400

// of is what a text stands for.
func (m *memo[V]) of(text []byte, decode func([]byte) (V, error)) (V, error) {
	m.mu.Lock()
	v, ok := m.young[string(text)]
	if !ok {
		v, ok = m.old[string(text)]
	}
	m.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := decode(text)
	if err == nil {
		m.put(string(text), v)
	}
	return v, err
}

func (m *memo[V]) put(text string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.young == nil || len(m.young) >= memoMost {
		m.young, m.old = map[string]V{}, m.young
	}
	m.young[text] = v
}

var briefs memo[*brief]

func briefIn(text []byte) (*brief, error) {
	return briefs.of(text, func(text []byte) (*brief, error) {
		a, err := thawed[ajo.Ajo](ajo.Ajos, text)
		return &brief{ajo: a, members: a.Members()}, err
	})
}

func readyIn(text []byte) (cycles []ajo.Ready, err error) {
	if len(text) > 0 {
		err = jsonv2.Unmarshal(text, &cycles)
	}
	return cycles, err
}
