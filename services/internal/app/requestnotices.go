package app

import (
	contract "adashi.ng/proto/gen/httpapi"

	"adashi.ng/projections/notifications"
)

// requestNotice says what became of a request for a group's money, or that a payment was queried; false for anything
// else. who is the one it is about: who asked, or who queried.
func requestNotice(r notifications.Notification, who string, n names) (contract.NotificationData, bool) {
	of := r.Amount.String() + " of " + n.sub(r.GroupID, r.SubAccountID)
	page := "/savings/" + r.GroupID + "/liquidation-requests"
	data, ok := map[string]contract.NotificationData{
		notifications.LiquidationRequested: {Title: "Money is asked for", Body: who + " asks for " + of + ". The amount is set aside until it is decided.", Link: page},
		notifications.LiquidationValidated: {Title: "A request is validated", Body: "The request of " + who + " for " + of + " is validated. Approvers decide now.", Link: page},
		notifications.LiquidationApproved:  {Title: "Your request is approved", Body: of + " is about to be paid.", Link: page},
		notifications.LiquidationRejected:  {Title: "Your request is not paid", Body: of + " is no longer set aside. " + r.Detail, Link: page},
		notifications.LiquidationPaid:      {Title: "A request is paid", Body: of + ", asked for by " + who + ", is paid.", Link: page},
		notifications.LiquidationFailed:    {Title: "The bank did not pay", Body: of + ", asked for by " + who + ", did not arrive. " + r.Detail, Link: page},
		notifications.PaymentQueried:       {Title: "A payment is queried", Body: who + " asks about a payment of yours to " + n.sub(r.GroupID, r.SubAccountID) + ": " + r.Detail, Link: "/savings/" + r.GroupID + "/my-payments"},
	}[r.Type]
	return data, ok
}
