// Package usecase is shared by all areas: the caller of a command, recording it under an idempotency key, ledger states
// that several areas read, waiting for read models, and reading and formatting people, groups, amounts and pages.
package usecase

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/outcome"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/session"
	"adashi.ng/services/internal/vault"
)

// Base has the dependencies of every use case: the ledger for commands, the read models for queries, and the clock.
type Base struct {
	Pool     *pgxpool.Pool
	Ledger   *store.Store
	People   *people.Service
	Vault    *vault.Vault // The data that identifies members, and payouts' destinations.
	Tracker  *engine.Tracker
	Now      clock.Clock
	Recorded func(error) // Gets the result of each command; may be nil.
	OneByOne bool        // Nothing runs concurrently, so that a run is repeatable.

	groupOf *sync.Map // Sub-account id → group id, which never changes.
	present clock.Clock
	past    bool // Now is in the past, and commands take effect then.
}

// NewBase makes a Base; its Now is the present when none is given.
func NewBase(b Base) *Base {
	if b.Now == nil {
		b.Now = clock.System
	}
	b.groupOf, b.present = &sync.Map{}, b.Now
	return &b
}

// At returns a Base whose commands take effect at a moment of the past.
func (b *Base) At(moment time.Time) *Base {
	then := *b
	then.Now, then.past = func() time.Time { return moment }, true
	return &then
}

// AtOnce returns how many things may run concurrently: most, or one with OneByOne.
func (b *Base) AtOnce(most int) int {
	if b.OneByOne {
		return 1
	}
	return most
}

// Present is the present time, even when commands take effect in the past.
func (b *Base) Present() time.Time { return b.present() }

// Who is the caller of a command, with the key for retries.
type Who struct {
	User  string
	Email string
	Key   string // The client's Idempotency-Key; empty when it sent none.
}

// ID returns the id of the caller's command for an operation, and whether the caller chose the key. A key that
// outcome.Askable allows finds the command again.
func (w Who) ID(operation string) (id uuid.UUID, keyed bool) {
	if w.Key == "" {
		return store.NewCommandID(), false
	}
	id = store.CommandID(w.User, operation, w.Key)
	if outcome.Askable(w.Key) {
		outcome.Mark(&id, w.User, w.Key)
	}
	return id, true
}

// Part returns the caller for one of several commands under one key. of names the command among them.
func (w Who) Part(of string) Who {
	if w.Key != "" {
		w.Key += outcome.Separator + of
	}
	return w
}

// Job returns a job that works through a list; see boot for the names.
func (b *Base) Job(name string) items.Job { return items.Job{Pool: b.Pool, Name: name, Now: b.Now()} }

// Record appends a command, in the session of its call, and stores the texts that belong to it. hash covers the
// request.
func (b *Base) Record(ctx context.Context, who Who, id uuid.UUID, correlation string, hash [16]byte, c event.Command, said ...Said) (store.Result, error) {
	command := store.Command{
		ID: id, Hash: hash, Keyed: who.Key != "", Actor: who.User, Correlation: correlation, Session: session.Of(ctx), Command: c,
	}
	if b.past {
		command.EffectiveAt = b.Now()
	}
	fresh, err := b.keepAhead(ctx, command, said)
	if err != nil {
		return store.Result{}, err
	}
	result, err := b.Ledger.Append(ctx, command)
	if b.Recorded != nil && !result.Repeated {
		b.Recorded(err)
	}
	if _, looks := c.(account.Act); err == nil && !looks { // A look at a member is recorded before the action about them.
		session.Acted(ctx)
	}
	b.keepAfter(ctx, id, said, fresh, err)
	if errors.Is(err, store.ErrUnknown) {
		return result, fmt.Errorf("%w: %w", notKnown(who), err)
	}
	return result, err
}

// InSession runs a transaction that locks the session of its call until it commits. The rest of the call then runs to
// its end.
func InSession(ctx context.Context, pool *pgxpool.Pool, do func(tx pgx.Tx) error) error {
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		if err := session.Hold(ctx, tx); err != nil {
			return err
		}
		return do(tx)
	})
	if err == nil {
		session.Acted(ctx)
	}
	return err
}

// UnlessRecorded runs a check before a command is recorded, unless the command was recorded already. If an earlier try
// under the same key commits while the check runs, a refusal of the check is dropped: Record returns the earlier
// result.
func (b *Base) UnlessRecorded(ctx context.Context, command uuid.UUID, check func() error) error {
	if again, err := b.Ledger.Recorded(ctx, command); err != nil || again {
		return err
	}
	refused := check()
	if refused == nil {
		return nil
	}
	if again, err := b.Ledger.Recorded(ctx, command); err == nil && again {
		return nil
	}
	return refused
}

// notKnown is the error when we do not know whether a command was recorded. A retry with the same key finds out.
func notKnown(who Who) *fault.Fault {
	if who.Key == "" && who != System {
		return fault.New(fault.Unavailable, "We do not know yet whether this went through. Please look whether it did before you try again.")
	}
	return fault.New(fault.Unavailable, "We do not know yet whether this went through. Please try again: it will not be done twice.")
}

// System is the caller of commands that record a gateway's reports.
var System = Who{User: "system"}
