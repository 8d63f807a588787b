package notices

import (
	"strings"
	"time"

	"adashi.ng/ledger/base/lagos"
	"adashi.ng/projections/notifications"
	"adashi.ng/projections/notifications/told"
	"adashi.ng/services/internal/usecase"
)

// requestNotice says what became of a request for a group's money, or that a payment was queried; false for anything
// else. who is the one it is about: who asked, or who queried; to is the id of who is told.
func requestNotice(r notifications.Notification, to, who string, n usecase.Names) (NotificationData, bool) {
	of := r.Amount.String() + " of " + n.Sub(r.GroupID, r.SubAccountID)
	if r.Amount == 0 {
		of = "money of " + n.Sub(r.GroupID, r.SubAccountID)
	}
	page := "/savings/" + r.GroupID + "/liquidation-requests"
	if r.Subject != "" {
		page += "?request=" + r.Subject
	}
	if data, ok := membersNotice(r, who, of, page, n); ok {
		return data, true
	}
	data, ok := map[string]NotificationData{
		told.LiquidationRequested: {Title: "Waits for you: money is asked for", Body: who + " asks for " + of + ". It waits for your decision.", Link: page},
		told.LiquidationValidated: {Title: "A request is validated", Body: "The request of " + who + " for " + of + " is validated. Approvers decide now.", Link: page},
		told.LiquidationApproved:  {Title: "Your request is approved", Body: of + approved(r.Detail), Link: page},
		told.LiquidationRejected:  {Title: "Your request is not paid", Body: of + unpaid(r.Detail), Link: page},
		told.LiquidationPaid:      {Title: "A request is paid", Body: of + ", asked for by " + who + ", is paid.", Link: page},
		told.LiquidationFailed:    {Title: "The bank did not pay", Body: of + ", asked for by " + who + ", did not arrive. " + r.Detail, Link: page},
		told.PaymentQueried:       {Title: "A payment is queried", Body: who + " asks about a payment of yours to " + n.Sub(r.GroupID, r.SubAccountID) + ": " + r.Detail, Link: paymentPage(r)},
		told.QuestionAsked:        {Title: "Waits for you: a question", Body: who + " asks more about a payment of yours. Answer on the payment's page.", Link: paymentPage(r)},
		told.QuestionAnswered:     {Title: "A query is answered", Body: who + " answered what you asked about a payment.", Link: queried(r)},
		told.SampleDrawn:          sampled(r),
		told.RecheckAsked:         rechecked(r, who),
	}[r.Type]
	if r.Type == told.LiquidationValidated && to != r.About {
		data.Title = "Waits for you: a request is validated"
	}
	return data, ok
}

// membersNotice says to every member what becomes of a payment of their group.
func membersNotice(r notifications.Notification, who, of, page string, n usecase.Names) (NotificationData, bool) {
	kind, rest, _ := strings.Cut(r.Detail, " ")
	when, reason, _ := strings.Cut(rest, " ")
	group := n.Groups[r.GroupID].Name
	switch {
	case r.Type == told.LiquidationRequested && kind == notifications.MembersNotice:
		return NotificationData{
			Title: group + " is asked to pay", Link: page,
			Body: who + " asks " + group + " to pay " + of + ". It is paid at the earliest on " + inLagos(when) + ". If you think it is wrong, object: two members put it on hold.",
		}, true
	case r.Type == told.LiquidationPaid && kind == notifications.PaidOut:
		return NotificationData{Title: group + " has paid", Body: of + ", asked for by " + who + ", is paid.", Link: page}, true
	case r.Type == told.LiquidationRejected && kind == notifications.NotPaid:
		return NotificationData{Title: group + " does not pay", Body: of + ", asked for by " + who + ", is not paid. " + rest, Link: page}, true
	case r.Type == told.LiquidationFailed && kind == notifications.CameBack:
		return NotificationData{Title: "A payment came back", Body: "The bank sent back what " + group + " had paid: " + of + ", asked for by " + who + ". " + rest, Link: page}, true
	case r.Type != told.LiquidationOnHold:
		return NotificationData{}, false
	case kind == notifications.Objected:
		return NotificationData{Title: "A member objects", Body: "A member objects to the payment that " + who + " asks for. They say: “" + rest + "” One more puts it on hold.", Link: page}, true
	case kind == notifications.Held:
		return NotificationData{Title: "A payment is on hold", Body: "The payment that " + who + " asks for waits until the approvers answer: “" + rest + "”", Link: page}, true
	case kind == notifications.InDispute:
		return NotificationData{
			Title: "Money is in dispute", Link: page,
			Body: "A member disputes money of " + n.Sub(r.GroupID, r.SubAccountID) + ". The payment that " + who + " asks for is paid only where enough stays for that, until it is decided or " + inLagos(when) + ".",
		}, true
	case kind == notifications.NotInDispute:
		return NotificationData{Title: "Money is no longer in dispute", Body: "A dispute no longer holds money of " + n.Sub(r.GroupID, r.SubAccountID) + ". The payment that " + who + " asks for goes on.", Link: page}, true
	default:
		return NotificationData{
			Title: "A payment goes on", Link: page,
			Body: "The approvers answered those who objected to the payment that " + who + " asks for: “" + reason + "” It is paid at the earliest on " + inLagos(when) + ". If you still think it is wrong, contact us.",
		}, true
	}
}

// approved says when a request that is approved is paid, by its notification's detail.
func approved(detail string) string {
	if from, waits := strings.CutPrefix(detail, notifications.Waits+" "); waits {
		return " is approved. It is paid at the earliest on " + inLagos(from) + ", and until then two members may put it on hold."
	}
	return " is approved. Now it goes to the bank."
}

// unpaid says that a request is not paid, and why, by its notification's detail.
func unpaid(detail string) string {
	if why, never := strings.CutPrefix(detail, notifications.NeverHeld); never {
		return " is not paid." + why
	}
	return " is no longer set aside. " + detail
}

// inLagos is a moment of an event as people read it.
func inLagos(moment string) string {
	at, err := time.Parse(time.RFC3339, moment)
	if err != nil {
		return "a later day"
	}
	return lagos.Clock(at)
}

// paymentPage is where a member sees a payment of theirs, and answers what is asked about it.
func paymentPage(r notifications.Notification) string { return "/dashboard/activity/" + r.Subject }

// sampled says how many payments the sample of a month has, where they are looked at.
func sampled(r notifications.Notification) NotificationData {
	count, ajo, _ := strings.Cut(r.Detail, " ")
	link := "/savings/" + r.GroupID + "/audit?sample=1"
	if r.GroupID == "" {
		link = "/ajo/" + ajo + "/audit?sample=1"
	}
	month := r.Subject
	if at, err := time.Parse("2006-01", month); err == nil {
		month = at.Format("January 2006")
	}
	are := " of its payments are to be looked at."
	if count == "1" {
		are = " of its payments is to be looked at."
	}
	return NotificationData{Title: "Waits for you: a sample", Body: "The sample of " + month + " is drawn: " + count + are, Link: link}
}

// rechecked says how many validations the owner is asked to check again, where that is done.
func rechecked(r notifications.Notification, who string) NotificationData {
	drawn, rest, _ := strings.Cut(r.Detail, " ")
	validated, ajo, _ := strings.Cut(rest, " ")
	link := "/savings/" + r.GroupID + "/audit?recheck=1"
	if r.GroupID == "" {
		link = "/ajo/" + ajo + "/audit?recheck=1"
	}
	were := " of them were drawn"
	if drawn == "1" {
		were = " of them was drawn"
	}
	return NotificationData{Title: "Waits for you: payments to check again", Body: who + " validated " + validated + " payments at once. " + drawn + were + " for you to check again.", Link: link}
}

// queried is the desk on which a payment's query is read.
func queried(r notifications.Notification) string {
	if r.GroupID == "" {
		return "/ajo/" + r.Detail + "/audit?state=QUERIED"
	}
	return "/savings/" + r.GroupID + "/audit?payment=" + r.Subject
}
