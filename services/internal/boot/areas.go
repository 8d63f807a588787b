package boot

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"adashi.ng/ledger/infra/proofs"
	"adashi.ng/services/internal/ajo/closed"
	"adashi.ng/services/internal/app"
	"adashi.ng/services/internal/asks"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/jobs"
	"adashi.ng/services/internal/leaving"
	"adashi.ng/services/internal/losses"
	"adashi.ng/services/internal/mail"
	"adashi.ng/services/internal/notices"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/witnesses"
)

// openAreas makes the profile and the areas, each on what is made before it, and what is above them all.
func (i *Instance) openAreas() error {
	base := usecase.NewBase(usecase.Base{
		Pool: i.Pool, Ledger: i.ledger, People: i.People, Vault: i.Vault, Tracker: i.tracker,
		Now: i.Now, Recorded: i.taken.note, OneByOne: i.Config.ByHand,
	})
	if err := i.openProfile(groups.Activator{Base: base}); err != nil {
		return err
	}
	i.App = app.New(app.Options{
		Base: base, Files: i.Files, Proofs: proofs.NewReader(i.Pool, i.keys), Replays: replays(i.Pool, i.Now),
		Rails: i.rails, PayoutRail: i.payoutRail(), Payees: i.Profile,
		Saved: savedCards{i.Vault, i.Now}, Tiers: i.Config.Tiers, CardHold: i.Config.CardHold, Remedied: i.Profile, RemedyHold: i.Config.RemedyHold, PublicURL: i.Config.PublicURL,
		InvitationKey: []byte(i.secrets.InvitationKey), InstructionKey: i.Config.IdentityBytes(i.secrets),
		Settings: i.Profile, MayContribute: i.Profile.MayContribute, Adult: i.Profile.Adult, SalaryDay: i.Profile.SalaryDay, Beacon: i.Beacon, Avatars: i.Vault.Avatars, DeviceClock: i.Config.Present,
	})
	i.Leaving = &leaving.Service{
		People: i.People, Profile: i.Profile, Known: leaving.ReadModels(i.Pool, i.tracker), Groups: i.App.Groups,
		Seats: closed.Service{Base: i.App.Base},
		Areas: []leaving.Area{i.App.Activity, i.App.Payments, i.App.Groups, i.App.Liquidations, i.App.Dues, i.App.Ajo, i.App.Disputes},
	}
	return nil
}

// waits are the columns in which jobs keep when they try something again, and since when it fails.
var waits = []jobs.Wait{
	// The bank is asked about a paid payout for three days, so only rows that were never asked, or asked in the future,
	// count as wrong.
	{Table: "asks", Column: "next_at", Most: asks.UnknownFor, Where: "(asked_at IS NULL OR asked_at > $1)"},
	{Table: "asks", Column: "unknown_since"},
	{Table: "failing_items", Column: "next_try", Most: items.PauseMost},
	{Table: "failing_items", Column: "since"},
	{Table: "mail_outbox", Column: "next_try", Most: mail.RetryMost},
	{Table: "payment_digest", Column: "next_at", Most: notices.DigestEvery},
}

// Periodics are the jobs, with how often each is to run.
func (i *Instance) Periodics() ([]jobs.Periodic, error) {
	periodics := append(i.profileJobs(),
		jobs.Periodic{Name: "finish closings", Every: time.Minute, Run: func(ctx context.Context) error {
			return i.Leaving.Finish(ctx, items.Job{Pool: i.Pool, Name: "finish closings", Now: i.Now()})
		}},
		jobs.Periodic{Name: "settle open payments", Every: 15 * time.Second, Run: i.App.Payments.SettleOpen},
		jobs.Periodic{Name: "send payouts", Every: 2 * time.Second, Run: i.App.Payouts.SendPayouts},
		jobs.Periodic{Name: "ask about payouts", Every: 5 * time.Second, Run: i.App.Payouts.AskPayouts},
		jobs.Periodic{Name: "share returned", Every: 10 * time.Minute, Run: i.App.Groups.ShareReturned},
		jobs.Periodic{Name: "sweep payees", Every: time.Hour, Run: i.App.Payouts.SweepPayees},
		jobs.Periodic{Name: "standing orders", Every: 30 * time.Second, Run: i.App.StandingOrders.RunStandingOrders},
		jobs.Periodic{Name: "apply penalties", Every: 10 * time.Minute, Run: i.App.Dues.ApplyPenalties},
		jobs.Periodic{Name: "send reminders", Every: 10 * time.Minute, Run: i.App.Dues.SendReminders},
		jobs.Periodic{Name: "judge ajo", Every: 30 * time.Second, Run: i.App.Ajo.Judge},
		jobs.Periodic{Name: "pay silent ajo", Every: 30 * time.Second, Run: i.App.Ajo.PaySilent},
		jobs.Periodic{Name: "keep ajo", Every: 15 * time.Second, Run: i.App.Ajo.Keep},
		jobs.Periodic{Name: "remind of ajo dues", Every: 10 * time.Minute, Run: i.App.Ajo.Remind},
		jobs.Periodic{Name: "sweep what came", Every: time.Minute, Run: i.App.Ajo.SweepAgain},
		jobs.Periodic{Name: "retry ajo debts", Every: time.Minute, Run: i.App.Ajo.Retry},
		jobs.Periodic{Name: "reconcile with the banks", Every: 20 * time.Minute, Run: i.App.Finance.ReconcileDaily},
		jobs.Periodic{Name: "expire requests", Every: time.Minute, Run: i.App.Liquidations.ExpireRequests},
		jobs.Periodic{Name: "lapse invitations", Every: time.Minute, Run: i.App.Groups.LapseInvitations},
		jobs.Periodic{Name: "watch votes on owners", Every: time.Minute, Run: i.App.Groups.WatchVotes},
		jobs.Periodic{Name: "sweep documents", Every: time.Hour, Run: i.App.Groups.SweepDocuments},
		jobs.Periodic{Name: "keep clocks of disputes", Every: 30 * time.Second, Run: i.App.Disputes.KeepClocks},
		jobs.Periodic{Name: "write to Admins of cases", Every: 10 * time.Second, Run: i.App.Disputes.TellAdmins},
		jobs.Periodic{Name: "follow disputes of cards", Every: time.Hour, Run: i.App.Disputes.FollowCards},
		jobs.Periodic{Name: "answer banks of cards", Every: 5 * time.Second, Run: i.App.CardAnswers.SendAnswers},
		jobs.Periodic{Name: "remind of answers to banks", Every: 10 * time.Minute, Run: i.App.CardAnswers.Remind},
		jobs.Periodic{Name: "finish remedies", Every: 15 * time.Second, Run: i.App.Remedies.Settle},
		jobs.Periodic{Name: "draw samples", Every: 15 * time.Second, Run: i.App.Months.DrawDue},
		jobs.Periodic{Name: "apply corrections", Every: 30 * time.Second, Run: i.App.Corrections.ApplyApproved},
		jobs.Periodic{Name: "decide history again", Every: time.Hour, Run: i.App.TimeMachine.DecideAgain},
		jobs.Periodic{Name: "expire holds", Every: time.Minute, Run: i.App.Payments.ExpireHolds},
		jobs.Periodic{Name: "tell of losses", Every: 5 * time.Second, Run: losses.Teller{Pool: i.Pool, JS: i.JS, Keys: i.keys, Append: i.ledger.Append, Now: i.Now}.Tell},
		jobs.Periodic{Name: "tidy letters", Every: time.Hour, Run: i.App.Notices.PruneLetters},
		jobs.Periodic{Name: "tidy people", Every: time.Hour, Run: i.People.Prune},
		jobs.Periodic{Name: "make keyframes", Every: time.Hour, Run: i.keyframesJob()},
	)
	if i.Config.Witnesses != "" {
		outsiders, err := witnesses.ParseOutsiders(i.Config.Witnesses)
		if err != nil {
			return nil, err
		}
		push := &witnesses.Pusher{Service: i.App.Witnesses, Outsiders: outsiders}
		periodics = append(periodics, jobs.Periodic{Name: "ask witnesses", Every: 5 * time.Second, Run: push.Push})
	}
	if i.Config.SMTPURL != "" {
		sender, err := mail.NewSender(mail.SenderOptions{Pool: i.Pool, URL: i.Config.SMTPURL.Reveal(), From: i.Config.MailFrom, Now: i.Now})
		if err != nil {
			return nil, fmt.Errorf("ADASHI_SMTP_URL and ADASHI_MAIL_FROM: %w", err)
		}
		periodics = append(periodics, jobs.Periodic{Name: "send mail", Every: 2 * time.Second, Run: sender.SendDue})
	}
	return periodics, nil
}

// StartJobs has the jobs run until the process stops. Start does it where the roles name them.
func (i *Instance) StartJobs(ctx context.Context) error {
	periodics, err := i.Periodics()
	if err != nil {
		return err
	}
	stop, err := jobs.Start(ctx, i.Pool, i.Now, i.doubted, i.whileRight(periodics), waits...)
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
