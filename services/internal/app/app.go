// Package app puts the areas together: each is what people do and see of one thing, and turns what a member gives into
// a command of the ledger. It has their tables too, those that are no read model's.
//
// A command's answer comes from the ledger alone. A view's answer comes from read models and is as old as they are.
package app

import (
	"cmp"
	"context"
	"embed"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/base/migrate"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/remedy"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/ledger/infra/replay"
	"adashi.ng/projections/balances"
	"adashi.ng/services/internal/activity"
	"adashi.ng/services/internal/agenda"
	"adashi.ng/services/internal/ajo"
	"adashi.ng/services/internal/ajoaccess"
	"adashi.ng/services/internal/audit"
	"adashi.ng/services/internal/beacon"
	"adashi.ng/services/internal/cardanswers"
	"adashi.ng/services/internal/commands"
	"adashi.ng/services/internal/corrections"
	"adashi.ng/services/internal/disputes"
	"adashi.ng/services/internal/dues"
	"adashi.ng/services/internal/evidence"
	filestore "adashi.ng/services/internal/files"
	"adashi.ng/services/internal/finance"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/liquidations"
	"adashi.ng/services/internal/membership"
	"adashi.ng/services/internal/months"
	"adashi.ng/services/internal/notices"
	"adashi.ng/services/internal/payments"
	"adashi.ng/services/internal/payouts"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/remedies"
	"adashi.ng/services/internal/reserves"
	"adashi.ng/services/internal/standingorders"
	"adashi.ng/services/internal/timemachine"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/witnesses"
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

// Options are the parts that an App needs. A field that may be nil or zero says so.
type Options struct {
	Base    *usecase.Base
	Proofs  *proofs.Reader
	Replays *replay.Reader   // What the ledger held of anything at any moment.
	Files   *filestore.Store // Where groups' documents are kept.

	Rails      *rails.Registry
	PayoutRail event.Provider // Of new payouts.
	Saved      payments.SavedCards
	Payees     payouts.Payees
	Tiers      account.Tiers // What the tiers allow; account.DefaultTiers when zero.
	CardHold   time.Duration // How long the money of a card stays before it may go to a bank; wallet.CardHold when zero.

	Remedied   remedies.Profile
	RemedyHold time.Duration // How long no withdrawal is asked for after a remedy; remedy.Hold when zero.

	PublicURL      string // Without a trailing slash.
	InvitationKey  []byte // Invitation codes are made from it.
	InstructionKey []byte // Proves where payments are to be paid, and salts what is committed to; it is not in the database.

	Settings notices.Settings // Nil where everybody wants to hear of everything.
	// MayContribute refuses those who may not pay into groups; nil refuses nobody.
	MayContribute func(ctx context.Context, user string) error
	// SalaryDay answers the day of the month on which a member is paid, 0 where it is not known; nil knows of nobody.
	SalaryDay func(ctx context.Context, user string) (int, error)
	Beacon    *beacon.Client // Draws are made from it; nil where nothing is drawn.
	// Adult reports whether somebody is 18 or older; where it is nil everybody is.
	Adult func(ctx context.Context, user string) (bool, error)
	// DeviceClock is what the clocks of members' devices are held against: the present, also where the sandbox lives in
	// the past. Nil where no device watches the ledger.
	DeviceClock clock.Clock
	// Avatars answers the ids of the pictures of those who have one; nil where there are none.
	Avatars func(ctx context.Context, users []string) (map[string]string, error)
}

// App is all areas together.
type App struct {
	*usecase.Base
	Options Options // What it was made of.

	Membership     *membership.Reader
	Groups         *groups.Service
	Dues           *dues.Service
	Payments       *payments.Service
	StandingOrders *standingorders.Service
	Payouts        *payouts.Service
	Liquidations   *liquidations.Service
	Activity       *activity.Service
	Audit          *audit.Service
	Months         *months.Service
	Reserves       *reserves.Service
	Finance        *finance.Service
	Ajo            *ajo.Service
	AjoAccess      *ajoaccess.Service
	Disputes       *disputes.Service
	TimeMachine    *timemachine.Service
	Evidence       *evidence.Service
	Corrections    *corrections.Service
	CardAnswers    *cardanswers.Service
	Remedies       *remedies.Service
	Witnesses      *witnesses.Service
	Notices        *notices.Service
	Agenda         *agenda.Service
	Commands       *commands.Service

	// Read together by all who look.
	totals  *balances.Together
	tallies *membership.Tallies
}

// New makes an App.
func New(o Options) *App {
	if o.Tiers == (account.Tiers{}) {
		o.Tiers = account.DefaultTiers
	}
	o.CardHold, o.RemedyHold = cmp.Or(o.CardHold, wallet.CardHold), cmp.Or(o.RemedyHold, remedy.Hold)
	return connect(o.Base, o, balances.NewTogether(o.Base.Pool), &membership.Tallies{})
}

// At answers an App whose commands take effect at a moment of the past. Only the demo's history uses it.
func (a *App) At(moment time.Time) *App {
	return connect(a.Base.At(moment), a.Options, a.totals, a.tallies)
}

// connect makes the areas, each on those that it knows.
func connect(base *usecase.Base, o Options, totals *balances.Together, tallies *membership.Tallies) *App {
	a := &App{Base: base, Options: o, totals: totals, tallies: tallies}
	a.Membership = &membership.Reader{Base: base, Avatars: o.Avatars, Tallies: tallies}
	a.Groups = &groups.Service{
		Base: base, Membership: a.Membership, Files: o.Files, Adult: o.Adult, InvitationKey: o.InvitationKey, PublicURL: o.PublicURL,
	}
	a.Dues = &dues.Service{Base: base, Membership: a.Membership, MayContribute: o.MayContribute}
	a.Payouts = &payouts.Service{Base: base, Rails: o.Rails, Provider: o.PayoutRail, Payees: o.Payees, Tiers: o.Tiers, CardHold: o.CardHold}
	a.Ajo = &ajo.Service{
		Base: base, Beacon: o.Beacon, PublicURL: o.PublicURL, InvitationKey: o.InvitationKey, Adult: o.Adult, Withdraw: a.Payouts, SalaryDay: o.SalaryDay,
	}
	a.Payments = &payments.Service{
		Base: base, Dues: a.Dues, Ajo: a.Ajo, Rails: o.Rails, Saved: o.Saved, InstructionKey: o.InstructionKey, PublicURL: o.PublicURL, Tiers: o.Tiers,
		Unsent: a.Payouts.Unsent,
	}
	a.StandingOrders = &standingorders.Service{Base: base, Dues: a.Dues}
	a.Liquidations = &liquidations.Service{Base: base, Membership: a.Membership, Payouts: a.Payouts}
	a.Activity = &activity.Service{
		Base: base, Membership: a.Membership, Dues: a.Dues, Payouts: a.Payouts, Liquidations: a.Liquidations, Totals: totals, Proofs: o.Proofs, PublicURL: o.PublicURL,
	}
	a.Audit = &audit.Service{Base: base, Membership: a.Membership}
	a.Months = &months.Service{Base: base, Membership: a.Membership, Beacon: o.Beacon}
	a.Reserves = &reserves.Service{Base: base, Membership: a.Membership, Proofs: o.Proofs, Key: o.InstructionKey}
	a.Finance = &finance.Service{Base: base, Membership: a.Membership, Liabilities: a.Reserves, Payments: a.Payments, Payouts: a.Payouts, Rails: o.Rails}
	a.AjoAccess = &ajoaccess.Service{Base: base, Membership: a.Membership, Adult: o.Adult}
	a.Disputes = &disputes.Service{Base: base, Reader: o.Replays, Requests: a.Liquidations, StopAll: a.Payouts.StopAll, Rails: o.Rails, PublicURL: o.PublicURL}
	a.TimeMachine = &timemachine.Service{Base: base, Disputes: a.Disputes, Reader: o.Replays, Beacon: o.Beacon}
	a.Witnesses = &witnesses.Service{Base: base, Proofs: o.Proofs, DeviceClock: o.DeviceClock}
	a.Evidence = &evidence.Service{Base: base, Disputes: a.Disputes, Activity: a.Activity, Reserves: a.Reserves, Witnesses: a.Witnesses, Reader: o.Replays}
	a.Corrections = &corrections.Service{Base: base, Disputes: a.Disputes, TimeMachine: a.TimeMachine}
	a.CardAnswers = &cardanswers.Service{Base: base, Disputes: a.Disputes, Activity: a.Activity, Rails: o.Rails, TakenBack: a.Payments.TakenBack}
	a.Remedies = &remedies.Service{Base: base, Membership: a.Membership, Profile: o.Remedied, Hold: o.RemedyHold, StopAll: a.Payouts.StopAll}
	a.Notices = &notices.Service{Base: base, Settings: o.Settings, PublicURL: o.PublicURL}
	a.Agenda = &agenda.Service{Base: base, Membership: a.Membership, Ajo: a.Ajo, Audit: a.Audit, Liquidations: a.Liquidations, Groups: a.Groups, Invited: invited.Store{Pool: base.Pool, Now: base.Now}}
	a.Commands = &commands.Service{Base: base}
	return a
}
