package boot

import (
	"cmp"
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	groupsmodel "adashi.ng/projections/groups"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/httpapi/account"
	"adashi.ng/services/internal/httpapi/activity"
	"adashi.ng/services/internal/httpapi/ajo"
	"adashi.ng/services/internal/httpapi/commands"
	"adashi.ng/services/internal/httpapi/disputes"
	"adashi.ng/services/internal/httpapi/finance"
	"adashi.ng/services/internal/httpapi/ledger"
	"adashi.ng/services/internal/httpapi/notification"
	"adashi.ng/services/internal/httpapi/operator"
	"adashi.ng/services/internal/httpapi/profile"
	"adashi.ng/services/internal/httpapi/savings"
	"adashi.ng/services/internal/httpapi/utility"
	"adashi.ng/services/internal/httpapi/wallet"
	"adashi.ng/services/internal/live"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/people/invited"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/webui"
)

// api is every handler of the contract.
type api struct {
	account.Account
	utility.Utility
	wallet.Wallet
	wallet.Webhooks
	wallet.Cards
	finance.Finance
	ajo.Access
	disputes.Disputes
	disputes.Support
	disputes.Corrections
	disputes.BankAnswers
	disputes.Remedies
	ajo.Ajo
	savings.Savings
	activity.Activity
	commands.Commands
	notification.Notification
	ledger.Ledger
	operator.Operator
	utility.Feed
	profile.Profile
}

// openServices makes what the API and the jobs share.
func (i *Instance) openServices(ctx context.Context, running *sync.WaitGroup) error {
	if !i.roles.API && !i.roles.Jobs {
		return nil
	}
	var err error
	if i.People, err = people.New(people.Options{
		Pool: i.Pool, PublicURL: i.Config.PublicURL, NATS: i.bus, Key: i.Config.IdentityBytes(i.secrets), OnSecurity: i.alert, MayMove: i.mayMoveEmail, Clock: i.Now, DeviceClock: i.Config.Present,
		FastHashing: i.Config.FastHashing && i.Config.Rail == config.RailSandbox, // Real members' passwords never.
	}); err != nil {
		return err
	}
	i.onStop(i.People.Close)
	i.useSandbox(ctx, running)
	if err := i.openBeacon(); err != nil {
		return err
	}
	if err := i.openVault(ctx); err != nil {
		return err
	}
	if err := i.openRails(); err != nil {
		return err
	}
	if err := i.openAreas(); err != nil {
		return err
	}
	if i.roles.API && !i.Config.ByHand {
		running.Go(func() { i.refreshBanks(ctx) })
	}
	if err := i.App.Notices.BeginLetters(ctx); err != nil || !i.roles.Jobs {
		return err
	}
	return i.StartJobs(ctx)
}

// useSandbox points the rails at our own bank, and runs it when this process is the one that serves it.
func (i *Instance) useSandbox(ctx context.Context, running *sync.WaitGroup) {
	if i.Config.Rail != config.RailSandbox {
		return
	}
	base := i.sandboxURL()
	i.Config.Vfd = config.Vfd{
		Host: base + "/sandbox/vfd", ConsumerKey: config.Secret(i.secrets.SandboxConsumerKey), ConsumerSecret: config.Secret(i.secrets.SandboxConsumerSecret),
		WalletName: "Adashi", MerchantID: "adashi", WebhookSecret: config.Secret(i.secrets.VfdWebhookSecret),
	}
	i.Config.Paystack = config.Paystack{Host: base + "/sandbox/paystack", SecretKey: config.Secret(i.secrets.SandboxPaystackKey)}
	if !i.roles.API {
		return
	}
	i.Bank = sandbox.New(sandbox.Options{
		Pool: i.Pool, BaseURL: i.Config.PublicURL, ConsumerKey: i.secrets.SandboxConsumerKey, ConsumerSecret: i.secrets.SandboxConsumerSecret,
		PaystackKey:        i.secrets.SandboxPaystackKey,
		VfdWebhookURL:      i.Address + "/api/v1/webhooks/vfd/" + i.secrets.VfdWebhookSecret,
		PaystackWebhookURL: i.Address + "/api/v1/webhooks/paystack", Now: i.Now,
	})
	if i.Config.ByHand {
		return
	}
	running.Go(func() {
		if err := i.Bank.Run(ctx); err != nil && ctx.Err() == nil {
			i.fail(err)
		}
	})
}

// sandboxURL is where the sandbox is served.
func (i *Instance) sandboxURL() string { return cmp.Or(i.Config.SandboxURL, i.Address) }

// sandboxHandler answers everything under /sandbox: the bank, and the beacon.
func (i *Instance) sandboxHandler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", i.Bank.Handler())
	mux.Handle("GET "+beaconPath+"/", http.StripPrefix(beaconPath, i.TestBeacon))
	return mux
}

// Now is the time that every part goes by.
func (i *Instance) Now() time.Time { return i.Config.Now() }

// hasDemo reports whether this ledger was filled with the demo's people; package demo keeps the table.
func (i *Instance) hasDemo(ctx context.Context) (there bool, err error) {
	if err := i.Pool.QueryRow(ctx, "SELECT to_regclass('demo') IS NOT NULL").Scan(&there); err != nil || !there {
		return false, err
	}
	err = i.Pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM demo WHERE whole)").Scan(&there)
	return there, err
}

// serve opens the door: HTTP, live updates and the web app.
func (i *Instance) serve(ctx context.Context, listener net.Listener) error {
	hub, err := live.New(i.bus, func(ctx context.Context, userID string) ([]string, error) {
		return groupsmodel.Heard(ctx, i.Pool, userID)
	})
	if err != nil {
		return err
	}
	i.onStop(func() { _ = hub.Close() })
	i.People.OnSessionEnded(hub.EndSession)
	web, err := webui.Handler()
	if err != nil {
		return err
	}
	kept := invited.Store{Pool: i.Pool, Now: i.Now}
	deps := httpapi.Deps{
		API: api{
			account.Account{People: i.People, Invited: kept},
			utility.Utility{Now: i.Now, Demo: i.hasDemo},
			wallet.Wallet{
				Activity: i.App.Activity, Ajo: i.App.Ajo, Dues: i.App.Dues, Payments: i.App.Payments, StandingOrders: i.App.StandingOrders, Payouts: i.App.Payouts, Tracker: i.tracker,
			},
			i.webhooks(),
			wallet.Cards{Profile: i.Profile},
			finance.Finance{Finance: i.App.Finance, Reserves: i.App.Reserves, Payouts: i.App.Payouts, Tracker: i.tracker},
			ajo.Access{Access: i.App.AjoAccess, Tracker: i.tracker},
			disputes.Disputes{Disputes: i.App.Disputes, Evidence: i.App.Evidence, Tracker: i.tracker},
			disputes.Support{Disputes: i.App.Disputes, TimeMachine: i.App.TimeMachine, Tracker: i.tracker},
			disputes.Corrections{Corrections: i.App.Corrections, Tracker: i.tracker},
			disputes.BankAnswers{CardAnswers: i.App.CardAnswers, Tracker: i.tracker},
			disputes.Remedies{Remedies: i.App.Remedies},
			ajo.Ajo{Ajo: i.App.Ajo, Audit: i.App.Audit, Invited: kept, Tracker: i.tracker},
			savings.Savings{
				Invited: kept,
				Groups:  i.App.Groups, Dues: i.App.Dues, Payments: i.App.Payments, Liquidations: i.App.Liquidations, Audit: i.App.Audit, Months: i.App.Months, Tracker: i.tracker,
			},
			activity.Activity{Activity: i.App.Activity, Agenda: i.App.Agenda, Tracker: i.tracker},
			commands.Commands{Commands: i.App.Commands},
			notification.Notification{Notices: i.App.Notices, Tracker: i.tracker},
			ledger.Ledger{Proofs: i.App.Options.Proofs, Witnesses: i.App.Witnesses, Tracker: i.tracker},
			operator.Operator{Engine: i.Engine, Checks: i.Standing, Notices: i.App.Notices, Inbox: i.Config.SMTPURL == ""},
			utility.Feed{Hub: hub, People: i.People},
			profile.Profile{Service: i.Profile, Files: i.Files, Leaving: i.Leaving},
		},
		Authenticate: i.People.Authenticate, KnowsDevice: i.People.Knows, Standing: i.Standing, Web: web, OverTLS: overTLS(i.Config.PublicURL), TrustedProxies: i.Config.TrustedProxies,
		Now: i.Now, Metrics: i.metrics.Handler(), Observe: i.metrics.Request,
	}
	if i.Bank != nil {
		if !i.Config.Loopback() {
			slog.Warn("THE SANDBOX IS OPEN: whoever reaches this address can read every letter at /dev/inbox and move the bank's money at /sandbox/", "host", i.Config.Host)
		}
		deps.Sandbox = i.sandboxHandler()
		if i.Config.SMTPURL == "" { // What is really sent is no longer there to be read.
			deps.Inbox = mail.Inbox(i.Pool)
		}
	}
	i.open(httpapi.Server(httpapi.Router(deps)), listener)
	i.onStop(hub.Drain) // Streams end first: the server waits for what is in flight.
	if i.Config.Rail == config.RailLive {
		return i.checkCredentials(ctx)
	}
	return nil
}
