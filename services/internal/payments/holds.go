package payments

import (
	"context"

	"adashi.ng/ledger/domain/holds"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/holding"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// expiredAtOnce is how many holds are let go in one run.
const expiredAtOnce = 500

// ExpireHolds gives back what is still set aside after its time. It is a job: whatever it does not come to, the next
// run does.
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
