package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"adashi.ng/ledger/infra/store"
)

// Backend is the disk as a process's store reaches it; p may be nil for one without faults.
func (d *Disk) Backend(p *Process) store.Backend { return backend{d, p} }

type backend struct {
	disk    *Disk
	process *Process
}

// Load implements store.Backend.
func (b backend) Load(ctx context.Context, n store.Need) (store.Found, error) {
	if err := b.process.at(ctx, Load); err != nil {
		return store.Found{}, err
	}
	b.disk.mu.Lock()
	defer b.disk.mu.Unlock()
	return b.disk.load(n)
}

// Lock implements store.Backend.
func (b backend) Lock(ctx context.Context, n store.Need) (store.Locked, store.Found, error) {
	if err := b.process.at(ctx, Lock); err != nil {
		return nil, store.Found{}, err
	}
	tx, err := b.begin(ctx)
	if err != nil {
		return nil, store.Found{}, err
	}
	if err := b.process.at(ctx, Locked); err != nil {
		tx.Rollback()
		return nil, store.Found{}, err
	}
	b.disk.mu.Lock()
	defer b.disk.mu.Unlock()
	found, err := b.disk.load(n)
	if err != nil {
		tx.Rollback()
		return nil, store.Found{}, err
	}
	found.Tip = b.disk.tip
	found.Tip.Leaf = b.disk.rows[found.Tip.Pos].leaf
	return tx, found, nil
}

// Settle implements store.Backend.
func (b backend) Settle(ctx context.Context) (int64, error) {
	if err := b.process.at(ctx, Settle); err != nil {
		return 0, err
	}
	b.disk.mu.Lock()
	defer b.disk.mu.Unlock()
	err := b.disk.settle()
	return b.disk.settled, err
}

// settle does what the SQL function ledger_settle does. The caller holds d.mu.
func (d *Disk) settle() error {
	balances := maps.Clone(d.balances)
	for pos := d.settled + 1; pos <= d.tip.Pos; pos++ {
		for _, line := range d.rows[pos].record.Lines {
			if balances[line.Account] += line.Amount; balances[line.Account] != line.Balance {
				return fmt.Errorf("%w: %s at position %d", store.ErrUnsettled, line.Account, pos)
			}
		}
	}
	d.balances, d.settled = balances, d.tip.Pos
	return nil
}

// Write implements store.Backend.
func (b backend) Write(ctx context.Context, from store.Tip, w store.Writes) error {
	if err := b.process.at(ctx, AfterDecide); err != nil {
		return err
	}
	tx, err := b.begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := b.disk.fence(from, w); err != nil {
		return err
	}
	return tx.end(ctx, w)
}

// begin opens a transaction that holds the head's lock.
func (b backend) begin(ctx context.Context) (*locked, error) {
	select {
	case <-b.disk.lock:
		return &locked{backend: b}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// fence does what the SQL function ledger_lock does: the ledger must end at from, and no refused command may be
// recorded.
func (d *Disk) fence(from store.Tip, w store.Writes) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.tip.Pos != from.Pos || from.Pos > 0 && d.rows[from.Pos].leaf != from.Leaf {
		return store.ErrMoved
	}
	for _, id := range w.Refused {
		if _, before := d.commands[id]; before {
			return store.ErrBefore
		}
	}
	return nil
}

// locked is a transaction that holds the head's lock.
type locked struct {
	backend
	ended bool
}

// Load implements store.Locked.
func (l *locked) Load(ctx context.Context, n store.Need) (store.Found, error) {
	if l.ended {
		return store.Found{}, errEnded
	}
	return l.backend.Load(ctx, n)
}

// Commit implements store.Locked.
func (l *locked) Commit(ctx context.Context, w store.Writes) error {
	if l.ended {
		return errEnded
	}
	if err := l.process.at(ctx, AfterDecide); err != nil {
		return err
	}
	return l.end(ctx, w)
}

var errEnded = errors.New("sim: the transaction ended")

// Rollback implements store.Locked.
func (l *locked) Rollback() {
	if !l.ended {
		l.ended = true
		l.disk.lock <- struct{}{}
	}
}

// end writes and commits.
func (l *locked) end(ctx context.Context, w store.Writes) error {
	w = copied(w)
	if err := l.disk.check(w); err != nil {
		return err
	}
	if err := l.process.at(ctx, BeforeCommit); err != nil {
		return err
	}
	if lost, committed, later := l.process.reply(); lost {
		// The server continues although the client is gone; until it is done it holds the lock.
		l.ended = true
		go func() {
			later()
			if committed {
				l.disk.write(w)
			}
			l.disk.lock <- struct{}{}
		}()
		return fmt.Errorf("%w: the reply was lost", store.ErrUnanswered)
	}
	l.disk.write(w)
	l.Rollback() // Releases the lock.
	if err := l.process.at(ctx, AfterCommit); err != nil {
		return fmt.Errorf("%w: %w", store.ErrUnanswered, err)
	}
	l.process.die(BeforeReply)
	return nil
}
