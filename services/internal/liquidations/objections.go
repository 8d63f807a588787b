package liquidations

import (
	"context"
	"errors"
	"slices"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/services/internal/usecase"
	"adashi.ng/services/internal/vault"
)

// notToThemselves refuses to let somebody decide whose own bank account it would be paid to, or who shares one with the
// person who asks or with one who has decided.
func (s *Service) notToThemselves(ctx context.Context, user, id string, l liquidation.Liquidation) error {
	payee, err := s.Vault.Payee(ctx, id)
	if err != nil && !errors.Is(err, vault.ErrGone) {
		return err
	}
	decided := slices.DeleteFunc(append([]string{l.ValidatedBy}, l.Approvals...), func(by string) bool { return by == "" })
	paid, shares, err := s.Membership.Interest(ctx, user, payee, l.RequestedBy, decided...)
	switch {
	case err != nil:
		return err
	case paid:
		return fault.New(fault.Forbidden, "This would be paid to your own bank account, and nobody decides on a payment to themselves. Somebody else must.")
	case slices.Contains(shares, l.RequestedBy):
		return fault.New(fault.Forbidden, "You share a bank account with the person who asks, so somebody else decides.")
	case len(shares) > 0:
		return fault.New(fault.Forbidden, "You share a bank account with a person who has decided on this, so somebody else decides.")
	}
	return nil
}

// ObjectToLiquidation has a member say that a payment of their group should be looked at again.
func (s *Service) ObjectToLiquidation(ctx context.Context, who usecase.Who, id, reason string) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	return s.act(ctx, who, "object to liquidation", id, store.Fingerprint(id, reason), func(of liquidation.Of, _ liquidation.Liquidation) (event.Command, error) {
		return liquidation.Object(of, who.User, reason, s.Now()), nil
	})
}

// AnswerObjections has an approver answer the members who put a payment on hold. It lets money go on, so it needs a
// step-up.
func (s *Service) AnswerObjections(ctx context.Context, who usecase.Who, id, reason string, steppedUp func() error) (Liquidation, int64, error) {
	id, err := usecase.ParseID(id, "request")
	if err != nil {
		return Liquidation{}, 0, err
	}
	return s.act(ctx, who, "answer objections", id, store.Fingerprint(id, reason), func(of liquidation.Of, l liquidation.Liquidation) (event.Command, error) {
		if err := steppedUp(); err != nil {
			return nil, err
		}
		return liquidation.InTime(of, s.Now(), liquidation.Answer(of, who.User, reason, s.Now())), s.notToThemselves(ctx, who.User, id, l)
	})
}
