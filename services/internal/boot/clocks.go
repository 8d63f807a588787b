package boot

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/services/internal/clocks"
	"adashi.ng/services/internal/jobs"
)

// openClocks begins to compare clocks, and goes on until the process stops. A clock of tests moves as they like.
func (i *Instance) openClocks(ctx context.Context) error {
	if i.Config.Clock != nil && !i.Config.WatchClock {
		return nil
	}
	c, err := clocks.Open(ctx, i.Config.Data, i.Config.Present, i.Config.SandboxClock, i.lastRecorded)
	if err != nil {
		return err
	}
	i.clocks.Store(c)
	looking, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	i.onStop(func() { cancel(); running.Wait() })
	running.Go(func() { c.Run(looking) })
	return nil
}

// lastRecorded is when the last event was recorded.
func (i *Instance) lastRecorded(ctx context.Context) (last time.Time, err error) {
	err = i.Pool.QueryRow(ctx, "SELECT recorded_at FROM events ORDER BY pos DESC LIMIT 1").Scan(&last)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return last, err
}

// doubted reports whether the clock is in doubt.
func (i *Instance) doubted() bool { return i.clocks.Load().Doubted() != "" }

// whileRight are jobs that do not run while the clock is in doubt.
func (i *Instance) whileRight(periodics []jobs.Periodic) []jobs.Periodic {
	for n, p := range periodics {
		periodics[n].Run = func(ctx context.Context) error {
			if i.doubted() {
				return nil
			}
			return p.Run(ctx)
		}
	}
	return periodics
}

// hold is what is asked before each command is recorded.
func (i *Instance) hold() error {
	if err := i.agreement.hold(); err != nil {
		return err
	}
	return i.clocks.Load().Hold()
}
