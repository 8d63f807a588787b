// Package app is what people do and see: each command a member gives, turned into a command of the ledger, and each
// screen's answer, put together from the read models and the people's names.
//
// A command's answer comes from the ledger alone. A view's answer comes from read models and is as old as they are.
package app

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"
	"adashi.ng/proto/wire"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/engine"
	filestore "adashi.ng/services/internal/files"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
)

//go:embed migrations/*.sql
var files embed.FS

// Migrate makes the tables, recorded in goose_app.
func Migrate(ctx context.Context, pool *pgxpool.Pool) error {
	migrations, err := fs.Sub(files, "migrations")
	if err != nil {
		return err
	}
	return migrate.Up(ctx, pool, migrations, "goose_app")
}

// Options is what an App stands on. All but Now, Past and Members are required.
type Options struct {
	Pool          *pgxpool.Pool
	Ledger        *store.Store
	People        *people.Service
	Tracker       *engine.Tracker
	Proofs        *proofs.Reader
	Rails         map[nairav1.Channel]rails.Collector
	Payouts       Payouts
	Cards         CardGateway
	Tellers       map[nairav1.Channel]rails.Teller // Whom a reconciliation asks.
	InvitationKey []byte                           // Invitation codes are made from it.
	// InstructionKey proves where payments are to be paid; it is not in the database.
	InstructionKey []byte
	PublicURL      string // Without a trailing slash.
	Now            func() time.Time
	Past           bool // Now is not the present, and commands take effect then.
	Members        Members
	Files          *filestore.Store // Where groups' documents are kept.
	Tiers          account.Tiers    // What the tiers allow; account.DefaultTiers when zero.
	Recorded       func(error)      // Hears what each command came to; may be nil.
}

// CardGateway charges saved cards, and tells what was taken back of card payments.
type CardGateway interface {
	rails.CardCharger
	rails.Reverser
}

// Members is what members have said and shown of themselves. A zero one knows nothing of anybody.
type Members struct {
	// MayContribute refuses those who may not pay into groups.
	MayContribute func(ctx context.Context, user string) error
	// Adult reports whether somebody is 18 or older.
	Adult func(ctx context.Context, user string) (bool, error)
	// Hidden and Unmailed are the types of notifications that a member does not want to see, or by mail.
	Hidden, Unmailed func(ctx context.Context, user string) ([]string, error)
	// Avatars answers the ids of the pictures of those who have one.
	Avatars func(ctx context.Context, users []string) (map[string]string, error)
	// Card answers a member's saved card, NotFound when it is not theirs; KeepCard keeps one they paid with.
	Card     func(ctx context.Context, user, id string) (rails.Card, error)
	KeepCard func(ctx context.Context, user string, card rails.Card) error
	// Mailed answers how far letters about notifications have come, start when they never began; SetMailed notes it.
	Mailed    func(ctx context.Context, start int64) (int64, error)
	SetMailed func(ctx context.Context, pos int64) error
}

// App is the door to everything a member can do.
type App struct {
	Options
	groupOf  *sync.Map // Sub-account id → group id, which never changes.
	balances *balances.Together
	counted  *counted
	present  func() time.Time
}

// New makes an App.
func New(o Options) *App {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Tiers == (account.Tiers{}) {
		o.Tiers = account.DefaultTiers
	}
	return &App{Options: o, groupOf: &sync.Map{}, balances: balances.NewTogether(o.Pool), counted: &counted{}, present: o.Now}
}

// At answers an App whose commands take effect at a moment of the past. Only the demo's history uses it.
func (a *App) At(moment time.Time) *App {
	then := *a
	then.Now, then.Past = func() time.Time { return moment }, true
	return &then
}

// Who gives a command, and the key under which they may ask again.
type Who struct {
	User  string
	Email string
	Key   string // The client's Idempotency-Key; empty when it sent none.
}

// id answers the id of the command that who gives by an operation, and whether they chose it.
func (w Who) id(operation string) (id uuid.UUID, keyed bool) {
	if w.Key == "" {
		return store.NewCommandID(), false
	}
	return store.CommandID(w.User, operation, w.Key), true
}

// job is one of the jobs that go through a list; see boot for their names.
func (a *App) job(name string) items.Job { return items.Job{Pool: a.Pool, Name: name, Now: a.Now()} }

// record appends a command. hash covers what was asked for.
func (a *App) record(ctx context.Context, who Who, id uuid.UUID, correlation string, hash [16]byte, c event.Command) (store.Result, error) {
	command := store.Command{ID: id, Hash: hash, Keyed: who.Key != "", Actor: who.User, Correlation: correlation, Command: c}
	if a.Past {
		command.EffectiveAt = a.Now()
	}
	result, err := a.Ledger.Append(ctx, command)
	if a.Recorded != nil && !result.Repeated {
		a.Recorded(err)
	}
	if errors.Is(err, store.ErrUnknown) {
		return result, fmt.Errorf("%w: %w", notKnown(who), err)
	}
	return result, err
}

// notKnown is what is told when nobody knows whether a command was recorded. The same key will tell.
func notKnown(who Who) *fault.Fault {
	if who.Key == "" && who != rail {
		return fault.New(fault.Unavailable, "We do not know yet whether this went through. Please look whether it did before you try again.")
	}
	return fault.New(fault.Unavailable, "We do not know yet whether this went through. Please try again: it will not be done twice.")
}

// parseID holds an id from outside to its form, so that nothing else reaches the ledger. what names it for people.
func parseID(id, what string) (string, error) {
	parsed, err := uuid.Parse(id)
	if err != nil || len(id) != 36 {
		return "", fault.New(fault.NotFound, "There is no such %s.", what)
	}
	return parsed.String(), nil
}

// kobo takes an amount from outside.
func kobo(field string, amount wire.Naira) (money.Kobo, error) {
	k, err := money.FromNaira(amount.Decimal)
	if err != nil || k > money.Max {
		return 0, fault.Field(field, "The amount is too large.")
	}
	if k <= 0 {
		return 0, fault.Field(field, "Enter an amount greater than zero.")
	}
	return k, nil
}

// readNaira takes an amount from a query: naira with at most two decimals.
func readNaira(field, text string) (money.Kobo, error) {
	var amount wire.Naira
	if err := amount.UnmarshalJSON([]byte(text)); err != nil {
		return 0, fault.Field(field, "Enter an amount in naira, such as 5000 or 5177.67.")
	}
	return kobo(field, amount)
}

func naira(k money.Kobo) wire.Naira { return wire.FromKobo(int64(k)) }

func nairaOf(kobo int64) wire.Naira { return wire.FromKobo(kobo) }

func nairaPtr(k money.Kobo) *wire.Naira { n := naira(k); return &n }

// orNil is nil for an empty text, as the contract's optional fields want it.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// notThere turns a read model's "none" into a 404.
func notThere(err, none error, what string) error {
	if errors.Is(err, none) {
		return fault.New(fault.NotFound, "There is no such %s.", what)
	}
	return err
}
