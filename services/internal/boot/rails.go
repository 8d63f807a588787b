package boot

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"

	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/config"
	"adashi.ng/services/internal/httpapi/wallet"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/rails/paystack"
	"adashi.ng/services/internal/rails/vfd"
)

// openRails registers the adapters: those that the process was started with, and then those of the configuration.
func (i *Instance) openRails() (err error) {
	v, p := i.Config.Vfd, i.Config.Paystack
	bank := vfd.New(vfd.Options{
		Host: v.Host, ConsumerKey: v.ConsumerKey.Reveal(), ConsumerSecret: v.ConsumerSecret.Reveal(),
		WalletName: v.WalletName, MerchantID: v.MerchantID, WebhookSecret: v.WebhookSecret.Reveal(), Now: i.Now,
	})
	card := paystack.New(paystack.Options{Host: p.Host, SecretKey: p.SecretKey.Reveal()})
	i.rails, err = rails.NewRegistry(append(slices.Clip(i.adapters), bank, card)...)
	return err
}

// checkCredentials has a refused credential stop the start, and not the first payment.
func (i *Instance) checkCredentials(ctx context.Context) error {
	for _, adapter := range i.rails.All() {
		if checker, can := adapter.(rails.Checker); can {
			if err := checker.Check(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// payoutRail is who pays out what is new.
func (i *Instance) payoutRail() event.Provider {
	return event.Provider(cmp.Or(i.Config.PayoutRail, config.PayoutVfd))
}

// identityRail is who is asked about BVNs.
func (i *Instance) identityRail() event.Provider {
	return event.Provider(cmp.Or(i.Config.IdentityRail, config.IdentityVfd))
}

// webhooks take what providers tell.
func (i *Instance) webhooks() wallet.Webhooks {
	return wallet.Webhooks{Hooks: i.hooks, Opens: func(provider event.Provider, secret string) bool {
		if by, err := rails.As[rails.SecretPath](i.rails, provider); err == nil {
			return by.SecretIs(secret)
		}
		return secret == ""
	}}
}

// hooks take what a provider tells of payments, of payouts, of checks of BVNs, and of payments that were taken back.
func (i *Instance) hooks(provider event.Provider) (hooks []wallet.Hook) {
	if from, err := rails.As[rails.PaymentHook](i.rails, provider); err == nil {
		hooks = append(hooks, func(ctx context.Context, header http.Header, body []byte) error {
			notice, err := from.ParseWebhook(header, body)
			if err != nil {
				return err
			}
			return i.App.Payments.Webhook(ctx, provider, notice)
		})
	}
	if from, err := rails.As[rails.PayoutHook](i.rails, provider); err == nil {
		hooks = append(hooks, func(ctx context.Context, header http.Header, body []byte) error {
			notice, err := from.ParsePayout(header, body)
			if err != nil {
				return err
			}
			return i.App.Payouts.PayoutNotice(ctx, provider, notice)
		})
	}
	if from, err := rails.As[rails.IdentityHook](i.rails, provider); err == nil {
		hooks = append(hooks, func(ctx context.Context, header http.Header, body []byte) error {
			return i.Profile.IdentityWebhook(ctx, from, header, body)
		})
	}
	if from, err := rails.As[rails.Reverser](i.rails, provider); err == nil {
		hooks = append(hooks, func(ctx context.Context, header http.Header, body []byte) error {
			reference, err := from.ParseReversal(header, body)
			if err != nil {
				return err
			}
			_, err = i.App.Payments.TakenBack(ctx, provider, reference)
			if _, disputes := from.(rails.CardDisputer); disputes {
				err = errors.Join(err, i.App.Disputes.CardsOf(ctx, provider, reference))
			}
			return err
		})
	}
	return hooks
}
