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

// stopsAtOnce limits how many payouts of one member StopAll reads.
const stopsAtOnce = 100

// StopAll cancels all unsent payouts of a member who froze their account: their withdrawals, and their requests to
// groups, decided or not.
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

// Unsent returns a member's withdrawals that no bank has received, by the read model.
func (s *Service) Unsent(ctx context.Context, user string) (ids []string, err error) {
	own, err := payouts.Of(ctx, s.Pool, user, stopsAtOnce, string(payout.Requested))
	for _, p := range own {
		ids = append(ids, p.ID)
	}
	return ids, err
}

// stop cancels a payout whose money may no longer leave, and reports whether it did.
func (s *Service) stop(ctx context.Context, w outgoing) (bool, error) {
	_, err := s.Record(ctx, usecase.System, store.CommandID("system", "stop payout", w.key()), w.ID, store.Fingerprint("stop payout", w.ID), w.stop)
	if fault.Is(err, fault.Conflict) {
		return false, nil
	}
	return err == nil, err
}
