package notices

import (
	"strings"

	"adashi.ng/projections/notifications"
)

// remedyNotice says what our staff do with a member's account. It is told at every address and on every device, so it
// tells both the owner and somebody else who uses the account; it says nothing of where the account goes.
func remedyNotice(r notifications.Notification, group string, say func(title, body, link string) NotificationData) NotificationData {
	const page, not = "/dashboard/security", " If you did not ask for this, write to us at once: the contact page says how."
	given, isGiven := strings.CutPrefix(r.Detail, notifications.RemedyGiven)
	found, isFound := strings.CutPrefix(r.Detail, notifications.RemedyFound+" ")
	letIn, isLetIn := strings.CutPrefix(r.Detail, notifications.RemedyLetIn)
	switch {
	case r.Detail == notifications.RemedyGiveBack:
		return say("Somebody asked us for your account", "Somebody says that this account is theirs and that another person uses it. One of our staff proposes to give it to them, at another address. A second one decides. "+
			"Until then, and for up to 72 hours, nothing leaves the account for a bank."+not, page)
	case r.Detail == notifications.RemedyAnotherBvn:
		return say("Somebody asked for another BVN", "Somebody asked us to let another BVN into your account. One of our staff proposes it, and a second one decides."+not, page)
	case r.Detail == notifications.RemedyDeclined:
		return say("Your account stays as it is", "Our staff declined what was proposed for your account. Nothing was changed.", page)
	case r.Detail == notifications.RemedyConsent:
		return say("An ajo takes nothing by itself any more", "Somebody else used this account when it let us take dues or debts of one of your ajo from your wallet. That has ended. Agree to it again on the ajo's page if you want it.", "/ajo/"+r.Subject)
	case isFound:
		act, settings, _ := strings.Cut(found, " ")
		return stolenNotice(r, act, settings, group, say)
	case isGiven:
		return say("Your account was given back", "Two of our staff gave this account to the person who proved that it is theirs. Every device was logged out, and what was set up since somebody else used it is gone. "+
			"Nothing leaves it for a bank until "+inLagos(given)+"."+not, page)
	case isLetIn:
		return say("Another BVN is let in", "Two of our staff let another BVN into your account. Verify it in your profile. Until then your tier is 0, and you ask for ajo access again. "+
			"Nothing leaves the account for a bank until "+inLagos(letIn)+"."+not, "/dashboard/profile/edit#bank")
	default:
		return say("News of your account", "Our staff changed something about your account."+not, page)
	}
}

// stolenNotice says what somebody else did in a group or an ajo while they used the account.
func stolenNotice(r notifications.Notification, act, settings, group string, say func(title, body, link string) NotificationData) NotificationData {
	const while = "Somebody else used this account when it "
	page, ajo := "/savings/"+r.GroupID, "/ajo/"+r.Subject
	switch act {
	case "MEMBERSHIP_ENDED":
		return say("You are out of a group", while+"joined "+group+". You are no longer a member, and you owe nothing there.", "/savings")
	case "MEMBERSHIP":
		return say("Look at a group", while+"joined "+group+". You are still a member, because you have savings, a request or an office there. Take out what is yours and leave: "+
			"for 30 days you do not pay what is due.", page)
	case "SEATS_GIVEN_UP":
		return say("You are out of an ajo", while+"took a seat in an ajo. The seat is free again, and you owe nothing there.", ajo)
	case "SEATS":
		return say("Look at an ajo", while+"took a seat in an ajo. Others count on the seat, so it is still yours and its dues go on. "+
			"You can give it up on the ajo's page, and somebody else takes it over.", ajo)
	default:
		var changed []string
		for _, setting := range strings.Fields(settings) {
			changed = append(changed, settingNames[setting])
		}
		return say("Look at a group's settings", while+"changed these in "+group+": "+strings.Join(changed, ", ")+". Look whether they are as you want them.", page+"/settings")
	}
}

// settingNames are the settings of a group, in words.
var settingNames = map[string]string{
	"NOTICE": "how long payments wait", "TOTALS": "who sees the totals", "SEARCH": "what strangers see", "DOCUMENTS": "documents",
	"OFFICES": "the validator or the approvers", "SUB_ACCOUNTS": "sub-accounts",
}
