package ajos

import (
	jsonv2 "github.com/go-json-experiment/json"

	"adashi.ng/ledger/domain/ajo"
)

// briefs keeps recently used briefs from batch to batch: dues of one ajo come soon after each other.
type briefs struct{ young, old map[string]*brief }

// briefsMost is the largest number of ajo in each half. One takes some kilobytes.
const briefsMost = 400

// of is an ajo's brief, if it is remembered.
func (m *briefs) of(id string) *brief {
	b := m.young[id]
	if b == nil && m.old[id] != nil {
		b = m.old[id]
		m.put(id, b)
	}
	return b
}

func (m *briefs) put(id string, b *brief) {
	if m.young == nil || len(m.young) >= briefsMost {
		m.young, m.old = map[string]*brief{}, m.young
	}
	m.young[id] = b
}

func (m *briefs) forget(id string) {
	delete(m.young, id)
	delete(m.old, id)
}

func briefIn(text []byte) (*brief, error) {
	a, err := thawed[ajo.Ajo](ajo.Ajos, text)
	return &brief{ajo: a, members: a.Members()}, err
}

func readyIn(text []byte) (cycles []ajo.Ready, err error) {
	if len(text) > 0 {
		err = jsonv2.Unmarshal(text, &cycles)
	}
	return cycles, err
}
