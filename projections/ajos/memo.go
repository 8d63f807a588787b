package ajos

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
)

// memo remembers what texts of late were decoded to, or were made of: dues of one cycle come soon after each other, and
// each finds the row that the one before it wrote. Nothing goes stale, since what a text stands for never changes. What
// is remembered must not be changed.
type memo[V any] struct {
	mu         sync.Mutex
	young, old map[string]meant[V]
}

// meant is a text and what it stands for.
type meant[V any] struct {
	text string
	is   V
}

// memoMost is how many texts each half of a memo has at most. One takes some kilobytes with what it stands for.
const memoMost = 400

func (m *memo[V]) put(text string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.young == nil || len(m.young) >= memoMost {
		m.young, m.old = map[string]meant[V]{}, m.young
	}
	m.young[text] = meant[V]{text, v}
}

// of is a text, and what it stands for.
func (m *memo[V]) of(text []byte, decode func([]byte) (V, error)) (meant[V], error) {
	m.mu.Lock()
	v, ok := m.young[string(text)]
	if !ok {
		v, ok = m.old[string(text)]
	}
	m.mu.Unlock()
	if ok {
		return v, nil
	}
	var err error
	if v.is, err = decode(text); err == nil {
		v.text = string(text)
		m.put(v.text, v.is)
	}
	return v, err
}

var (
	briefs memo[*brief]
	pots   memo[ajopot.Cycle]
)

func briefIn(text []byte) (*brief, error) {
	b, err := briefs.of(text, func(text []byte) (*brief, error) {
		a, err := thawed[ajo.Ajo](ajo.Ajos, text)
		return &brief{ajo: a, members: a.Members()}, err
	})
	return b.is, err
}

func readyIn(text []byte) (cycles []ajo.Ready, err error) {
	if len(text) > 0 {
		err = jsonv2.Unmarshal(text, &cycles)
	}
	return cycles, err
}

// cycleIn reads a cycle from its state and its payments, one after the other.
func cycleIn(text []byte) (meant[ajopot.Cycle], error) { return pots.of(text, cycleOf) }

func cycleOf(text []byte) (ajopot.Cycle, error) {
	state, err := jsontext.NewDecoder(bytes.NewBuffer(text)).ReadValue()
	if err != nil {
		return ajopot.Cycle{}, fmt.Errorf("ajos: a cycle: %w", err)
	}
	end := len(state)
	c, err := thawed[ajopot.Cycle](ajopot.Cycles, state)
	if err != nil || end == len(text) {
		return c, err
	}
	payments := slices.Concat(text[end:], []byte{']'})
	payments[0] = '[' // It was a comma.
	return c, jsonv2.Unmarshal(payments, &c.Payments)
}

// cycleTexts are a cycle's state and payments as they are written down.
func cycleTexts(c ajopot.Cycle) (state, payments string) {
	payments = paymentsText(c.Payments)
	c.Payments = nil
	return string(frozen(ajopot.Cycles, c)), payments
}

func paymentsText(all []ajopot.Payment) string {
	if len(all) == 0 {
		return ""
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // Texts, numbers and times never fail.
	}
	text[0] = ','
	return string(text[:len(text)-1])
}
