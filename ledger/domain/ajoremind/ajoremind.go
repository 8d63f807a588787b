// Package ajoremind decides when members of an ajo are reminded of their dues.
package ajoremind

import (
	"slices"
	"strconv"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// SoonDays is how long before its due day a cycle's dues are reminded of first.
const SoonDays = 3

// Remind reminds everybody who has not paid their due of the current cycle: once in the days before its due day, once
// on the day, and once in the days of grace.
type Remind struct {
	AjoID string
	Cycle int
	Now   time.Time
}

// ReminderStream is the stream of the reminders of a cycle.
func ReminderStream(ajoID string, cycle int) string {
	return dues.ReminderStream(ajoID, strconv.Itoa(cycle))
}

// Occasion is why a cycle is to be reminded of on a day, if it is.
func Occasion(a ajo.Ajo, cycle int, today time.Time) (nairav1.ReminderKind, bool) {
	due := a.Due(cycle)
	switch {
	case today.Before(a.Opens(cycle)) || today.Before(due.AddDate(0, 0, -SoonDays)) || today.After(a.Deadline(cycle)):
		return 0, false
	case today.Before(due):
		return nairav1.ReminderKind_REMINDER_KIND_SOON, true
	case today.Equal(due):
		return nairav1.ReminderKind_REMINDER_KIND_TODAY, true
	}
	return nairav1.ReminderKind_REMINDER_KIND_OVERDUE, true
}

// Streams implements event.Command.
func (c Remind) Streams() []string {
	return []string{ajo.Stream(c.AjoID), ajopot.CycleStream(c.AjoID, c.Cycle), ajo.DebtStream(c.AjoID), ReminderStream(c.AjoID, c.Cycle)}
}

// Accounts implements event.Command.
func (Remind) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Remind) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID))
	if !a.HasStarted() || a.Over() || c.Cycle != a.Current() {
		return nil, fault.New(fault.Conflict, "This cycle is not being paid now.")
	}
	kind, is := Occasion(a, c.Cycle, savings.Day(c.Now))
	if !is {
		return nil, fault.New(fault.Conflict, "Nobody is to be reminded today.")
	}
	owing := ajopot.Unpaid(a, event.StateOf[ajopot.Cycle](v, ajopot.CycleStream(c.AjoID, c.Cycle)), event.StateOf[ajopot.Debts](v, ajo.DebtStream(c.AjoID)), savings.Day(c.Now))
	owing = event.StateOf[dues.Reminded](v, ReminderStream(c.AjoID, c.Cycle)).Left(kind, c.Now, owing)
	if len(owing) == 0 {
		return nil, fault.New(fault.Conflict, "Everybody here has been reminded already.")
	}
	return []event.Draft{event.On(ReminderStream(c.AjoID, c.Cycle), &nairav1.AjoDuesReminded{
		AjoId: c.AjoID, Cycle: int32(c.Cycle), DueDate: a.Due(c.Cycle).Format(time.DateOnly), Kind: kind, UserIds: slices.Clip(owing),
	})}, nil
}
