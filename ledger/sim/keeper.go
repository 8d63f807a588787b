package sim

import (
	"context"
	"crypto/sha256"
	"sync"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/relay"
)

// Model is a read model: its state and its checkpoint, which change together or not at all.
type Model struct {
	mu    sync.Mutex
	pos   int64
	state State
}

// State is a model's state. It shows every event that is left out, doubled or out of order.
type State struct {
	Events   int64
	Digest   [32]byte
	Balances map[string]money.Kobo
}

// Fold is the state after one more event.
func (s State) Fold(r *event.Record) State {
	leaf := r.Leaf()
	s.Events++
	s.Digest = sha256.Sum256(append(s.Digest[:], leaf[:]...))
	if s.Balances == nil {
		s.Balances = map[string]money.Kobo{}
	}
	for _, line := range r.Lines {
		s.Balances[line.Account] += line.Amount
	}
	return s
}

// At is the model's position.
func (m *Model) At() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pos
}

// Reset drops the model's state, so that it is built again.
func (m *Model) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.pos, m.state = 0, State{}
}

const (
	keeperBatch = 20
	sweep       = 500 * time.Millisecond
)

// keeper keeps a model by the protocol of projections/engine's keeper, which it replaces until that one works on an
// interface. It takes the bus's events if they follow on, reads the ledger if they do not and every sweep, and moves
// the checkpoint, from the position where it believes it to be, together with the state.
type keeper struct {
	process *Process
	ledger  relay.Source
	disk    *Disk
	bus     *Bus
	model   *Model
	pos     int64
}

// run keeps the model until the process crashes or the context ends.
func (k *keeper) run(ctx context.Context) {
	for ctx.Err() == nil && k.process.alive() == nil {
		_ = k.follow(ctx)
		wait(ctx, sweep)
	}
}

func (k *keeper) follow(ctx context.Context) error {
	if err := k.load(ctx); err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		if n%4 == 0 {
			if err := k.fill(ctx); err != nil {
				return err
			}
		}
		if err := k.take(ctx, k.brought()); err != nil {
			return err
		}
		wait(ctx, sweep/4)
	}
	return nil
}

// load reads the checkpoint.
func (k *keeper) load(ctx context.Context) error {
	err := k.process.at(ctx, Load)
	k.pos = k.model.At()
	return err
}

// brought is a delivery of the bus. Some of its events may be missing, or come twice.
func (k *keeper) brought() []event.Record {
	r := k.process.draw("brought")
	from := k.pos - r.Int64N(3) + r.Int64N(2)
	var batch []event.Record
	for _, message := range k.bus.Messages(k.disk.Epoch(), max(0, from), keeperBatch) {
		record, err := event.DecodeRecord(message)
		if err == nil && r.IntN(50) > 0 {
			batch = append(batch, record)
		}
	}
	return batch
}

// take applies the delivered events if they follow on; if they do not, it reads the ledger.
func (k *keeper) take(ctx context.Context, batch []event.Record) error {
	for len(batch) > 0 && batch[0].Pos <= k.pos {
		batch = batch[1:]
	}
	for i := range batch {
		if batch[i].Pos != k.pos+1+int64(i) {
			return k.fill(ctx)
		}
	}
	if len(batch) == 0 {
		return nil
	}
	return k.commit(ctx, batch)
}

// fill applies everything after the checkpoint from the ledger.
func (k *keeper) fill(ctx context.Context) error {
	for {
		records, err := k.ledger.Read(ctx, k.pos, keeperBatch)
		if err != nil || len(records) == 0 {
			return err
		}
		if err := k.commit(ctx, records); err != nil {
			return err
		}
	}
}

// commit folds a batch and moves the checkpoint in one transaction. When another keeper was faster, it only notes the
// model's position.
func (k *keeper) commit(ctx context.Context, batch []event.Record) error {
	if err := k.process.at(ctx, BeforeCheckpoint); err != nil {
		return err
	}
	moved := k.model.move(k.pos, batch)
	if err := k.process.at(ctx, AfterProjection); err != nil {
		return err
	}
	if !moved {
		return k.load(ctx)
	}
	k.pos = batch[len(batch)-1].Pos
	return nil
}

// move is the transaction: it does nothing if the checkpoint is not at from.
func (m *Model) move(from int64, batch []event.Record) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.pos != from {
		return false
	}
	for i := range batch {
		m.state = m.state.Fold(&batch[i])
	}
	m.pos = batch[len(batch)-1].Pos
	return true
}

// wait waits for a time, or for the context to end.
func wait(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
