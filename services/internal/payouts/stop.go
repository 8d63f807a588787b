package payouts

import (
	"context"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/payouts"
	"adashi.ng/projections/requests"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// stopsAtOnce is how many payouts of one member are looked at.
const stopsAtOnce = 100

// StopAll takes back all that a member who froze their account asked for and that no bank was told of: their
// withdrawals, and what they asked their groups for, decided on or not.
func (s *Service) StopAll(ctx context.Context, user string) error {
	ids, err := s.Unsent(ctx, user)
	if err != nil {
		return err
	}
	asked, err := requests.Of(ctx, s.Pool, user, stopsAtOnce, liquidation.OpenStatuses...)
	if err != nil {
		return err
	}
	for _, r := range asked {
		ids = append(ids, r.ID)
	}
	return items.Each(ctx, s.Job("stop payouts"), ids, itself, func(ctx context.Context, id string) error {
		w, err := s.Outgoing(ctx, id)
		if err == nil {
			_, err = s.stop(ctx, w)
		}
		return err
	})
}

// Unsent are a member's withdrawals of which no bank was told, as far as the read model has come.
func (s *Service) Unsent(ctx context.Context, user string) (ids []string, err error) {
	own, err := payouts.Of(ctx, s.Pool, user, stopsAtOnce, string(payout.Requested))
	for _, p := range own {
		ids = append(ids, p.ID)
	}
	return ids, err
}

// stop takes back a payout whose money may not leave any more, and reports whether it did.
func (s *Service) stop(ctx context.Context, w outgoing) (bool, error) {
	_, err := s.Record(ctx, usecase.System, store.CommandID("system", "stop payout", w.key()), w.ID, store.Fingerprint("stop payout", w.ID), w.stop)
	if fault.Is(err, fault.Conflict) {
		return false, nil
	}
	return err == nil, err
}
