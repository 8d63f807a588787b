package store

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// An append changes no balance in the database: it would be a row a wallet a batch, and the same row over and over for
// a busy pool. Each event says what its accounts were left at, so the balances can follow once for many appends, beside
// them. Until they have, the memory knows better.

// keepSettled brings the balances up to what was committed, over and over.
func (s *Store) keepSettled() {
	for {
		select {
		case <-s.unsettled:
		case <-s.stopping:
			return
		}
		pause := time.NewTimer(s.opt.Settle)
		select {
		case <-pause.C:
		case <-s.stopping:
			pause.Stop()
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), statementTimeout)
		_, err := s.backend.Settle(ctx)
		cancel()
		if err != nil {
			slog.Error("ledger: the balances were not settled", "error", err)
			signal(s.unsettled) // Again.
		}
		// Whoever decides then settles first, under the lock, and fails: nothing is paid on balances that are in doubt.
		s.distrust.Store(errors.Is(err, ErrUnsettled))
	}
}
