package notices

import (
	"strings"

	"adashi.ng/projections/notifications"
)

// remedyNotice says what our staff do with a member's account. It is told at every address and on every device, so it
// tells both the owner and somebody else who uses the account; it says nothing of where the account goes.
func remedyNotice(r notifications.Notification, say func(title, body, link string) NotificationData) NotificationData {
	const page, not = "/dashboard/security", " If you did not ask for this, write to us at once: the contact page says how."
	given, isGiven := strings.CutPrefix(r.Detail, notifications.RemedyGiven)
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
	case isGiven:
		return say("Your account was given back", "Two of our staff gave this account to who proved that it is theirs. Every device was logged out, and what was set up since somebody else used it is gone. "+
			"Nothing leaves it for a bank until "+inLagos(given)+"."+not, page)
	case isLetIn:
		return say("Another BVN is let in", "Two of our staff let another BVN into your account. Verify it in your profile. Until then your tier is 0, and you ask for ajo access again. "+
			"Nothing leaves the account for a bank until "+inLagos(letIn)+"."+not, "/dashboard/profile/edit#bank")
	default:
		return say("News of your account", "Our staff changed something about your account."+not, page)
	}
}
