package timemachine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/infra/replay"
)

// leastAtOnce is how many of an account's events are read at once.
const leastAtOnce = 500

// Least is the least, in kobo, that an account held from a time on by what counts, if some amounts that count from that
// time were posted to it now. It is for an account of a member or of a group.
func (s *Service) Least(ctx context.Context, account string, from time.Time, posted ...money.Kobo) (money.Kobo, error) {
	type change struct {
		at     time.Time
		amount money.Kobo
	}
	var later []change // The latest first.
	var now money.Kobo
	for known, before := false, int64(0); ; {
		steps, err := s.Reader.Steps(ctx, replay.Subject{Account: account}, before, leastAtOnce, true)
		if err != nil && !errors.Is(err, replay.ErrUnknown) {
			return 0, said(err)
		}
		past := len(steps) < leastAtOnce
		for _, step := range slices.Backward(steps) {
			r := step.Record
			past = past || !r.RecordedAt.After(from) // Nothing counts from later than it was recorded.
			for _, line := range r.Lines {
				if line.Account != account {
					continue
				}
				if !known {
					now, known = line.Balance, true
				}
				if r.EffectiveAt.After(from) {
					later = append(later, change{r.EffectiveAt, line.Amount})
				}
			}
		}
		if past {
			break
		}
		before = steps[0].Record.Pos
	}
	slices.Reverse(later)
	slices.SortStableFunc(later, func(a, b change) int { return cmp.Compare(a.at.UnixNano(), b.at.UnixNano()) })
	for _, c := range later {
		now -= c.amount // What it held then.
	}
	least := now
	for _, amount := range posted {
		now += amount
		least = min(least, now)
	}
	for _, c := range later {
		now += c.amount
		least = min(least, now)
	}
	return least, nil
}
