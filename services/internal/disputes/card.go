package disputes

import (
	"context"
	"errors"
	"time"

	"adashi.ng/ledger/base/fault"
	rules "adashi.ng/ledger/domain/dispute"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/activity"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/rails"
	"adashi.ng/services/internal/usecase"
)

// cardsBack is how long ago a card's bank may have begun a dispute that we still ask about. Disputes last weeks.
const cardsBack = 120 * 24 * time.Hour

// FollowCards asks every gateway for disputes of cards' banks, and records new ones, because a webhook may not have
// come.
func (s *Service) FollowCards(ctx context.Context) error {
	var failed []error
	for _, adapter := range s.Rails.All() {
		if _, can := adapter.(rails.CardDisputer); can {
			failed = append(failed, s.followCards(ctx, adapter.Provider().ID))
		}
	}
	return errors.Join(failed...)
}

// CardsOf asks one gateway for the card disputes of one payment, after a webhook said that something changed.
func (s *Service) CardsOf(ctx context.Context, provider event.Provider, reference string) error {
	from, err := rails.As[rails.CardDisputer](s.Rails, provider)
	if err != nil {
		return err
	}
	all, unread := from.CardDisputesOf(ctx, reference)
	failed := []error{unread}
	for _, d := range all {
		failed = append(failed, s.card(ctx, provider, d))
	}
	return errors.Join(failed...)
}

// followCards asks one gateway about all payments.
func (s *Service) followCards(ctx context.Context, provider event.Provider) error {
	from, err := rails.As[rails.CardDisputer](s.Rails, provider)
	if err != nil {
		return err
	}
	all, unread := from.CardDisputes(ctx, s.Now().Add(-cardsBack))
	done := items.Each(ctx, s.Job("follow disputes of cards"), all, func(d rails.CardDispute) string { return d.ProviderRef }, func(ctx context.Context, d rails.CardDispute) error {
		return s.card(ctx, provider, d)
	})
	return errors.Join(unread, done)
}

// card records the unknown part of a card bank's dispute. It skips a dispute about a payment that is not ours.
func (s *Service) card(ctx context.Context, provider event.Provider, d rails.CardDispute) error {
	payment, err := usecase.ParseID(d.Reference, "payment")
	if err != nil {
		return nil //nolint:nilerr // We did not make this reference.
	}
	state, err := s.Ledger.Load(ctx, wallet.Stream(payment))
	if err != nil {
		return err
	}
	p := state.(wallet.Payment)
	if p.Status == wallet.None || p.Provider != provider {
		return nil
	}
	command := store.CommandID("system", "card dispute "+provider.Stored(), d.ProviderRef)
	id := event.DeriveID(command, "dispute").String()
	known, err := s.dispute(ctx, id)
	if err != nil {
		return err
	}
	if known.Status == rules.None {
		tell := rules.TellCard{
			DisputeID: id, User: p.User, Payment: payment, Provider: provider, Ref: d.ProviderRef, Amount: d.Amount, Reason: usecase.Plain(d.Reason), AnswerBy: d.AnswerBy, Now: s.Now(),
		}
		switch arrived, err := activity.OfPayment(ctx, s.Pool, p.User, payment); {
		case err == nil:
			tell.EventID, tell.Position = arrived.ID.String(), arrived.Pos
		case !errors.Is(err, activity.ErrNone):
			return err
		}
		if _, err := s.Record(ctx, usecase.System, command, id, store.Fingerprint(d.ProviderRef), tell); err != nil && !fault.Is(err, fault.Conflict) {
			return err
		}
	}
	if !d.Ended || known.Card.Ended {
		return nil
	}
	_, err = s.Record(ctx, usecase.System, store.CommandID("system", "card dispute ended "+provider.Stored(), d.ProviderRef), id, store.Fingerprint(d.ProviderRef, d.Upheld),
		rules.EndCard{DisputeID: id, User: p.User, Provider: provider, Ref: d.ProviderRef, Upheld: d.Upheld})
	return usecase.UnlessRefused(err)
}
