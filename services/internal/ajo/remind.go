package ajo

import (
	"context"
	"errors"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/projections/ajos"
)

// remindFrom is the hour in Lagos before which nobody is reminded.
const remindFrom = 8

// Remind reminds members of what they have not paid: in the days before the due day, on it, and in the days of grace.
// It is a job that any number of processes may run at once: nobody is told twice.
func (s *Service) Remind(ctx context.Context) error {
	if s.Now().In(lagos.Zone).Hour() < remindFrom {
		return nil
	}
	today := s.today()
	until := today.AddDate(0, 0, ajopot.SoonDays)
	var failed []error
	for after := ""; ; {
		page, err := ajos.ToRemind(ctx, s.Pool, today.Format(time.DateOnly), until.Format(time.DateOnly), after, batch)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		failed = append(failed, s.each(ctx, "remind of ajo dues", page, s.remind))
		if len(page) < batch {
			return errors.Join(failed...)
		}
		after = page[len(page)-1].ID
	}
}

func (s *Service) remind(ctx context.Context, r room) error {
	if !r.a.HasStarted() || r.a.Over() {
		return nil
	}
	k := r.a.Current()
	kind, is := ajopot.Occasion(r.a, k, s.today())
	if !is {
		return nil
	}
	state, err := s.Ledger.Load(ctx, ajopot.ReminderStream(r.id, k))
	if err != nil || len(state.(dues.Reminded).Told[kind.String()]) > 0 {
		return err
	}
	return s.by(ctx, "remind of ajo dues", r.id+" "+ajopot.ReminderStream(r.id, k)+kind.String(), r.id, ajopot.Remind{AjoID: r.id, Cycle: k, Now: s.Now()})
}
