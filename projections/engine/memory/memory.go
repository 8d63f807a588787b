// Package memory is what the fold of a read model remembers from batch to batch.
package memory

import "context"

// Memory is what a fold leaves for the next batch of its model. It is right as long as every batch since was folded by
// the one that holds it, and written. Its zero value is empty.
type Memory struct {
	left any
	open bool // A fold has it, and it is not known whether its batch was written.
}

type key struct{}

// Lend gives it to the fold of the next batch. What another left whose batch may not have been written is forgotten.
func (m *Memory) Lend(ctx context.Context) context.Context {
	if m.open {
		m.left = nil
	}
	m.open = true
	return context.WithValue(ctx, key{}, m)
}

// Written notes that the batch was. What its fold left holds for the next one.
func (m *Memory) Written() { m.open = false }

// Forget empties it, as where somebody else folded.
func (m *Memory) Forget() { *m = Memory{} }

// Of is what a model's fold left in it at the batch before: what it knows of its own tables and need not read again.
// It is zero at first, and again whenever a batch was not written or another may have folded. What a fold leaves in it
// must be so once its batch is written, and how much that is, is the model's to bound. A model of more than one part
// remembers nothing. Whoever mends tables by hand starts the projectors anew.
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
