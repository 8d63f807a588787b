package app

import (
	"context"
	"errors"
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/projections/groups"
	"adashi.ng/services/internal/items"
	"adashi.ng/services/internal/usecase"
)

// RemindMembers reminds members of a group of what they owe, all who owe when none are named: each once a Lagos day. It
// answers how many were reminded.
func (a *App) RemindMembers(ctx context.Context, who usecase.Who, groupID string, members []string) (reminded int, pos int64, err error) {
	c, g, _, err := a.Membership.Official(ctx, who.User, groupID)
	if err != nil {
		return 0, 0, err
	}
	if g.Status != string(savings.Active) {
		return 0, 0, fault.New(fault.Conflict, "The group is %s. Members are reminded while it is active.", g.Status)
	}
	r, err := a.Membership.Roll(ctx, g.ID, c.Subs[g.ID])
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
		remind := savings.Remind{GroupID: g.ID, SubAccountID: of[0], Period: of[1], Kind: nairav1.ReminderKind_REMINDER_KIND_ASKED, By: who.User, Now: a.Now()}
		batches, at, err := a.remind(ctx, who, remind, users)
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

// remind records reminders of one due, so many people at a time. It answers who was reminded now.
func (a *App) remind(ctx context.Context, who usecase.Who, r savings.Remind, users []string) (told []string, pos int64, err error) {
	state, err := a.Ledger.Load(ctx, savings.ReminderStream(r.SubAccountID, r.Period))
	if err != nil {
		return nil, 0, err
	}
	for batch := range slices.Chunk(state.(savings.Reminded).Left(r.Kind, r.Now, users), savings.RemindMax) {
		r.Users = batch
		hash := store.Fingerprint(r.SubAccountID, r.Period, r.Kind, batch)
		// Who is reminded, of what and on which day is the command's identity: two processes that come to it at once record it once.
		id := store.CommandID("system", "remind "+r.Kind.String(), savings.Day(r.Now).Format(time.DateOnly)+" "+string(hash[:]))
		result, err := a.Record(ctx, usecase.Who{User: who.User}, id, r.GroupID, hash, r)
		if fault.Is(err, fault.Conflict) {
			continue // Somebody else did.
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
	// soonDays is how long before its due date one is reminded, and overdueDays how long after one still is, should no
	// process have come to it on the day.
	soonDays, overdueDays = 3, 3
)

// dueKind is the occasion on which a period is to be reminded of today, if it is.
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

// SendReminders reminds members of what is due soon, today, or was due yesterday. It is a job that any number of
// processes may run at once: nobody is told twice.
func (a *App) SendReminders(ctx context.Context) error {
	now := a.Now()
	if now.In(lagos.Zone).Hour() < remindFrom {
		return nil
	}
	subs, err := groups.Collecting(ctx, a.Pool)
	if err != nil {
		return err
	}
	today := savings.Day(now)
	return items.Each(ctx, a.Job("send reminders"), subs, subID, func(ctx context.Context, s groups.SubAccount) error {
		var failures []error
		current := usecase.ScheduleOf(s).At(today)
		for k := max(0, current-1); k <= current; k++ {
			if kind, is := dueKind(usecase.ScheduleOf(s), k, today); is {
				failures = append(failures, a.remindOf(ctx, s, k, kind, today))
			}
		}
		return errors.Join(failures...)
	})
}

func subID(s groups.SubAccount) string { return s.ID }

func (a *App) remindOf(ctx context.Context, s groups.SubAccount, k int, kind nairav1.ReminderKind, today time.Time) error {
	r, err := a.Membership.Roll(ctx, s.GroupID, []groups.SubAccount{s})
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
	period := usecase.ScheduleOf(s).Start(k).Format(time.DateOnly)
	_, _, err = a.remind(ctx, usecase.System, savings.Remind{GroupID: s.GroupID, SubAccountID: s.ID, Period: period, Kind: kind, Now: a.Now()}, owing)
	return err
}

// penalisedAtOnce is how many members' penalties are on their way to the ledger at a time.
const penalisedAtOnce = 16

// ApplyPenalties applies the penalties of dues that were not paid in time. It is a job that any number of processes may
// run at once: a due is penalised once.
func (a *App) ApplyPenalties(ctx context.Context) error {
	subs, err := groups.Collecting(ctx, a.Pool)
	if err != nil {
		return err
	}
	today := savings.Day(a.Now())
	subs = slices.DeleteFunc(subs, func(s groups.SubAccount) bool { return s.PenaltyType == nairav1.FeeType_FEE_TYPE_UNSPECIFIED })
	var failures []error
	err = items.Each(ctx, a.Job("apply penalties"), subs, subID, func(ctx context.Context, s groups.SubAccount) error {
		r, err := a.Membership.Roll(ctx, s.GroupID, []groups.SubAccount{s})
		if err != nil {
			return err
		}
		r.Members = slices.DeleteFunc(r.Members, func(m groups.Member) bool { return len(r.Dues(0, m).Unpunished(today)) == 0 })
		failures = append(failures, a.penalise(ctx, s, r.Members, today)) // Each member's is noted by itself.
		return nil
	})
	return errors.Join(append(failures, err)...)
}

func (a *App) penalise(ctx context.Context, s groups.SubAccount, members []groups.Member, today time.Time) error {
	job := a.Job("penalise members")
	job.Beside = penalisedAtOnce
	return items.Each(ctx, job, members, func(m groups.Member) string { return s.ID + " " + m.User }, func(ctx context.Context, m groups.Member) error {
		id := store.CommandID("system", "penalise", s.ID+" "+m.User+" "+today.Format(time.DateOnly))
		_, err := a.Record(ctx, usecase.System, id, s.GroupID, store.Fingerprint(s.ID, m.User), savings.Penalise{GroupID: s.GroupID, SubAccountID: s.ID, User: m.User, Now: a.Now()})
		if fault.Is(err, fault.Conflict) || fault.Is(err, fault.NotFound) {
			return nil
		}
		return err
	})
}
