package payments

import (
	"context"

	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/holding"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// expiredAtOnce is how many holds one run releases.
const expiredAtOnce = 500

// ExpireHolds releases holds that have run out. It is a job: the next run handles the ones that this run does not
// reach.
func (s *Service) ExpireHolds(ctx context.Context) error {
	over, err := holding.Expired(ctx, s.Pool, s.Now(), expiredAtOnce)
	if err != nil {
		return err
	}
	return items.Each(ctx, s.Job("expire holds"), over, func(h holding.Hold) string { return h.ID }, func(ctx context.Context, h holding.Hold) error {
		_, err := s.Ledger.Append(ctx, store.Command{
			ID: store.CommandID("system", "expire hold", h.ID), Hash: store.Fingerprint(h.ID), Actor: "system", Correlation: h.ID,
			Command: holds.Expire(h.ID, h.Account, s.Now()),
		})
		return usecase.UnlessRefused(err) // Refused: it was captured or released just now.
	})
}
