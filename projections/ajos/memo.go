package ajos

import (
	"encoding/json"
	"sync"

	"adashi.ng/ledger/domain/ajopot"
)

// memo remembers what texts of late were decoded to, or were made of: dues of one cycle come soon after each other, and
// each finds the row that the one before it wrote. Nothing goes stale, since what a text stands for never changes. What
// is remembered must not be changed.
type memo[V any] struct {
	mu         sync.Mutex
	young, old map[string]V
}

// memoMost is how many texts each half of a memo has at most. One takes some kilobytes with what it stands for.
const memoMost = 400

func (m *memo[V]) put(text string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.young == nil || len(m.young) >= memoMost {
		m.young, m.old = map[string]V{}, m.young
	}
	m.young[text] = v
}

// of is what a text stands for.
func (m *memo[V]) of(text string, decode func(string) (V, error)) (V, error) {
	m.mu.Lock()
	v, ok := m.young[text]
	if !ok {
		v, ok = m.old[text]
	}
	m.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := decode(text)
	if err == nil {
		m.put(text, v)
	}
	return v, err
}

var (
	briefs memo[brief]
	pots   memo[ajopot.Cycle]
)

func briefIn(text string) (brief, error) {
	return briefs.of(text, func(text string) (b brief, err error) {
		err = json.Unmarshal([]byte(text), &b)
		return b, err
	})
}

func cycleIn(text string) (ajopot.Cycle, error) {
	return pots.of(text, func(text string) (ajopot.Cycle, error) { return thawed[ajopot.Cycle](ajopot.Cycles, text) })
}

// cycleText writes a cycle down.
func cycleText(c ajopot.Cycle) string {
	text := frozen(ajopot.Cycles, c)
	pots.put(text, c)
	return text
}
