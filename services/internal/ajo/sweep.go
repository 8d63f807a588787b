package ajo

import (
	"context"
	"slices"
	"time"

	"github.com/google/uuid"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/projections/activity"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/items"
)

// sweepAgainFor is for how long money that came is tried again whose sweep failed.
const sweepAgainFor = 24 * time.Hour

// sweepsMost is how many of what came to one member in that time are looked at.
const sweepsMost = 200

// sweptBefore is what was taken already of money by its reference, and for which debts.
func (s *Service) sweptBefore(ctx context.Context, reference string, debts []ajos.DebtRow) (taken money.Kobo, done map[string]bool, err error) {
	done = map[string]bool{}
	keys, ids := map[uuid.UUID]string{}, make([]uuid.UUID, len(debts))
	for i, d := range debts {
		ids[i] = systemID("sweep ajo debt", reference+d.Key())
		keys[ids[i]] = d.Key()
	}
	rows, err := s.Pool.Query(ctx, "SELECT command, pos FROM commands WHERE command = ANY($1) AND events > 0", ids)
	if err != nil {
		return 0, nil, err
	}
	defer rows.Close()
	var at []int64
	for rows.Next() {
		var id uuid.UUID
		var pos int64
		if err := rows.Scan(&id, &pos); err != nil {
			return 0, nil, err
		}
		done[keys[id]], at = true, append(at, pos)
	}
	if err := rows.Err(); err != nil || len(at) == 0 {
		return 0, done, err
	}
	records, err := history.ReadAt(ctx, s.Pool, at)
	for _, r := range records {
		m, failed := r.Message()
		if failed != nil {
			return 0, nil, failed
		}
		if paid, is := m.(*nairav1.AjoDebtPaid); is {
			taken += money.Kobo(paid.GetAmountKobo())
		}
	}
	return taken, done, err
}

// SweepAgain takes what a sweep that failed should have taken: of money that came into the wallets of members who owed
// by then. It is a job.
func (s *Service) SweepAgain(ctx context.Context) error {
	self := func(user string) string { return user }
	return items.EachOf(ctx, s.Job("sweep what came"), items.Pages[string, string]{
		Most: batch, At: self, Key: self,
		Read: func(after string, most int) ([]string, error) { return ajos.Sweepers(ctx, s.Pool, after, most) },
	}, s.sweepAgain)
}

func (s *Service) sweepAgain(ctx context.Context, user string) error {
	debts, err := ajos.ToSweep(ctx, s.Pool, user)
	if err != nil {
		return err
	}
	came, err := activity.Page(ctx, s.Pool, user, activity.Filter{
		Kinds: []string{activity.WalletFunded, activity.UnmatchedAssigned}, From: s.Now().Add(-sweepAgainFor), To: s.Now().Add(time.Minute),
	}, 0, sweepsMost)
	if err != nil {
		return err
	}
	for _, m := range slices.Backward(came) { // The oldest first.
		if pays, err := s.sweeps(ctx, m); err != nil || !pays {
			if err != nil {
				return err
			}
			continue
		}
		owed := slices.DeleteFunc(slices.Clone(debts), func(d ajos.DebtRow) bool { return d.Pos > m.Pos })
		if err := s.swept(ctx, user, m.Amount, m.Reference, owed); err != nil {
			return err
		}
	}
	return nil
}

// sweeps reports whether money pays debts: it came into the wallet for nothing else, and no bank took it back.
func (s *Service) sweeps(ctx context.Context, m activity.Movement) (bool, error) {
	if m.Kind == activity.UnmatchedAssigned {
		return true, nil
	}
	state, err := s.Ledger.Load(ctx, wallet.Stream(m.Reference))
	if err != nil {
		return false, err
	}
	p := state.(wallet.Payment)
	return p.For == nil && p.ForAjo == nil && p.Status == wallet.Confirmed, nil
}
