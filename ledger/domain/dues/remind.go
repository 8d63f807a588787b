package dues

import (
	"slices"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// RemindMax is how many people one event reminds.
const RemindMax = 500

// Reminded is the state of who was reminded of a sub-account's dues of one period, by occasion. When somebody asked,
// the occasion is the day, and only the latest is kept.
type Reminded struct{ Told map[string][]string }

// Reminders folds the reminders of a period.
var Reminders = event.Of("reminder", 1, func(r Reminded, e event.Happened) Reminded {
	m, ok := e.Message.(interface {
		GetKind() nairav1.ReminderKind
		GetUserIds() []string
	}) // A DuesReminded or an AjoDuesReminded.
	if !ok {
		return r
	}
	on := occasion(m.GetKind(), e.EffectiveAt)
	told := make(map[string][]string, len(r.Told)+1)
	for other, users := range r.Told {
		if other == on || !strings.HasPrefix(other, asked) || !strings.HasPrefix(on, asked) {
			told[other] = users
		}
	}
	told[on] = slices.Concat(told[on], m.GetUserIds())
	slices.Sort(told[on])
	return Reminded{Told: told}
})

const asked = "ASKED "

func occasion(kind nairav1.ReminderKind, at time.Time) string {
	if kind == nairav1.ReminderKind_REMINDER_KIND_ASKED {
		return asked + savings.Day(at).Format(time.DateOnly)
	}
	return kind.String()
}

// ReminderStream is the stream of a period's reminders.
func ReminderStream(subAccountID, period string) string {
	return "reminder:" + subAccountID + ":" + period
}

// Left are those of the users who were not reminded on this occasion yet, sorted.
func (r Reminded) Left(kind nairav1.ReminderKind, at time.Time, users []string) []string {
	told, left := r.Told[occasion(kind, at)], slices.Sorted(slices.Values(users))
	return slices.DeleteFunc(slices.Compact(left), func(user string) bool {
		_, found := slices.BinarySearch(told, user)
		return found
	})
}

// Remind reminds members of a due, each once an occasion. Whether they owe it is for whoever asks to know.
type Remind struct {
	GroupID, SubAccountID, Period string
	Kind                          nairav1.ReminderKind
	Users                         []string
	By                            string // The official who asked, for REMINDER_KIND_ASKED.
	Now                           time.Time
}

// Streams implements event.Command.
func (c Remind) Streams() []string {
	streams := []string{ReminderStream(c.SubAccountID, c.Period), savings.GroupStream(c.GroupID), savings.SubStream(c.SubAccountID)}
	if c.By != "" {
		streams = append(streams, savings.MemberStream(c.GroupID, c.By))
	}
	return streams
}

// Accounts implements event.Command.
func (Remind) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Remind) Decide(v event.View) ([]event.Draft, error) {
	g := event.StateOf[savings.Group](v, savings.GroupStream(c.GroupID))
	sub := event.StateOf[savings.SubAccount](v, savings.SubStream(c.SubAccountID))
	byAsking := c.Kind == nairav1.ReminderKind_REMINDER_KIND_ASKED
	switch {
	case sub.Group != c.GroupID || sub.Status == savings.None:
		return nil, errNoSub()
	case byAsking && (c.By == "" || event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.By)).Status != savings.Active):
		return nil, savings.ErrNoGroup()
	case byAsking && !g.MayApprove(c.By) && g.Validator != c.By:
		return nil, fault.New(fault.Forbidden, "Only the group's owner, validator and approvers can remind others.")
	case g.Status != savings.Active:
		return nil, notCollecting(g.Status)
	}
	users := event.StateOf[Reminded](v, ReminderStream(c.SubAccountID, c.Period)).Left(c.Kind, c.Now, c.Users)
	if len(users) == 0 || len(users) > RemindMax {
		return nil, fault.New(fault.Conflict, "Everybody here has been reminded already.")
	}
	k := sub.Schedule.At(savings.ParseDay(c.Period))
	return []event.Draft{event.On(ReminderStream(c.SubAccountID, c.Period), &nairav1.DuesReminded{
		GroupId: c.GroupID, SubAccountId: c.SubAccountID, Period: c.Period, DueDate: sub.Schedule.Due(k).Format(time.DateOnly),
		Kind: c.Kind, UserIds: users,
	})}, nil
}
