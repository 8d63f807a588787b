package boot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/jobs"
)

// What is recorded by a wrong clock stays: an event is never recorded earlier than the one before it, and what fell due
// by a wrong date was done. So while the machine's time is in doubt nothing is recorded and no job runs, until the time
// is right again or an operator confirms it.

const (
	jumpMost = 3 * time.Minute // The machine's clock may be corrected by so much without a question.
	idleMost = 366 * 24 * time.Hour

	clockFile     = "clock.json"      // This process's: see doubt.
	confirmedFile = "clock-confirmed" // The operator's.
)

// A ledger without events was not begun outside these years.
var (
	clockLeast = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clockMost  = time.Date(2076, 1, 1, 0, 0, 0, 0, time.UTC)
)

// doubt is what outlives a process of how its clock stood.
type doubt struct {
	Held      string    `json:"held,omitempty"` // Why nothing is recorded; empty while the clock is believed.
	Confirmed string    `json:"confirmed"`      // The operator's last confirmation that was heard.
	Accepted  time.Time `json:"accepted"`       // Events of up to this time may lie ahead of the clock: the operator knows.
}

// clocks compares the machine's clock with its monotonic clock, which nobody can set, and with the last event.
type clocks struct {
	present clock.Clock
	data    string
	last    func(context.Context) (time.Time, error) // When the last event was recorded; zero without one.

	mu     sync.Mutex
	doubt  doubt
	jumped bool      // Held is about a jump that this process saw: it ends once the clock is back.
	base   time.Time // The present when since began.
	since  clock.Watch
	unsure bool   // No look since the start has found the clock right.
	wrong  string // Why the clock cannot be right, beside the last event; "" when it can.
}

// openClocks begins to compare, and goes on until the process stops. A clock of tests moves as they like.
func (i *Instance) openClocks(ctx context.Context) error {
	if i.Config.Clock != nil && !i.Config.WatchClock {
		return nil
	}
	c := &clocks{present: i.Config.Present, data: i.Config.Data, last: i.lastRecorded, base: i.Config.Present(), since: clock.Start(), unsure: true}
	raw, err := os.ReadFile(filepath.Join(c.data, clockFile))
	if err == nil {
		err = json.Unmarshal(raw, &c.doubt)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("ADASHI_DATA: %s: %w", clockFile, err)
	}
	if err := c.look(ctx); err != nil {
		return err
	}
	i.clocks.Store(c)
	looking, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	i.onStop(func() { cancel(); running.Wait() })
	running.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-looking.Done():
				return
			case <-tick.C:
				_ = c.look(looking) // The check of payments says that the database does not answer.
			}
		}
	})
	return nil
}

// implausible is why a clock cannot be right beside the last event, or "". Only a process that starts asks whether it
// is too far ahead: it does not know how long nobody used the ledger.
func implausible(now, last, accepted time.Time, starts bool) string {
	switch {
	case last.Sub(now) > jumpMost && last.After(accepted):
		return fmt.Sprintf("the machine's clock says %s, and the last event was recorded at %s", stamp(now), stamp(last))
	case !starts:
	case last.IsZero() && (now.Before(clockLeast) || now.After(clockMost)):
		return "the machine's clock says " + stamp(now)
	case !last.IsZero() && now.Sub(last) > idleMost && now.After(accepted):
		return fmt.Sprintf("the machine's clock says %s, and the last event was recorded at %s, more than a year before", stamp(now), stamp(last))
	}
	return ""
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// lastRecorded is when the last event was recorded.
func (i *Instance) lastRecorded(ctx context.Context) (last time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	err = i.Pool.QueryRow(ctx, "SELECT recorded_at FROM events ORDER BY pos DESC LIMIT 1").Scan(&last)
	if errors.Is(err, pgx.ErrNoRows) {
		err = nil
	}
	return last, err
}

// look compares once, and hears the operator.
func (c *clocks) look(ctx context.Context) error {
	last, err := c.last(ctx)
	said, _ := os.ReadFile(filepath.Join(c.data, confirmedFile))
	c.mu.Lock()
	defer c.mu.Unlock()
	if string(said) != c.doubt.Confirmed {
		c.base, c.since, c.jumped = c.present(), clock.Start(), false
		c.doubt = doubt{Confirmed: string(said), Accepted: c.base}
		if last.After(c.base) {
			c.doubt.Accepted = last
		}
		c.keep()
		slog.Warn("an operator confirmed the machine's clock: the product goes by it", "says", stamp(c.base))
	}
	c.compare()
	if c.doubt.Held == "" {
		c.base, c.since = c.present(), clock.Start() // Small corrections never add up to a jump.
	}
	if err != nil {
		return err
	}
	before := c.wrong
	c.wrong = implausible(c.present(), last, c.doubt.Accepted, c.unsure)
	c.unsure = c.unsure && c.wrong != ""
	switch {
	case before == "" && c.wrong != "":
		slog.Error("the machine's clock cannot be right: nothing is recorded and no job runs until it is, or an operator says: adashi clock confirm", "why", c.wrong)
	case before != "" && c.wrong == "":
		slog.Warn("the machine's clock can be right again: payments are taken and jobs run", "was", before)
	}
	return nil
}

// compare notices a jump, and its end. Where the clock could not be right, a jump may be what corrects it. The caller
// holds mu.
func (c *clocks) compare() {
	if c.wrong != "" {
		return
	}
	now := c.present()
	jump := now.Sub(c.base.Add(c.since.Took())).Round(time.Second)
	switch far := jump.Abs() > jumpMost; {
	case far && c.doubt.Held == "":
		c.holds(fmt.Sprintf("the machine's clock jumped by %s to %s", jump, stamp(now)))
		c.jumped = true
	case !far && c.jumped:
		slog.Warn("the machine's clock is right again: payments are taken and jobs run", "was", c.doubt.Held)
		c.doubt.Held, c.jumped = "", false
		c.keep()
	}
}

// holds stops what is recorded. The caller holds mu.
func (c *clocks) holds(why string) {
	c.doubt.Held = why
	slog.Error("the machine's clock is in doubt: nothing is recorded and no job runs until it is right, or an operator says: adashi clock confirm", "why", why)
	c.keep()
}

// keep writes what a restart has to know.
func (c *clocks) keep() {
	raw, err := json.Marshal(c.doubt)
	if err == nil {
		err = durable.WriteFile(filepath.Join(c.data, clockFile), raw, 0o644)
	}
	if err != nil {
		slog.Error("that the clock is in doubt could not be kept for the next start", "error", err)
	}
}

// doubted is why the clock is in doubt, or "". It is asked before each command: none is recorded by a clock that has
// just jumped.
func (c *clocks) doubted() string {
	if c == nil {
		return ""
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.compare()
	if c.doubt.Held != "" {
		return c.doubt.Held
	}
	return c.wrong
}

// hold refuses every command while the clock is in doubt.
func (c *clocks) hold() error {
	if c.doubted() == "" {
		return nil
	}
	return fault.New(fault.Unavailable, "We are making sure that our clock is right. Nothing was taken. Please try again shortly.")
}

// verdict is the check's.
func (c *clocks) verdict() checks.Verdict {
	if why := c.doubted(); why != "" {
		return checks.Wrong("nothing is recorded and no job runs until the time is right, or an operator says that it is (adashi clock confirm): " + why)
	}
	return checks.Well("The machine's clock goes on as its monotonic clock does, and is not behind the last event.")
}

// whileRight are jobs that do not run while the clock is in doubt.
func (i *Instance) whileRight(periodics []jobs.Periodic) []jobs.Periodic {
	for n, p := range periodics {
		periodics[n].Run = func(ctx context.Context) error {
			if i.clocks.Load().doubted() != "" {
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
	return i.clocks.Load().hold()
}

// ConfirmClock says in the data folder that the machine's clock is right. A process that runs on the folder hears it
// within a second, one that does not when it starts. It returns the time that was confirmed.
func ConfirmClock(cfg config.Config) (time.Time, error) {
	now := cfg.Present().UTC()
	if err := durable.MakeFolder(cfg.Data, 0o755); err != nil {
		return now, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	said := now.Format(time.RFC3339Nano) + " " + clock.ID(now).String() + "\n"
	if err := durable.WriteFile(filepath.Join(cfg.Data, confirmedFile), []byte(said), 0o644); err != nil {
		return now, fmt.Errorf("ADASHI_DATA: %w", err)
	}
	return now, nil
}
