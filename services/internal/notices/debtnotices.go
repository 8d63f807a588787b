package notices

import "adashi.ng/projections/notifications"

const walletPage = "/dashboard/wallet/"

// debtNotice says what a member owes Adashi, whether they may pay by card, or what became of money of theirs that was
// in suspense; ok is false for another notice.
func debtNotice(r notifications.Notification, say func(title, body, link string) NotificationData) (_ NotificationData, ok bool) {
	switch r.Detail {
	case notifications.DebtOpened:
		return say("You owe Adashi "+r.Amount.String(), "A bank took back a payment after its money was used, so you owe "+r.Amount.String()+
			". All money that comes into your wallet pays it first. Until it is paid nothing goes to your bank.", walletPage), true
	case notifications.DebtSettled:
		return say("Debt paid", r.Amount.String()+" of the money that came in paid what you owed Adashi.", "/dashboard/activity/"+r.EventID.String()), true
	case notifications.DebtWrittenOff:
		return say("Nothing is owed any more", "You no longer owe the "+r.Amount.String()+" that a bank had taken back. Adashi bears it.", walletPage), true
	case notifications.CardsLocked:
		return say("Card payments are closed", "Banks took back two of your card payments within 180 days. You can pay by bank transfer. Our finance desk looks at it and tells you.", walletPage), true
	case notifications.CardsUnlocked:
		return say("Card payments are open again", "Our finance desk has looked at your card payments. You can pay by card again.", walletPage), true
	case notifications.SentBack:
		return say("Money went back to its sender", r.Amount.String()+" that came in connection with your account could not be added to it. We sent it back to the bank account that it came from.", walletPage), true
	case notifications.BackAgain:
		return say("Money came back to us", r.Amount.String()+" that we had sent back to its sender came back to us. Our finance desk looks at it again.", walletPage), true
	}
	return NotificationData{}, false
}
