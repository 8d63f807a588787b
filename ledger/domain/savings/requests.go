package savings

import (
	"slices"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/event"
)

// Official reports whether a user holds an office in the group.
func (g Group) Official(userID string) bool {
	return userID != "" && (userID == g.Owner || userID == g.Validator || slices.Contains(g.Approvers, userID))
}

// Took reports whether a group that takes no money now still took it at a moment. Money that a bank had by then is in
// time, although the bank reports it while the group is suspended or closes.
func (g Group) Took(at time.Time) bool {
	if n := len(g.Shut); n == 0 || g.Status != Suspended && g.Status != Closing || !at.Before(g.Shut[n-1].From) {
		return false
	}
	return !slices.ContainsFunc(g.Shut, func(s Span) bool { return s.Closing && !at.Before(s.From) }) // It may be suspended while it closes.
}

// PaysOut reports whether money may leave the group. A bank may send a payout back to one that is closed already.
func (g Group) PaysOut() bool { return g.Status == Active || g.Status == Closing || g.Status == Closed }

// SeesTotal reports whether a user of the group may know what a sub-account of it holds.
func (g Group) SeesTotal(s SubAccount, userID string) bool {
	return g.Official(userID) || g.ShowTotal && s.ShowTotal
}

// OpenRequests are the requests for money of a group that a member has open, by their ids; empty for none.
type OpenRequests struct{ Withdrawal, Disbursement string }

// Any reports whether there is one.
func (o OpenRequests) Any() bool { return o != OpenRequests{} }

// Requests folds a member's open requests.
var Requests = event.Of("requests", 1, func(o OpenRequests, e event.Happened) OpenRequests {
	if m, ok := e.Message.(*nairav1.RequestsCounted); ok {
		return OpenRequests{Withdrawal: m.GetWithdrawalId(), Disbursement: m.GetDisbursementId()}
	}
	return o
})

// RequestsStream is the stream of what a member has asked of a group.
func RequestsStream(groupID, userID string) string { return "requests:" + groupID + ":" + userID }
