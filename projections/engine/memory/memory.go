// Package memory keeps data of a read model's fold from batch to batch.
package memory

import "context"

// Memory holds the data that a fold leaves for the next batch of its model. It is right as long as its holder folded
// every batch since, and each was written. Its zero value is empty.
type Memory struct {
	left any
	open bool // A fold is using it; its batch may not have been written.
}

type key struct{}

// Lend gives it to the fold of the next batch. It drops data of a batch that may not have been written.
func (m *Memory) Lend(ctx context.Context) context.Context {
	if m.open {
		m.left = nil
	}
	m.open = true
	return context.WithValue(ctx, key{}, m)
}

// Written notes that the batch was written, so the next one may use the fold's data.
func (m *Memory) Written() { m.open = false }

// Forget empties it, as when another process folded.
func (m *Memory) Forget() { *m = Memory{} }

// Of is the data that a model's fold left at the batch before, such as a copy of its own tables that it need not read
// again. It is zero at first, and again whenever a batch was not written or another process may have folded. Data that
// a fold leaves must be true once its batch is written, and the model must bound its size. A model of more than one
// part remembers nothing. After mending tables by hand, restart the projectors.
func Of[V any](ctx context.Context) *V {
	m, lent := ctx.Value(key{}).(*Memory)
	if !lent {
		return new(V)
	}
	left, is := m.left.(*V)
	if !is {
		left = new(V)
		m.left = left
	}
	return left
}
