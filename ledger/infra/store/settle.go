package store

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// An append updates no balance in the database: each batch would update a row for each wallet, and a busy pool's row
// each time. Each event records the balances it leaves, so the stored ones can follow later, for many appends at once.
// Until then only the memory has the current ones.

// keepSettled brings the stored balances up to the committed events, over and over.
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
		// The next decision then settles first, under the lock, and fails: nothing is paid while the balances are in
		// doubt.
		s.distrust.Store(errors.Is(err, ErrUnsettled))
	}
}
