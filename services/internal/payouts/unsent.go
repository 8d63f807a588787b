package payouts

import (
	"context"
	"time"

	"adashi.ng/ledger/domain/payout"
	"adashi.ng/projections/payouts"
)

// unsentLook limits how many withdrawals NotSent reads.
const unsentLook = 100

// NotSent counts the oldest withdrawals that have been tried for a minute and are not sent. One that waits for its
// time, or for a group, was not tried.
func (s *Service) NotSent(ctx context.Context) (count int, err error) {
	rows, err := payouts.Standing(ctx, s.Pool, 0, unsentLook, string(payout.Requested))
	if err != nil {
		return 0, err
	}
	ids := make([]string, len(rows))
	for n, row := range rows {
		ids[n] = row.ID
	}
	tried, err := s.asks().Of(ctx, ids...)
	if err != nil {
		return 0, err
	}
	for _, row := range rows {
		if a := tried[row.ID]; a.Tries > 0 && a.NextAt != nil && s.Now().Sub(row.RequestedAt) > time.Minute {
			count++
		}
	}
	return count, nil
}
