package payouts

import (
	"context"

	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/domain/payout"
	"adashi.ng/projections/unmatched"
)

// unsentTries is how often a payout was tried that is not sent: over a quarter of a minute at least.
const unsentTries = 3

// NotSent counts the payouts of every kind that were tried and are not sent. One that waits for its time, or for a
// group, was not tried.
func (s *Service) NotSent(ctx context.Context) (count int, err error) {
	err = s.payoutsIn(ctx, payout.Requested, liquidation.Approved, unmatched.BackAgreed, func(ids []string) error {
		tried, err := s.asks().Of(ctx, ids...)
		for _, a := range tried {
			if a.Tries >= unsentTries && a.NextAt != nil {
				count++
			}
		}
		return err
	})
	return count, err
}
