package notices

import (
	"time"

	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/people"
	"adashi.ng/services/internal/usecase"
)

// duesNotice says what is due, late, or need not be paid.
func duesNotice(r notifications.Notification, n usecase.Names, say func(title, body, link string) NotificationData) NotificationData {
	sub, page := n.Sub(r.GroupID, r.SubAccountID), "/savings/sub-account/"+r.SubAccountID
	day, err := time.Parse(time.DateOnly, r.Detail)
	if err != nil {
		return say("News of your dues", sub, page)
	}
	due := day.Format("2 January 2006")
	label := due
	if found, ok := n.Subs[r.SubAccountID]; ok && r.Type != told.ContributionDue && r.Type != told.ContributionOverdue {
		schedule := usecase.ScheduleOf(found)
		label = schedule.Label(schedule.At(day))
	}
	switch r.Type {
	case told.ContributionDue:
		return say("Contribution due", "The due date of your contribution to "+sub+": "+due+".", page)
	case told.ContributionOverdue:
		return say("Contribution overdue", "Your contribution to "+sub+" was due on "+due+" and is not fully paid.", page)
	case told.PenaltyApplied:
		return say("Penalty for being late", r.Amount.String()+" was added to what you owe "+sub+" for "+label+", because it was not paid in time.", page)
	case told.PenaltyReversed:
		return say("Penalty taken back", "You had paid "+sub+" for "+label+" in time after all, so the penalty of "+r.Amount.String()+" is gone. What you paid towards it counts for your next due.", page)
	case told.PenaltyWaived:
		return say("Penalty taken back", "We looked into it, and the penalty of "+r.Amount.String()+" on "+sub+" for "+label+" is gone. What you paid towards it counts for your next due.", page)
	default:
		return say("You need not pay this", r.Amount.String()+" that you still owed "+sub+" for "+label+" need not be paid.", page)
	}
}

// forWhom is the member that somebody else paid for, as one who is told of it has them called.
func forWhom(r notifications.Notification, cards map[string]people.Card) string {
	if r.Detail == notifications.ForYou {
		return r.Detail
	}
	return usecase.FullName(cards, r.Detail)
}
