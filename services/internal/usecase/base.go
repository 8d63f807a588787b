// Package usecase is what all areas share: who gives a command, recording it under an idempotency key, the ledger's
// states that several ask for, waiting for read models, and how people, groups, amounts and pages are read and said.
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

// Base is what every use case stands on: the ledger that it gives commands to, the read models that it reads, and the
// clock.
type Base struct {
	Pool     *pgxpool.Pool
	Ledger   *store.Store
	People   *people.Service
	Vault    *vault.Vault // What says who members are, and where money goes to.
	Tracker  *engine.Tracker
	Now      clock.Clock
	Recorded func(error) // Hears what each command came to; may be nil.
	OneByOne bool        // Nothing is done beside another, so that the same happens again in the same order.

	groupOf *sync.Map // Sub-account id → group id, which never changes.
	present clock.Clock
	past    bool // Now is a moment of the past, and commands take effect then.
}

// NewBase makes a Base; its Now is the present where none is given.
func NewBase(b Base) *Base {
	if b.Now == nil {
		b.Now = clock.System
	}
	b.groupOf, b.present = &sync.Map{}, b.Now
	return &b
}

// At answers a Base whose commands take effect at a moment of the past.
func (b *Base) At(moment time.Time) *Base {
	then := *b
	then.Now, then.past = func() time.Time { return moment }, true
	return &then
}

// AtOnce is how many things may be done beside each other where there could be so many.
func (b *Base) AtOnce(most int) int {
	if b.OneByOne {
		return 1
	}
	return most
}

// Present is the time now, also where commands take effect in the past.
func (b *Base) Present() time.Time { return b.present() }

// Who gives a command, and the key under which they may ask again.
type Who struct {
	User  string
	Email string
	Key   string // The client's Idempotency-Key; empty when it sent none.
}

// ID answers the id of the command that who gives by an operation, and whether they chose it. A key that
// outcome.Askable allows finds it.
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

// Part is who gives one of several commands under their key. of names it among them.
func (w Who) Part(of string) Who {
	if w.Key != "" {
		w.Key += outcome.Separator + of
	}
	return w
}

// Job is one of the jobs that go through a list; see boot for their names.
func (b *Base) Job(name string) items.Job { return items.Job{Pool: b.Pool, Name: name, Now: b.Now()} }

// Record appends a command, in the session of its call, and keeps what is said with it. hash covers what was asked for.
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
	if _, looks := c.(account.Act); err == nil && !looks { // A look at a member is recorded before what is done about them.
		session.Acted(ctx)
	}
	b.keepAfter(ctx, id, said, fresh, err)
	if errors.Is(err, store.ErrUnknown) {
		return result, fmt.Errorf("%w: %w", notKnown(who), err)
	}
	return result, err
}

// InSession runs a transaction that locks the session of its call until it commits. What follows in the call is then
// done to its end.
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

// notKnown is what is told when nobody knows whether a command was recorded. The same key will tell.
func notKnown(who Who) *fault.Fault {
	if who.Key == "" && who != System {
		return fault.New(fault.Unavailable, "We do not know yet whether this went through. Please look whether it did before you try again.")
	}
	return fault.New(fault.Unavailable, "We do not know yet whether this went through. Please try again: it will not be done twice.")
}

// System is who records what a gateway said.
var System = Who{User: "system"}
