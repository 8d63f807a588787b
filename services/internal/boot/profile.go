package boot

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"time"

	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/ledger/base/clock"
	"adashi.ng/ledger/event"
	groupsmodel "adashi.ng/projections/groups"
	"adashi.ng/services/internal/files"
	"adashi.ng/services/internal/groups"
	"adashi.ng/services/internal/jobs"
	"adashi.ng/services/internal/profile"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/banks"
	"adashi.ng/services/internal/secret"
	"adashi.ng/services/internal/vault"
)

// vaultConnections is how many a process opens to the vault at most.
const vaultConnections = 6

// openVault opens what says who members are, with the key of the configuration or the generated one.
func (i *Instance) openVault(ctx context.Context) error {
	keys, err := i.Config.VaultKeys(i.secrets)
	if err != nil {
		return err
	}
	if i.Vault, err = vault.Open(ctx, i.Pool, keys, vaultConnections); err != nil {
		return err
	}
	i.onStop(i.Vault.Close)
	i.measure("vault", i.Vault.Connections())
	i.Files = files.New(files.Options{Vault: i.Vault, Share: func(ctx context.Context, viewer, owner string) (bool, error) {
		return groupsmodel.Share(ctx, i.Pool, viewer, owner)
	}, Shows: func(ctx context.Context, viewer, id string) (bool, error) {
		return groupsmodel.Shows(ctx, i.Pool, viewer, id)
	}, Now: i.Now})
	return nil
}

// openProfile makes the service of members' profiles.
func (i *Instance) openProfile(activator groups.Activator) error {
	enquirer, err := rails.First[rails.Enquirer](i.rails)
	if err != nil {
		return err
	}
	payer, err := rails.As[rails.Payer](i.rails, i.payoutRail())
	if err != nil {
		return fmt.Errorf("ADASHI_PAYOUT_RAIL: %w", err)
	}
	verifier, err := rails.As[rails.Verifier](i.rails, i.identityRail())
	if err != nil {
		return fmt.Errorf("ADASHI_IDENTITY_RAIL: %w", err)
	}
	i.Profile = profile.New(profile.Options{
		Pool: i.Pool, Vault: i.Vault, Files: i.Files, People: i.People, Ledger: i.ledger, Banks: banks.New(),
		Enquirer: enquirer, Payer: payer, Verifier: verifier, PublicURL: i.Config.PublicURL, Now: i.Now,
		OnVerified: activator.ActivateGroupsOf,
		Asked: func(ctx context.Context, userID string) ([]contract.Question, error) {
			return i.App.Audit.Asked(ctx, userID)
		},
	})
	return nil
}

// alert tells a member of what happened to their account's security; that it happened is not undone when this fails.
func (i *Instance) alert(ctx context.Context, userID, kind string) {
	if err := i.Profile.Alert(ctx, userID, kind); err != nil {
		slog.ErrorContext(ctx, "a security alert was not recorded", "kind", kind, "error", err)
	}
}

// mayMoveEmail refuses that an account moves to another e-mail address.
func (i *Instance) mayMoveEmail(ctx context.Context, userID string) error {
	return i.Profile.MayMoveEmail(ctx, userID)
}

// profileJobs are the jobs of members' profiles.
func (i *Instance) profileJobs() []jobs.Periodic {
	return []jobs.Periodic{
		{Name: "ask again about BVNs", Every: 15 * time.Second, Run: i.Profile.AskAgain},
		{Name: "finish undos", Every: 15 * time.Second, Run: i.Profile.FinishUndos},
		{Name: "mail notifications", Every: 5 * time.Second, Run: i.App.Notices.MailNotifications},
		{Name: "mail payments", Every: time.Minute, Run: i.App.Notices.MailPayments}, // At most each notices.DigestEvery.
		{Name: "sweep uploads", Every: time.Hour, Run: i.Profile.Sweep},
		{Name: "forget closed accounts", Every: 24 * time.Hour, Run: i.Profile.ForgetClosed},
	}
}

// savedCards are the cards in the vault.
type savedCards struct {
	vault *vault.Vault
	now   clock.Clock
}

// Card implements payments.SavedCards.
func (s savedCards) Card(ctx context.Context, user, id string) (rails.Card, error) {
	c, err := s.vault.Card(ctx, user, id)
	return rails.Card{
		Provider: event.Provider(cmp.Or(c.Provider, string(event.Paystack))), Token: secret.Text(c.Token), Email: c.Email, Last4: c.Last4, Brand: c.Brand, Bank: c.Bank, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear,
	}, err
}

// KeepCard implements payments.SavedCards.
func (s savedCards) KeepCard(ctx context.Context, user string, c rails.Card) error {
	return s.vault.KeepCard(ctx, user, vault.Card{
		Provider: string(c.Provider), Token: c.Token.Reveal(), Email: c.Email, Last4: c.Last4, Brand: c.Brand, Bank: c.Bank, ExpMonth: c.ExpMonth, ExpYear: c.ExpYear,
	}, s.now())
}

// refreshBanks keeps the list of banks of this process as the rail has it, until the context ends.
func (i *Instance) refreshBanks(ctx context.Context) {
	const every, retry = 24 * time.Hour, time.Minute
	for pause := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		pause = every
		if err := i.Profile.RefreshBanks(ctx); err != nil {
			pause = retry // The table that we have serves meanwhile.
		}
	}
}
