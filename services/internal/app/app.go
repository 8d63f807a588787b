// Package app is what people do and see: each command a member gives, turned into a command of the ledger, and each
// screen's answer, put together from the read models and the people's names.
//
// A command's answer comes from the ledger alone. A view's answer comes from read models and is as old as they are.
package app

import (
	"context"
	"embed"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/balances"
	"adashi.ng/projections/engine"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/dues"
	filestore "adashi.ng/services/internal/files"
	"adashi.ng/services/internal/finance"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/standingorders"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
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
	Vault         *vault.Vault
	Tracker       *engine.Tracker
	Proofs        *proofs.Reader
	Rails         map[nairav1.Channel]rails.Collector
	Payers        map[nairav1.Channel]rails.Payer
	PayoutChannel nairav1.Channel // Of new payouts.
	Payees        payouts.Payees
	Cards         payments.CardGateway
	Saved         payments.SavedCards
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
	// Mailed answers how far letters about notifications have come, start when they never began; SetMailed notes it.
	Mailed    func(ctx context.Context, start int64) (int64, error)
	SetMailed func(ctx context.Context, pos int64) error
}

// App is all areas together.
type App struct {
	*usecase.Base
	Options        Options // What it was made of.
	Proofs         *proofs.Reader
	Rails          map[nairav1.Channel]rails.Collector
	Cards          payments.CardGateway
	Tellers        map[nairav1.Channel]rails.Teller
	InvitationKey  []byte
	InstructionKey []byte
	PublicURL      string
	Members        Members
	Files          *filestore.Store
	Tiers          account.Tiers

	Membership     *membership.Reader
	Payouts        *payouts.Service
	Liquidations   *liquidations.Service
	Dues           *dues.Service
	Payments       *payments.Service
	StandingOrders *standingorders.Service
	Finance        *finance.Service
	Audit          *audit.Service

	balances *balances.Together
}

// New makes an App.
func New(o Options) *App {
	if o.Tiers == (account.Tiers{}) {
		o.Tiers = account.DefaultTiers
	}
	base := usecase.NewBase(usecase.Base{Pool: o.Pool, Ledger: o.Ledger, People: o.People, Vault: o.Vault, Tracker: o.Tracker, Now: o.Now, Past: o.Past, Recorded: o.Recorded})
	a := &App{
		Base: base, Options: o, Proofs: o.Proofs, Rails: o.Rails, Cards: o.Cards, Tellers: o.Tellers, InvitationKey: o.InvitationKey,
		InstructionKey: o.InstructionKey, PublicURL: o.PublicURL, Members: o.Members, Files: o.Files, Tiers: o.Tiers,
		balances: balances.NewTogether(o.Pool),
	}
	a.Membership = &membership.Reader{Base: base, Avatars: o.Members.Avatars, Tallies: &membership.Tallies{}}
	a.Payouts = &payouts.Service{Base: base, Rails: o.Payers, Channel: o.PayoutChannel, Payees: o.Payees, Tiers: o.Tiers}
	a.Liquidations = &liquidations.Service{Base: base, Membership: a.Membership, Payouts: a.Payouts}
	a.Dues = &dues.Service{Base: base, Membership: a.Membership, MayContribute: a.Members.MayContribute}
	a.Payments = &payments.Service{Base: base, Dues: a.Dues, Rails: a.Rails, Cards: a.Cards, Saved: a.Options.Saved, InstructionKey: a.InstructionKey, PublicURL: a.PublicURL, Tiers: a.Tiers}
	a.StandingOrders = &standingorders.Service{Base: base, Dues: a.Dues}
	a.Finance = &finance.Service{Base: base, Payments: a.Payments, Payouts: a.Payouts, Tellers: a.Tellers}
	a.Audit = &audit.Service{Base: base}
	return a
}

// At answers an App whose commands take effect at a moment of the past. Only the demo's history uses it.
func (a *App) At(moment time.Time) *App {
	then, base := *a, a.Base.At(moment)
	then.Base = base
	then.Membership = copyOf(a.Membership)
	then.Membership.Base = base
	then.Payouts = copyOf(a.Payouts)
	then.Payouts.Base = base
	then.Liquidations = &liquidations.Service{Base: base, Membership: then.Membership, Payouts: then.Payouts}
	then.Dues = &dues.Service{Base: base, Membership: then.Membership, MayContribute: then.Members.MayContribute}
	then.Payments = &payments.Service{Base: base, Dues: then.Dues, Rails: then.Rails, Cards: then.Cards, Saved: then.Options.Saved, InstructionKey: then.InstructionKey, PublicURL: then.PublicURL, Tiers: then.Tiers}
	then.StandingOrders = &standingorders.Service{Base: base, Dues: then.Dues}
	then.Finance = &finance.Service{Base: base, Payments: then.Payments, Payouts: then.Payouts, Tellers: then.Tellers}
	then.Audit = &audit.Service{Base: base}
	return &then
}

func copyOf[T any](of *T) *T {
	c := *of
	return &c
}
