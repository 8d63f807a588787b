package ajo

import (
	"context"
	"strings"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/ajoremind"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/projections/ajos"
	"adashi.ng/services/internal/items"
)

// remindFrom is the hour in Lagos before which we remind nobody.
const remindFrom = 8

// Remind reminds members of unpaid dues: in the days before the due day, on it, and in the days of grace. It is a job
// that any number of processes may run at once: nobody gets a reminder twice.
func (s *Service) Remind(ctx context.Context) error {
	if s.Now().In(lagos.Zone).Hour() < remindFrom {
		return nil
	}
	today := s.today()
	until := today.AddDate(0, 0, ajoremind.SoonDays)
	return items.EachOf(ctx, s.Job("remind of ajo dues"), items.Pages[ajos.Ajo, string]{
		Most: batch, At: idOf, Key: idOf, Read: func(after string, most int) ([]ajos.Ajo, error) {
			return ajos.ToRemind(ctx, s.Pool, today.Format(time.DateOnly), until.Format(time.DateOnly), after, most)
		},
	}, s.inRoom(s.remind))
}

func (s *Service) remind(ctx context.Context, r room) error {
	if !r.a.HasStarted() || r.a.Over() {
		return nil
	}
	k := r.a.Current()
	kind, is := ajoremind.Occasion(r.a, k, s.today())
	if !is {
		return nil
	}
	state, err := s.Ledger.Load(ctx, ajoremind.ReminderStream(r.id, k))
	if err != nil {
		return err
	}
	left := state.(dues.Reminded).Left(kind, s.Now(), ajopot.Unpaid(r.a, r.cycles[k], r.debts, s.today()))
	if len(left) == 0 {
		return nil
	}
	return s.by(ctx, "remind of ajo dues", ajoremind.ReminderStream(r.id, k)+kind.String()+strings.Join(left, " "), r.id, ajoremind.Remind{AjoID: r.id, Cycle: k, Now: s.Now()})
}
