package notices

import (
	"strings"

	"adashi.ng/ledger/domain/savings"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
)

// ajoLife says what becomes of an ajo, or of a card. name is the ajo's.
func ajoLife(r notifications.Notification, who, name string, say func(title, body, link string) NotificationData) (NotificationData, bool) {
	page, amount := "/ajo/"+r.Subject, r.Amount.String()
	payouts := page + "/payment-requests"
	switch r.Type {
	case told.AjoStarted:
		return say("Your ajo has begun", "The order of "+name+" is set. The first payment is due on "+r.Detail+".", page), true
	case told.AjoOrderDrawn:
		return say("The order is drawn", "The order of "+name+" is drawn. Anybody can check the draw.", page), true
	case told.AjoSwapRequested:
		one, other, _ := strings.Cut(r.Detail, " ")
		return say("Waits for you: a swap of turns", who+" proposes in "+name+" that seats "+one+" and "+other+" change turns. Agree or decline.", page), true
	case told.AjoDue:
		return say("Your ajo payment falls due", "The due date of your payment to "+name+": "+savings.ParseDay(r.Detail).Format("2 January 2006")+".", page), true
	case told.AjoOverdue:
		return say("Your ajo payment is overdue", "Your payment to "+name+" was due on "+savings.ParseDay(r.Detail).Format("2 January 2006")+". Pay it before the days of grace are over, or it becomes a debt with a penalty.", page), true
	case told.AjoPaymentQueried:
		return say("A payment is queried", who+" asks about a payment of yours in "+name+": "+r.Detail, page+"/audit?state=QUERIED"), true
	case told.AjoTurnNext:
		return say("You collect next", "Your seat of "+name+" collects in cycle "+r.Detail+".", page), true
	case told.AjoPayoutReady:
		if r.Amount == 0 {
			return say("Your turn has come", "Nothing came into the pot of cycle "+r.Detail+" of "+name+". The ajo's page shows what you are owed.", page), true
		}
		return say("Your pot is ready", "The pot of cycle "+r.Detail+" of "+name+" holds "+amount+". Ask for it.", payouts), true
	case told.AjoPayoutRequested:
		return potAsked(r.Detail, who, name, payouts, say), true
	case told.AjoPayoutPaid:
		if cycle, bid := strings.CutSuffix(r.Detail, " "+notifications.Discount); bid {
			return say("Your part of a bid", amount+" is in your wallet: your part of what was bid for the turn of cycle "+cycle+" of "+name+".", "/dashboard/activity/"+r.EventID.String()), true
		}
		if r.Amount == 0 {
			return setOff(r.Detail, name, page, say), true
		}
		return say("Your pot is paid", amount+" of cycle "+r.Detail+" of "+name+" is in your wallet.", "/dashboard/activity/"+r.EventID.String()), true
	case told.AjoPayoutShort:
		if r.Amount == 0 {
			return setOff(r.Detail, name, page, say), true
		}
		return say("Your pot is paid, not whole", amount+" of cycle "+r.Detail+" of "+name+" is in your wallet. A payment was missing when the pot was counted. The ajo's page shows what you are still owed.", page), true
	case told.AjoPayoutRefused:
		cycle, reason, _ := strings.Cut(r.Detail, " ")
		return say("Your payout is held", who+" holds the payout of cycle "+cycle+" of "+name+" for some days: “"+reason+"” Talk to them.", payouts), true
	case told.AjoTerminated:
		if rest, cancelled := strings.CutPrefix(r.Detail, notifications.Cancelled); cancelled {
			body := name + " does not take place."
			if strings.TrimSpace(rest) == notifications.Deposits {
				body += " What you had deposited is back in your wallet."
			}
			return say("Ajo cancelled", body, page), true
		}
		return say("Ajo ended early", name+" was voted to end early. There are no new turns. Members who have collected pay back what the others put in.", page), true
	case told.AjoCompleted:
		body := "Every pot of " + name + " is paid."
		if r.Detail == notifications.Deposits {
			body += " What is left of your deposit is in your wallet."
		}
		return say("Ajo completed", body, page), true
	case told.AjoTermsChanged:
		if r.Detail == notifications.Released {
			return say("You are no longer in this ajo", "You did not accept the new terms of "+name+" in time, so your hands are free again. You can join again if you agree to them.", page), true
		}
		return say("The terms have changed", "The owner of "+name+" changed its terms. Accept them by "+inLagos(r.Detail)+", or your hands are freed.", page), true
	case told.AjoRefused:
		return say("Ajo payment not taken", "Your payment of "+amount+" arrived, but "+name+" could not take it. "+r.Detail+" The money is in your wallet.", "/dashboard/wallet/"), true
	default:
		return ajoOwing(r, who, name, say)
	}
}

// potAsked says that a member asks for the pot of a cycle, and who approves that.
func potAsked(detail, who, name, link string, say func(title, body, link string) NotificationData) NotificationData {
	cycle, owners := strings.CutSuffix(detail, " "+notifications.OwnersPot)
	approve := "The owner and one other approve."
	if owners {
		approve = "The owner collects it, so the validator and one other approve."
	}
	return say("Waits for you: a payout", who+" asks for the pot of cycle "+cycle+" of "+name+". "+approve, link)
}

// setOff says that a pot paid its holder nothing, for it went to what they owed.
func setOff(cycle, name, page string, say func(title, body, link string) NotificationData) NotificationData {
	return say("Your pot paid what you owed", "The whole pot of cycle "+cycle+" of "+name+" went to what you owed. Nothing was left for your wallet.", page)
}

// ajoOwing says what is owed, given up and saved alone.
func ajoOwing(r notifications.Notification, who, name string, say func(title, body, link string) NotificationData) (NotificationData, bool) {
	page, amount := "/ajo/"+r.Subject, r.Amount.String()
	if r.About == "" {
		who = "Adashi"
	}
	switch r.Type {
	case told.AjoDebtOpened:
		if strings.HasPrefix(r.Detail, notifications.Owed) {
			return say("You are owed", who+" owes you "+amount+" in "+name+".", page), true
		}
		return say("You owe", "You owe "+who+" "+amount+" in "+name+". Pay it before your turn comes.", page), true
	case told.AjoDebtPaid:
		switch r.Detail {
		case notifications.Taken:
			return say("You owe less", "As you agreed, "+amount+" was taken from your wallet for what you owe "+who+" in "+name+".", "/dashboard/activity/"+r.EventID.String()), true
		case notifications.Forgiven:
			return say("You owe less", "You owe "+who+" "+amount+" less in "+name+". Nobody asks you for it any more.", page), true
		}
		return say("A debt is paid", who+"'s debt to you in "+name+" was paid: "+amount+" is in your wallet.", "/dashboard/activity/"+r.EventID.String()), true
	case told.AjoPenaltyApplied:
		return say("Penalty for being late", "You owe "+who+" "+amount+" more, because your payment to "+name+" did not come in time.", page), true
	case told.AjoPenaltyReversed:
		return say("Penalty taken back", "Your payment to "+name+" had come in time. The penalty of "+amount+" is undone.", page), true
	case told.AjoPenaltyWaived:
		return say("Penalty taken back", "We looked into it, and the penalty of "+amount+" in "+name+" is undone. What you paid of it is owed back to you.", page), true
	case told.AjoPlaceOpened, told.AjoPlaceTaken:
		return ajoPlace(r, who, name, say), true
	case told.AjoDepositUsed:
		return say("Your deposit was used", amount+" of your deposit paid what you owed for cycle "+r.Detail+" of "+name+".", page), true
	case told.AjoMotionMade:
		return say("Waits for you: a vote", who+" proposes in "+name+" "+motions[r.Detail]+". See it and vote.", page), true
	case told.AjoPaused:
		return say("Your ajo pauses", "The members of "+name+" voted that it pauses. The payments and payouts from cycle "+r.Detail+" on come one period later.", page), true
	case told.AjoGift:
		return say("Somebody paid for you", who+" paid "+amount+" for you in cycle "+r.Detail+" of "+name+". It is a gift: you do not owe it.", page), true
	case told.AjoOfficesPassed:
		office := "the owner"
		if r.Detail == notifications.NewValidator {
			office = "the validator"
		}
		return say("An office has passed on", who+" is now "+office+" of "+name+", because the one before lost their place.", page), true
	case told.AjoFrozen:
		if seat, ended := strings.CutSuffix(r.Detail, " "+notifications.EndedEarly); ended {
			return say("A seat pays no more", "Your seat "+seat+" of "+name+" pays no more, because the ajo was voted to end early.", page), true
		}
		return say("A seat pays no more", "Nobody took over seat "+r.Detail+" of "+name+". It pays no more and collects last.", page), true
	case told.AjoExpelled:
		return say("You lose your place", "The members of "+name+" voted that you give up seat "+r.Detail+". Who takes it over pays you what it put in, less what you owe.", page), true
	case told.AjoCardCollector:
		return collectorNotice(r, who, say), true
	case told.AjoCardFilled:
		return say("Your card is filled", who+" put "+amount+" on your card.", "/ajo/cards/"+r.Subject), true
	case told.AjoCardMatured:
		if r.Detail == notifications.Commission {
			return say("Your commission", amount+" for "+who+"'s card is in your wallet.", "/dashboard/activity/"+r.EventID.String()), true
		}
		return say("Your card is paid out", amount+" is in your wallet.", "/dashboard/activity/"+r.EventID.String()), true
	default:
		return NotificationData{}, false
	}
}

// collectorNotice says who collects for a card from now on. Besides the saver, our staff end it for an account that was
// given back.
func collectorNotice(r notifications.Notification, who string, say func(title, body, link string) NotificationData) NotificationData {
	const round = "/ajo/cards/round"
	switch r.Detail {
	case notifications.CollectorNamed:
		return say("Your card has a collector", who+" is the collector of your card now. Besides you, only they can fill it.", "/ajo/cards/"+r.Subject)
	case notifications.CollectorNone:
		return say("Your card has no collector", who+" no longer collects for your card. Only you can fill it now.", "/ajo/cards/"+r.Subject)
	case notifications.CollectorReplaced:
		return say("You no longer collect for a card", "Another member is the collector of "+who+"'s card now. You cannot fill it any more.", round)
	case notifications.CollectorEnded:
		return say("You no longer collect for a card", "You are not the collector of "+who+"'s card any more, and cannot fill it. If you earned a commission on it, you get it when the card ends.", round)
	default:
		return say("You collect for a card", who+" made you the collector of their card. On your rounds you fill it from your wallet.", round)
	}
}

// ajoPlace says that a place is free, taken over, or taken by a thief.
func ajoPlace(r notifications.Notification, who, name string, say func(title, body, link string) NotificationData) NotificationData {
	page := "/ajo/" + r.Subject
	if r.Type == told.AjoPlaceOpened {
		if r.Detail == notifications.RemedyFound {
			return say("A seat was taken in a member's name", "Somebody else used "+who+"'s account when it took a seat in "+name+". "+who+" has the account back. The seat stays theirs, and its dues go on, until they give it up.", page)
		}
		return say("A place is free", who+" gives up seat "+r.Detail+" of "+name+". Propose who takes it over.", page)
	}
	seat, sold := strings.CutSuffix(r.Detail, " "+notifications.Sold)
	switch {
	case sold && r.Amount > 0:
		return say("Your place is taken over", who+" took over seat "+seat+" of "+name+". They paid "+r.Amount.String()+" for it.", page)
	case sold:
		return say("Your place is taken over", who+" took over seat "+seat+" of "+name+". Nothing was left to pay to you.", page)
	default:
		return say("A place is taken over", who+" took over seat "+seat+" of "+name+".", page)
	}
}

// motions say what a vote of an ajo is about.
var motions = map[string]string{
	"EXPEL": "that a member gives up their place", "PAUSE": "that it pauses", "TERMINATE": "that it ends early",
}
