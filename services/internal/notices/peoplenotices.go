package notices

import (
	"strings"

	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/usecase"
)

// peopleNotice says who came, went or holds which office, and what becomes of a group.
func peopleNotice(r notifications.Notification, who string, n usecase.Names, say func(title, body, link string) NotificationData) NotificationData {
	group, page := n.Groups[r.GroupID].Name, "/savings/"+r.GroupID
	detail, reason, _ := strings.Cut(r.Detail, " ")
	switch r.Type {
	case told.MemberInvited:
		if detail == notifications.Withdrawn {
			return say("An invitation was withdrawn", sentences(who+" withdrew the invitation to "+group+". You need not do anything.", reason), "/savings")
		}
		known := "The bank has confirmed their name."
		if !n.Verified[r.About] {
			known = "Nobody has verified that name yet: ask them whether it was them."
		}
		return say("Waits for you: an invitation", who+" invites you to "+group+". "+known+" Accept within 14 days, or decline.", page)
	case told.MemberJoined:
		if detail == notifications.RemedyFound {
			return say("Somebody joined in a member's name", "Somebody else used "+who+"'s account when it joined "+group+". "+who+" has the account back and keeps what is saved there. For 30 days they can leave without paying what is due.", page+"/members?member="+r.About)
		}
		return say("An invitation was accepted", who+" accepted the invitation to "+group+".", page+"/members?member="+r.About)
	case told.MemberApproved:
		return say("You are active again", who+" made you active again in "+group+".", page)
	case told.MemberDeactivated:
		return say("You are inactive", sentences(who+" made you inactive in "+group+". You keep what you saved and may ask for it back. You owe nothing for periods that lie wholly in that time.", r.Detail), page)
	case told.MemberLeft:
		return left(r, detail, reason, who, group, page, say)
	case told.VisibilityChanged:
		if detail == notifications.InSearch {
			return say("What strangers see has changed", who+" chose what people outside "+group+" see in search: "+searchView(reason)+".", page)
		}
		return sight(r, detail, who, group, page, n, say)
	case told.GroupChanged:
		if detail == notifications.NoticeChanged {
			return say("The notice of payments changes", who+" set how long payments of "+group+" wait, so that members can object, to "+reason+" hours. A shorter notice counts only once the old one is over.", page+"/settings")
		}
		change := groupChanges[detail]
		return say(change.title, sentences(group+" "+change.body, reason), page)
	default:
		return office(detail, reason, who, group, page, say)
	}
}

// sentences adds a reason that somebody gave.
func sentences(said, reason string) string {
	if reason == "" {
		return said
	}
	return said + " They say: “" + reason + "”"
}

func left(r notifications.Notification, detail, reason, who, group, page string, say func(title, body, link string) NotificationData) NotificationData {
	switch {
	case detail == notifications.TurnedDown:
		return say("You were not let in", sentences(group+" did not let you in. You may ask again.", reason), "/savings")
	case r.Amount > 0:
		return say("A member left", who+" left "+group+" and gave "+r.Amount.String()+" of their savings to it.", page+"/members")
	default:
		return say("A member left", who+" left "+group+".", page+"/members")
	}
}

func sight(r notifications.Notification, detail, who, group, page string, n usecase.Names, say func(title, body, link string) NotificationData) NotificationData {
	what := "the total of " + group
	if r.SubAccountID != "" {
		what = "the total of " + n.Sub(r.GroupID, r.SubAccountID)
	}
	if detail == notifications.Shown {
		return say("A total is shown", who+" shows members "+what+".", page)
	}
	return say("A total is hidden", who+" hides "+what+" from plain members.", page)
}

// searchView says what people outside a group see of it.
func searchView(view string) string {
	seen := "its name and how many members it has"
	switch {
	case strings.HasPrefix(view, "NOT_FOUND"):
		return "they do not find it"
	case strings.Contains(view, "TERMS") && strings.Contains(view, "TOTALS"):
		return seen + ", the contribution, the next payment, and what it holds"
	case strings.Contains(view, "TERMS"):
		return seen + ", the contribution and the next payment"
	case strings.Contains(view, "TOTALS"):
		return seen + ", and what it holds"
	default:
		return seen
	}
}

var groupChanges = map[string]struct{ title, body string }{
	notifications.Suspended: {"Your group is suspended", "is suspended: it takes no contributions and pays nothing out until it is resumed."},
	notifications.Resumed:   {"Your group goes on", "is active again."},
	notifications.Rejected:  {"Your group was rejected", "was rejected and will not become active."},
	notifications.Cancelled: {"Your group was given up", "was given up before it became active."},
	notifications.Closing:   {"Your group is closing", "takes no more contributions and pays out what it holds."},
	notifications.Closed:    {"Your group is closed", "is closed. You can still read it."},
}

// office says an office that changed hands.
func office(detail, reason, who, group, page string, say func(title, body, link string) NotificationData) NotificationData {
	const counts = " The office counts for money after three days, and once their BVN is verified."
	switch detail {
	case notifications.NewValidator:
		return say("A new validator", who+" is the validator of "+group+" now."+counts, page)
	case notifications.NewApprover:
		return say("A new approver", who+" is an approver of "+group+" now."+counts, page)
	case notifications.LeftApprover:
		return say("One approver less", who+" is no approver of "+group+" any more.", page)
	case notifications.NewOwner:
		return say("Your group has another owner", who+" owns "+group+" now.", page)
	case notifications.Approver:
		return say("You are an approver", who+" made you an approver of "+group+". You let people in now, and approve payouts after three days, once your BVN is verified.", page)
	case notifications.NoApprover:
		return say("You are no approver any more", who+" ended your office as an approver of "+group+".", page)
	case notifications.NoValidator:
		return say("You are not the validator any more", who+" made another member the validator of "+group+".", page)
	case notifications.Offered:
		return say("Waits for you: a group is offered to you", who+" asks you to take over "+group+". Accept or decline.", page+"/settings#ownership")
	case notifications.OfferEnded:
		return say("An offer has ended", who+" ended the offer of "+group+".", page)
	case notifications.Owner:
		return say("You own the group", group+" is yours now. "+who+" stays an approver.", page)
	case notifications.NoOwner:
		return say("The group has another owner", who+" owns "+group+" now. You stay an approver.", page)
	case notifications.VoteOpen:
		return say("A vote on the owner", "The owner of "+group+" has been away. "+who+" is proposed to take over: vote, or be seen if you are the owner.", page+"/settings#ownership")
	default:
		return say("A vote has ended", "The vote on "+who+" as the owner of "+group+" has ended. "+reason, page)
	}
}
