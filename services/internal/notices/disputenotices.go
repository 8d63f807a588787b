package notices

import (
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/domain/dispute"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// disputeNotice says what became of a member's dispute, and whether they froze their money.
func disputeNotice(r notifications.Notification, say func(title, body, link string) NotificationData) NotificationData {
	number, page := dispute.Number(r.Subject), "/disputes/"+r.Subject
	switch r.Type {
	case told.DisputeOpened:
		return say("We look into it: "+number, "Your dispute is here. We decide it by "+moment(r.Detail)+" at the latest.", page)
	case told.CardDisputed:
		return say("Your bank asks about a payment: "+number, "The bank of the card disputes a payment into your wallet. If you know the payment, tell us here and tell your bank; if you do not, tell us too.", page)
	case told.CardAnswered:
		if r.Detail == notifications.BankAgreed {
			return say("We agreed with your bank: "+number, "We told the bank of the card that "+r.Amount.String()+" goes back to the person who paid it. What it takes back leaves your wallet.", page)
		}
		return say("We answered your bank: "+number, "We told the bank of the card that the payment is right, and sent it what shows that. The bank decides now. No money has moved.", page)
	case told.CardAnswerDue:
		return say("Answer the bank: "+number, "The bank of a card takes an answer until "+moment(r.Detail)+". Without one its customer gets the money back.", "/support/"+r.Subject)
	case told.CardDisputeOver:
		if r.Detail == notifications.Upheld {
			return say("Your bank decided: "+number, "The bank of the card took the payment back. What it took leaves your wallet.", page)
		}
		return say("Your bank decided: "+number, "The bank of the card let the payment stand. Nothing changes.", page)
	case told.DisputeTaken:
		return say("Somebody has your case", "One of our support team is looking into "+number+" now.", page)
	case told.DisputeAsked:
		return say("Waits for you: we ask you something", "We need to know something from you about "+number+". Answer by "+moment(r.Detail)+"; until then the time to decide stands still.", page)
	case told.DisputeResolved:
		if r.Detail == notifications.Upheld {
			return say("You were right: "+number, "We decided your dispute for you. Read what happened and what was put right.", page)
		}
		return say("Decided: "+number, "We found no mistake. Read why. If you do not agree, have it looked at again within 14 days.", page)
	case told.DisputeLate:
		return say("We are late with "+number, "We have not kept our time, and we are sorry. It was passed on to those who run the desk.", page)
	case told.DisputeHold:
		if r.Detail == "" {
			return say("Nothing is held any more", "What you had held because of "+number+" was held for as long as it may be. We go on looking into it.", page)
		}
		return say("It is held", "We have what you dispute held until "+moment(r.Detail)+" at most: "+number+".", page)
	case told.AdjustmentPaid:
		return say("We put money in your wallet", "We put "+number+" right with our own money: "+r.Amount.String()+" is in your wallet.", "/dashboard/activity/"+r.EventID.String())
	case told.AdjustmentTaken:
		return say("We took money back", "We had paid you too much, and took "+r.Amount.String()+" back from your wallet because of "+number+". If you do not agree, have it looked at again.", "/dashboard/activity/"+r.EventID.String())
	case told.MoneyFrozen:
		return say("Your money is frozen", "Nothing leaves your wallet until you thaw it. If it was not you who froze it, change your password at once and contact us.", "/dashboard/security#freeze")
	default: // told.MoneyThawed
		if r.Detail == "" {
			return say("Your money is thawed", "Your wallet can be used again. If it was not you, freeze it again at once and contact us.", "/dashboard/security#freeze")
		}
		return say("A thaw was asked for", "Your money can be used again from "+moment(r.Detail)+" on. If it was not you, freeze it again at once, and change your password.", "/dashboard/security#freeze")
	}
}

// moment is a recorded time as people in Lagos say it.
func moment(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.In(lagos.Zone).Format("2 January, 15:04")
}
