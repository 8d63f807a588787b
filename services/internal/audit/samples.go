package audit

import (
	"context"
	"time"

	"adashi.ng/projections/months"
	"adashi.ng/services/internal/usecase"
)

// samples are the drawn samples of months that are not attested: the month of each payment, by its position.
type samples map[int64]string

func (s *Service) samples(ctx context.Context, places ...string) (samples, error) {
	open, err := months.ToLookAt(ctx, s.Pool, places)
	all := samples{}
	for _, m := range open {
		at, err := time.Parse("2006-01", m.Month)
		if err != nil {
			return nil, err
		}
		for _, pos := range m.Sample {
			all[pos] = at.Format("January 2006")
		}
	}
	return all, err
}

func (s samples) places() []int64 {
	all := make([]int64, 0, len(s))
	for pos := range s {
		all = append(all, pos)
	}
	return all
}

// of returns the month of a payment's sample, such as October 2026; nil when it is in none.
func (s samples) of(pos int64) *string { return usecase.OrNil(s[pos]) }
