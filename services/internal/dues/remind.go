package dues

import (
	"context"
	"errors"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// RemindMembers reminds members of a group of their open dues, or all debtors when members is empty: each once a Lagos
// day. It returns how many it reminded.
func (s *Service) RemindMembers(ctx context.Context, who usecase.Who, groupID string, members []string) (reminded int, pos int64, err error) {
	c, g, _, err := s.Membership.Official(ctx, who.User, groupID)
	if err != nil {
		return 0, 0, err
	}
	if g.Status != string(savings.Active) {
		return 0, 0, fault.New(fault.Conflict, "The group is %s. Members are reminded while it is active.", g.Status)
	}
	r, err := s.Membership.Roll(ctx, g.ID, c.Subs[g.ID])
	if err != nil {
		return 0, 0, err
	}
	owing, told := map[[2]string][]string{}, map[string]bool{}
	for _, d := range debts(r, c.Today) {
		if d.member.Status != string(savings.Active) || d.member.User == who.User || len(members) > 0 && !slices.Contains(members, d.member.User) {
			continue
		}
		for sub, period := range d.periods {
			owing[[2]string{sub, period}] = append(owing[[2]string{sub, period}], d.member.User)
		}
	}
	for of, users := range owing {
		remind := dues.Remind{GroupID: g.ID, SubAccountID: of[0], Period: of[1], Kind: nairav1.ReminderKind_REMINDER_KIND_ASKED, By: who.User, Now: s.Now()}
		batches, at, err := s.remind(ctx, who, remind, users)
		if err != nil {
			return len(told), pos, err
		}
		pos = max(pos, at)
		for _, user := range batches {
			told[user] = true
		}
	}
	return len(told), pos, nil
}

// remind records reminders of one due, so many people at a time. It returns the people whom it reminded now.
func (s *Service) remind(ctx context.Context, who usecase.Who, r dues.Remind, users []string) (told []string, pos int64, err error) {
	state, err := s.Ledger.Load(ctx, dues.ReminderStream(r.SubAccountID, r.Period))
	if err != nil {
		return nil, 0, err
	}
	for batch := range slices.Chunk(state.(dues.Reminded).Left(r.Kind, r.Now, users), dues.RemindMax) {
		r.Users = batch
		hash := store.Fingerprint(r.SubAccountID, r.Period, r.Kind, batch)
		// The people, the due and the day make the command's id, so two processes that send the same reminder record it
		// once.
		id := store.CommandID("system", "remind "+r.Kind.String(), savings.Day(r.Now).Format(time.DateOnly)+" "+string(hash[:]))
		result, err := s.Record(ctx, usecase.Who{User: who.User}, id, r.GroupID, hash, r)
		if fault.Is(err, fault.Conflict) {
			continue // Another process did.
		}
		if err != nil {
			return told, pos, err
		}
		told, pos = append(told, batch...), max(pos, result.Position())
	}
	return told, pos, nil
}

const (
	// remindFrom is the hour of Lagos from which reminders go out.
	remindFrom = 7
	// soonDays is how long before the due date we remind, and overdueDays how long after it we still do, in case no job
	// ran on the day.
	soonDays, overdueDays = 3, 3
)

// dueKind returns the occasion for a reminder of a period today, if there is one.
func dueKind(s savings.Schedule, k int, today time.Time) (nairav1.ReminderKind, bool) {
	due := s.Due(k)
	days := int(due.Sub(today).Hours() / 24)
	switch {
	case days == 0:
		return nairav1.ReminderKind_REMINDER_KIND_TODAY, true
	case days > 0 && days <= soonDays && s.Frequency != nairav1.PaymentFrequency_PAYMENT_FREQUENCY_DAILY:
		return nairav1.ReminderKind_REMINDER_KIND_SOON, true
	case days < 0 && days >= -overdueDays:
		return nairav1.ReminderKind_REMINDER_KIND_OVERDUE, true
	}
	return 0, false
}

// SendReminders reminds members of dues that are due soon, are due today, or were due yesterday. It is a job that any
// number of processes may run at once: nobody gets a reminder twice.
func (s *Service) SendReminders(ctx context.Context) error {
	now := s.Now()
	if now.In(lagos.Zone).Hour() < remindFrom {
		return nil
	}
	subs, err := groups.Collecting(ctx, s.Pool)
	if err != nil {
		return err
	}
	today := savings.Day(now)
	return items.Each(ctx, s.Job("send reminders"), subs, subID, func(ctx context.Context, sub groups.SubAccount) error {
		var failures []error
		current := usecase.ScheduleOf(sub).At(today)
		for k := max(0, current-1); k <= current; k++ {
			if kind, is := dueKind(usecase.ScheduleOf(sub), k, today); is {
				failures = append(failures, s.remindOf(ctx, sub, k, kind))
			}
		}
		return errors.Join(failures...)
	})
}

func subID(s groups.SubAccount) string { return s.ID }

func (s *Service) remindOf(ctx context.Context, sub groups.SubAccount, k int, kind nairav1.ReminderKind) error {
	r, err := s.Membership.Roll(ctx, sub.GroupID, []groups.SubAccount{sub})
	if err != nil {
		return err
	}
	var owing []string
	for _, m := range r.Members {
		if d := r.Dues(0, m); m.Status == string(savings.Active) && k >= d.From && d.Owed(k) > d.Paid(k) {
			owing = append(owing, m.User)
		}
	}
	if len(owing) == 0 {
		return nil
	}
	period := usecase.ScheduleOf(sub).Start(k).Format(time.DateOnly)
	_, _, err = s.remind(ctx, usecase.System, dues.Remind{GroupID: sub.GroupID, SubAccountID: sub.ID, Period: period, Kind: kind, Now: s.Now()}, owing)
	return err
}

// penalisedAtOnce limits how many members' penalties are recorded at the same time.
const penalisedAtOnce = 16

// ApplyPenalties applies the penalties of late dues. It is a job that any number of processes may run at once: a due
// gets one penalty.
func (s *Service) ApplyPenalties(ctx context.Context) error {
	subs, err := groups.Collecting(ctx, s.Pool)
	if err != nil {
		return err
	}
	today := savings.Day(s.Now())
	subs = slices.DeleteFunc(subs, func(sub groups.SubAccount) bool { return sub.PenaltyType == nairav1.FeeType_FEE_TYPE_UNSPECIFIED })
	var failures []error
	err = items.Each(ctx, s.Job("apply penalties"), subs, subID, func(ctx context.Context, sub groups.SubAccount) error {
		r, err := s.Membership.Roll(ctx, sub.GroupID, []groups.SubAccount{sub})
		if err != nil {
			return err
		}
		r.Members = slices.DeleteFunc(r.Members, func(m groups.Member) bool { return len(r.Dues(0, m).Unpunished(today)) == 0 })
		failures = append(failures, s.penalise(ctx, sub, r.Members, today)) // Each member's failure is recorded separately.
		return nil
	})
	return errors.Join(append(failures, err)...)
}

func (s *Service) penalise(ctx context.Context, sub groups.SubAccount, members []groups.Member, today time.Time) error {
	job := s.Job("penalise members")
	job.Beside = s.AtOnce(penalisedAtOnce)
	return items.Each(ctx, job, members, func(m groups.Member) string { return sub.ID + " " + m.User }, func(ctx context.Context, m groups.Member) error {
		id := store.CommandID("system", "penalise", sub.ID+" "+m.User+" "+today.Format(time.DateOnly))
		_, err := s.Record(ctx, usecase.System, id, sub.GroupID, store.Fingerprint(sub.ID, m.User), dues.Penalise{GroupID: sub.GroupID, SubAccountID: sub.ID, User: m.User, Now: s.Now()})
		if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
			return nil
		}
		return err
	})
}
