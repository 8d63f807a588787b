// Package clocks holds what is recorded, and jobs, while the machine's clock is in doubt.
//
// What is recorded by a wrong clock stays: an event is never recorded earlier than the one before it, and what fell due
// by a wrong date was done. So while the machine's time is in doubt nothing is recorded and no job runs, until the time
// is right again or an operator confirms it.
package clocks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/durable"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/services/internal/checks"
	"adashi.ng/services/internal/config"
)

const (
	jumpMost = 3 * time.Minute // The machine's clock may be corrected by so much without a question.
	idleMost = 366 * 24 * time.Hour
	saidMost = time.Hour // For so long a confirmation can be heard by a process that does not know which ones were heard.

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

// Clocks compares the machine's clock with its monotonic clock, which nobody can set, and with the last event.
type Clocks struct {
	present clock.Clock
	data    string
	idle    time.Duration                            // After so long without an event a start asks the operator.
	last    func(context.Context) (time.Time, error) // When the last event was recorded; zero without one.

	mu     sync.Mutex
	doubt  doubt
	jumped bool          // Held is about a jump that this process saw: it ends once the clock is back.
	base   time.Time     // The present when since began.
	since  time.Duration // How long the machine had run then.
	unsure bool          // No look since the start has found the clock right.
	wrong  string        // Why the clock cannot be right, beside the last event; "" when it can.
	other  string        // That the clock of another machine is ahead of this one, which is right; "" where none is.
}

// Open begins to compare. present is the product's present, lives is how far from the machine's it lies, and last
// answers when the last event was recorded. It fails where what the process before it kept cannot be read.
func Open(ctx context.Context, data string, present clock.Clock, lives time.Duration, last func(context.Context) (time.Time, error)) (*Clocks, error) {
	c := &Clocks{present: present, data: data, last: last, base: present(), since: machineRan(), unsure: true}
	c.idle = idleMost - lives // The last event of a sandbox is as old as the sandbox lives back.
	raw, err := os.ReadFile(filepath.Join(c.data, clockFile))
	if err == nil {
		err = json.Unmarshal(raw, &c.doubt)
	}
	if errors.Is(err, fs.ErrNotExist) {
		c.doubt.Confirmed = c.outdated()
	} else if err != nil {
		return nil, fmt.Errorf("ADASHI_DATA: %s says how the clock stood, and cannot be read (%w): see that the machine's clock is right, remove the file, and start again", clockFile, err)
	}
	return c, c.look(ctx)
}

// outdated is the operator's last confirmation if it is of another time than the present: then it was about another
// doubt. It is "" otherwise.
func (c *Clocks) outdated() string {
	said, err := os.ReadFile(filepath.Join(c.data, confirmedFile))
	if err != nil {
		return ""
	}
	confirmed, _, _ := strings.Cut(string(said), " ")
	at, err := time.Parse(time.RFC3339Nano, confirmed)
	if err == nil && c.base.Sub(at).Abs() <= saidMost {
		return ""
	}
	return string(said)
}

// Run compares once a second until its context ends.
func (c *Clocks) Run(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			soon, cancel := context.WithTimeout(ctx, time.Second)
			_ = c.look(soon) // The check of payments says that the database does not answer.
			cancel()
		}
	}
}

// implausible is why a clock cannot be right beside the last event, or "". Only a process that starts asks: one that
// runs knows its own clock, and where an event is ahead of it, another machine's clock is. A time that an operator
// confirmed counts then as an event's does.
func (c *Clocks) implausible(now, last time.Time) string {
	accepted := c.doubt.Accepted
	switch {
	case !c.unsure:
	case last.Sub(now) > jumpMost && last.After(accepted):
		return beforeLast(now, last)
	case now.Sub(accepted).Abs() <= c.idle:
	case last.IsZero() && (now.Before(clockLeast) || now.After(clockMost)):
		return "the machine's clock says " + stamp(now)
	case !last.IsZero() && now.Sub(last) > c.idle:
		return fmt.Sprintf("the machine's clock says %s, and the last event was recorded at %s, more than a year before", stamp(now), stamp(last))
	}
	return ""
}

// beforeLast says that a clock is behind the last event.
func beforeLast(now, last time.Time) string {
	return fmt.Sprintf("the machine's clock says %s, and the last event was recorded at %s", stamp(now), stamp(last))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// look compares once, and hears the operator.
func (c *Clocks) look(ctx context.Context) error {
	last, err := c.last(ctx)
	said, unread := os.ReadFile(filepath.Join(c.data, confirmedFile)) // What cannot be read confirms nothing.
	c.mu.Lock()
	defer c.mu.Unlock()
	if unread == nil && len(said) > 0 && string(said) != c.doubt.Confirmed {
		c.base, c.since, c.jumped = c.present(), machineRan(), false
		c.doubt = doubt{Confirmed: string(said), Accepted: c.base}
		if last.After(c.base) {
			c.doubt.Accepted = last
		}
		c.keep()
		slog.Warn("an operator confirmed the machine's clock: the product goes by it", "says", stamp(c.base))
	}
	c.compare()
	if c.doubt.Held == "" {
		c.base, c.since = c.present(), machineRan() // Small corrections never add up to a jump.
	}
	if err != nil {
		return err
	}
	before := c.wrong
	c.wrong = c.implausible(c.present(), last)
	c.unsure = c.unsure && c.wrong != ""
	c.other = ""
	if now := c.present(); c.wrong == "" && last.Sub(now) > jumpMost && last.After(c.doubt.Accepted) {
		c.other = beforeLast(now, last)
	}
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
func (c *Clocks) compare() {
	if c.wrong != "" {
		return
	}
	now := c.present()
	jump := now.Sub(c.base.Add(machineRan() - c.since)).Round(time.Second)
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
func (c *Clocks) holds(why string) {
	c.doubt.Held = why
	slog.Error("the machine's clock is in doubt: nothing is recorded and no job runs until it is right, or an operator says: adashi clock confirm", "why", why)
	c.keep()
}

// keep writes what a restart has to know.
func (c *Clocks) keep() {
	raw, err := json.Marshal(c.doubt)
	var file *os.File // By a name of its own: the processes of one folder see a jump within the same second.
	if err == nil {
		file, err = os.CreateTemp(c.data, clockFile+".*.new")
	}
	if err == nil {
		_, err = file.Write(raw)
		err = errors.Join(err, file.Chmod(0o644))
		if err != nil {
			_ = file.Close()
		} else {
			err = durable.Replace(file, filepath.Join(c.data, clockFile))
		}
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}
	if err != nil {
		slog.Error("that the clock is in doubt could not be kept for the next start", "error", err)
	}
}

// Doubted is why the clock is in doubt, or "". It is asked before each command: none is recorded by a clock that has
// just jumped.
func (c *Clocks) Doubted() string {
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

// Hold refuses every command while the clock is in doubt.
func (c *Clocks) Hold() error {
	if c.Doubted() == "" {
		return nil
	}
	return fault.New(fault.Unavailable, "We are making sure that our clock is right. Nothing was taken. Please try again shortly.")
}

// Verdict is the check's.
func (c *Clocks) Verdict() checks.Verdict {
	if why := c.Doubted(); why != "" {
		return checks.Wrong("nothing is recorded and no job runs until the time is right, or an operator says that it is (adashi clock confirm): " + why)
	}
	return checks.Well("The machine's clock goes on as its monotonic clock does, and is not behind the last event.")
}

// Others is the check's that no other machine records by a clock that is ahead.
func (c *Clocks) Others() checks.Verdict {
	if c == nil {
		return checks.Well("The machine's clock is not watched.")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.other != "" {
		return checks.Wrong("Another machine records by a clock that is ahead: stop what runs there. " + c.other + ". What is recorded here counts from that time too, until it has come.")
	}
	return checks.Well("No event was recorded ahead of the machine's clock.")
}

// Confirm says in the data folder that the machine's clock is right. A process that runs on the folder hears it
// within a second, one that does not when it starts. It returns the time that was confirmed.
func Confirm(cfg config.Config) (time.Time, error) {
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
