package sim

import (
	"context"

	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/relay"
)

// Source is the disk as a process's relay or projector reads it.
func (d *Disk) Source(p *Process) relay.Source { return source{d, p} }

type source struct {
	disk    *Disk
	process *Process
}

// Head implements relay.Source.
func (s source) Head(ctx context.Context) (relay.Head, error) {
	err := s.process.at(ctx, Load)
	return relay.Head{Epoch: s.disk.Epoch(), First: 1}, err
}

// Read implements relay.Source.
func (s source) Read(ctx context.Context, after int64, limit int) ([]event.Record, error) {
	if err := s.process.at(ctx, Load); err != nil {
		return nil, err
	}
	return s.disk.Read(after, limit)
}

// Part implements relay.Source. The simulation's operator raises the epoch at once.
func (s source) Part(ctx context.Context, epoch int, p history.Parting) (bool, error) {
	if err := s.process.at(ctx, BeforeCommit); err != nil {
		return false, err
	}
	s.disk.mu.Lock()
	did := s.disk.epoch == epoch
	if did {
		s.disk.epochs = append(s.disk.epochs, raised{epoch, s.disk.tip.Pos})
		s.disk.epoch = p.Next
	}
	s.disk.mu.Unlock()
	return did, s.process.at(ctx, AfterCommit)
}
