package boot

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"sync"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/infra/proofs"
	groupsmodel "adashi.ng/projections/groups"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/httpapi"
	"adashi.ng/services/internal/httpapi/account"
	"adashi.ng/services/internal/httpapi/activity"
	"adashi.ng/services/internal/httpapi/finance"
	"adashi.ng/services/internal/httpapi/ledger"
	"adashi.ng/services/internal/httpapi/notification"
	"adashi.ng/services/internal/httpapi/operator"
	"adashi.ng/services/internal/httpapi/profile"
	"adashi.ng/services/internal/httpapi/savings"
	"adashi.ng/services/internal/httpapi/utility"
	"adashi.ng/services/internal/httpapi/wallet"
	"adashi.ng/services/internal/jobs"
	"adashi.ng/services/internal/leaving"
	"adashi.ng/services/internal/live"
	"adashi.ng/services/internal/losses"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/sandbox"
	"adashi.ng/services/internal/rails/vfd"
	"adashi.ng/services/internal/usecase"
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
	savings.Savings
	activity.Activity
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
		Pool: i.Pool, PublicURL: i.Config.PublicURL, NATS: i.bus, Key: i.Config.IdentityBytes(i.secrets), OnSecurity: i.alert, Clock: i.Now,
	}); err != nil {
		return err
	}
	i.onStop(i.People.Close)
	i.useSandbox(ctx, running)
	if err := i.openVault(ctx); err != nil {
		return err
	}
	base := usecase.NewBase(usecase.Base{
		Pool: i.Pool, Ledger: i.ledger, People: i.People, Vault: i.Vault, Tracker: i.tracker,
		Now: i.Now, Past: i.Config.SandboxClock != 0, Recorded: i.taken.note,
	})
	i.openProfile(groups.Activator{Base: base})
	bank, card := i.collectors()
	i.App = app.New(app.Options{
		Base: base, Files: i.Files, Proofs: proofs.NewReader(i.Pool, i.keys), InvitationKey: []byte(i.secrets.InvitationKey), InstructionKey: i.Config.IdentityBytes(i.secrets), PublicURL: i.Config.PublicURL,
		Rails: map[nairav1.Channel]rails.Collector{nairav1.Channel_CHANNEL_BANK_TRANSFER: bank, nairav1.Channel_CHANNEL_CARD: card},
		Cards: card, Saved: savedCards{i.Vault}, Tellers: map[nairav1.Channel]rails.Teller{nairav1.Channel_CHANNEL_BANK_TRANSFER: bank, nairav1.Channel_CHANNEL_CARD: card},
		MayContribute: i.Profile.MayContribute, Adult: i.Profile.Adult, Avatars: i.Vault.Avatars, Settings: i.Profile, Payers: i.payers(bank, card), PayoutChannel: i.payoutChannel(), Payees: i.Profile, Tiers: i.Config.Tiers,
	})
	if i.roles.API {
		running.Go(func() { i.refreshBanks(ctx) })
	}
	if err := i.App.Notices.BeginLetters(ctx); err != nil || !i.roles.Jobs {
		return err
	}
	periodics := append(i.profileJobs(),
		jobs.Periodic{Name: "settle open payments", Every: 15 * time.Second, Run: i.App.Payments.SettleOpen},
		jobs.Periodic{Name: "send payouts", Every: 2 * time.Second, Run: i.App.Payouts.SendPayouts},
		jobs.Periodic{Name: "ask about payouts", Every: 5 * time.Second, Run: i.App.Payouts.AskPayouts},
		jobs.Periodic{Name: "sweep payees", Every: time.Hour, Run: i.App.Payouts.SweepPayees},
		jobs.Periodic{Name: "standing orders", Every: 30 * time.Second, Run: i.App.StandingOrders.RunStandingOrders},
		jobs.Periodic{Name: "apply penalties", Every: 10 * time.Minute, Run: i.App.Dues.ApplyPenalties},
		jobs.Periodic{Name: "send reminders", Every: 10 * time.Minute, Run: i.App.Dues.SendReminders},
		jobs.Periodic{Name: "reconcile with the banks", Every: 20 * time.Minute, Run: i.App.Finance.ReconcileDaily},
		jobs.Periodic{Name: "expire requests", Every: time.Minute, Run: i.App.Liquidations.ExpireRequests},
		jobs.Periodic{Name: "lapse invitations", Every: time.Minute, Run: i.App.Groups.LapseInvitations},
		jobs.Periodic{Name: "watch votes on owners", Every: time.Minute, Run: i.App.Groups.WatchVotes},
		jobs.Periodic{Name: "sweep documents", Every: time.Hour, Run: i.App.Groups.SweepDocuments},
		jobs.Periodic{Name: "expire holds", Every: time.Minute, Run: i.App.Payments.ExpireHolds},
		jobs.Periodic{Name: "tell of losses", Every: 5 * time.Second, Run: losses.Teller{Pool: i.Pool, JS: i.JS, Keys: i.keys, Append: i.ledger.Append}.Tell},
		jobs.Periodic{Name: "tidy letters", Every: time.Hour, Run: i.App.Notices.TidyLetters},
		jobs.Periodic{Name: "tidy people", Every: time.Hour, Run: i.People.Tidy},
	)
	if i.Config.SMTPURL != "" {
		sender, err := mail.NewSender(mail.SenderOptions{Pool: i.Pool, URL: i.Config.SMTPURL.Reveal(), From: i.Config.MailFrom})
		if err != nil {
			return fmt.Errorf("ADASHI_SMTP_URL and ADASHI_MAIL_FROM: %w", err)
		}
		periodics = append(periodics, jobs.Periodic{Name: "send mail", Every: 2 * time.Second, Run: sender.SendDue})
	}
	stop, err := jobs.Start(ctx, i.Pool, periodics)
	if err != nil {
		return err
	}
	i.onStop(func() {
		ctx, cancel := context.WithTimeout(context.Background(), drainMax)
		defer cancel()
		if err := stop(ctx); err != nil {
			slog.Warn("jobs did not end in time", "error", err)
		}
	})
	return nil
}

// useSandbox points the rails at our own bank, and runs it when this process is the one that serves it.
func (i *Instance) useSandbox(ctx context.Context, running *sync.WaitGroup) {
	if i.Config.Rail != config.RailSandbox {
		return
	}
	base := i.Config.SandboxURL
	if base == "" {
		base = i.Address
	}
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
	running.Go(func() {
		if err := i.Bank.Run(ctx); err != nil && ctx.Err() == nil {
			i.fail(err)
		}
	})
}

// Now is the present, or where the sandbox lives.
func (i *Instance) Now() time.Time { return time.Now().Add(i.Config.SandboxClock) }

func (i *Instance) collectors() (bank *vfd.Client, card *paystack.Client) {
	v, p := i.Config.Vfd, i.Config.Paystack
	bank = vfd.New(vfd.Options{
		Host: v.Host, ConsumerKey: v.ConsumerKey.Reveal(), ConsumerSecret: v.ConsumerSecret.Reveal(),
		WalletName: v.WalletName, MerchantID: v.MerchantID, WebhookSecret: v.WebhookSecret.Reveal(), Now: i.Now,
	})
	card = paystack.New(paystack.Options{Host: p.Host, SecretKey: p.SecretKey.Reveal()})
	return bank, card
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
	bank, card := i.collectors()
	deps := httpapi.Deps{
		API: api{
			account.Account{People: i.People},
			utility.Utility{},
			wallet.Wallet{
				Activity: i.App.Activity, Dues: i.App.Dues, Payments: i.App.Payments, StandingOrders: i.App.StandingOrders, Payouts: i.App.Payouts, Tracker: i.tracker,
			},
			wallet.Webhooks{Payments: i.App.Payments, Bank: bank, Card: card, CardHooks: i.cardHooks(card)},
			wallet.Cards{Profile: i.Profile},
			finance.Finance{Finance: i.App.Finance, Payouts: i.App.Payouts, Tracker: i.tracker},
			savings.Savings{
				Groups: i.App.Groups, Dues: i.App.Dues, Payments: i.App.Payments, Liquidations: i.App.Liquidations, Audit: i.App.Audit, Tracker: i.tracker,
			},
			activity.Activity{Activity: i.App.Activity, Tracker: i.tracker},
			notification.Notification{Notices: i.App.Notices, Tracker: i.tracker},
			ledger.Ledger{Proofs: i.App.Options.Proofs},
			operator.Operator{Engine: i.Engine, Checks: i.Standing, Notices: i.App.Notices},
			utility.Feed{Hub: hub},
			profile.Profile{Service: i.Profile, Files: i.Files, Leaving: &leaving.Service{
				People: i.People, Profile: i.Profile, Areas: []leaving.Area{i.App.Activity, i.App.Payments, i.App.Groups, i.App.Liquidations, i.App.Dues},
			}},
		},
		Authenticate: i.People.Authenticate, KnowsDevice: i.People.Knows, Standing: i.Standing, Web: web, OverTLS: overTLS(i.Config.PublicURL), TrustedProxies: i.Config.TrustedProxies,
		Metrics: i.metrics.Handler(), Observe: i.metrics.Request,
	}
	if i.Bank != nil {
		if !i.Config.Loopback() {
			slog.Warn("THE SANDBOX IS OPEN: whoever reaches this address can read every letter at /dev/inbox and move the bank's money at /sandbox/", "host", i.Config.Host)
		}
		deps.Sandbox = i.Bank.Handler()
		if i.Config.SMTPURL == "" { // What is really sent is no longer there to be read.
			deps.Inbox = mail.Inbox(i.Pool)
		}
	}
	i.open(httpapi.Server(httpapi.Router(deps)), listener)
	i.onStop(hub.Drain) // Streams end first: the server waits for what is in flight.
	if i.Config.Rail == config.RailLive {
		// A refused credential stops the start, not the first payment.
		if err := bank.Check(ctx); err != nil {
			return err
		}
		return card.Check(ctx)
	}
	return nil
}
