package acts

import (
	"net/http"
	"slices"
	"time"

	"adashi.ng/ledger/base/money"
)

// The dialects, as tables name them.
const (
	VFD      = "vfd"
	Paystack = "paystack"
)

// How the bank answers an order to pay out.
const (
	AnswersPlain   = "plain"
	AnswersSilent  = "silent"  // It does it, and the answer is lost.
	AnswersLost    = "lost"    // The order is lost: it does nothing and answers nothing.
	AnswersXML     = "xml"     // It does it, and answers what is not JSON.
	AnswersExists  = "exists"  // It does it, and answers that it has this order already.
	AnswersAway    = "403"     // It does it, and answers that we may not,
	AnswersMissing = "missing" // that something of ours was not found,
	AnswersOften   = "429"     // that we ask too often,
	AnswersDown    = "503"     // or that it is away.
)

// Answers are all of them. Empty is AnswersPlain.
var Answers = []string{"", AnswersPlain, AnswersSilent, AnswersLost, AnswersXML, AnswersExists, AnswersAway, AnswersMissing, AnswersOften, AnswersDown}

// How the bank tells of a payout when it is asked. The money does not move by it.
const (
	TellsAnother       = "another"        // It answers about another payout.
	TellsPart          = "part"           // It has a return of half of the money.
	TellsUnfinished    = "unfinished"     // It has a return that it still works on. The gateway tells of none before it is done.
	TellsUndone        = "undone"         // It has a return that was not carried out. The gateway has no such word.
	TellsAnotherReturn = "another-return" // It has the return of another payout. The gateway answers about the payout itself.
	TellsNaira         = "naira"          // It has a return of ₦1.
	TellsList          = "list"           // Asked for the return (the gateway: for the payout), it answers an empty list,
	TellsNothing       = "nothing"        // or an empty object.
	TellsNoReturn      = "no-return"      // It says of no return that there was one.
)

// Tells are all of them. Empty is the truth.
var Tells = []string{
	"", TellsAnother, TellsPart, TellsUnfinished, TellsUndone, TellsAnotherReturn, TellsNaira, TellsList, TellsNothing, TellsNoReturn,
}

// BankAway is the code of a receiving bank that is not there, beside the HTTP statuses of Manner.Refuses.
const BankAway = 91

// Refusals are the answers that Manner.Refuses may name. 0 is none: the connection ends, as after a time-out.
var Refusals = []int{
	0, BankAway, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusTooManyRequests,
	http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// The calls that a Manner with DeadUntil is about. Empty is all of them.
const (
	CallsNames   = "names"   // Whose an account or a BVN is.
	CallsOrders  = "orders"  // Orders to pay out.
	CallsQueries = "queries" // How a payment or a payout stands.
	CallsBooks   = "books"   // The balance, the statement and the gateway's lists.
)

// Calls are all of them.
var Calls = []string{"", CallsNames, CallsOrders, CallsQueries, CallsBooks}

// Where the bank tells what it took for a payout. Empty is everywhere: in its answers and on the payout's line.
const (
	FeeOnLine = "line"  // Only on the statement: its answers say nothing of it.
	FeeApart  = "apart" // As a line of its own on the statement, under its own reference. The gateway tells of it nowhere.
)

// FeesTold are all of them.
var FeesTold = []string{"", FeeOnLine, FeeApart}

// ReturnAsTransfer is a return that comes as a transfer to our own account: with a session of its own, without our
// reference, and with a webhook. Asked about the return, the bank tells of it as well. The gateway has no such return.
const ReturnAsTransfer = "transfer"

// Manner is how payouts to an account go wrong; of no account, all that have none of their own. The zero value is a
// bank at its best. What it does to the money of a payout counts for orders from then on; how the bank tells of
// payouts counts for all, for as long as the manner lasts.
type Manner struct {
	Account string
	Rail    string // VFD or Paystack; both when empty.

	// What becomes of an order.
	Delay      time.Duration  // How long they are pending.
	Code       string         // The outcome in VFD's codes; "00" when empty. Paystack's words follow from it.
	Reverse    *time.Duration // How long after it was paid it is sent back; nil for never.
	Keeps      money.Kobo     // What the receiving bank keeps of what it sends back,
	Rest       time.Duration  // and how long after the rest it sends that too; never when zero. The gateway's returns are whole.
	ReturnAs   string         // Empty or ReturnAsTransfer.
	BookedBack bool           // Whether a payout that is not paid was booked out all the same, and in again once it settled.
	Fee        money.Kobo     // What is taken beside each payout, by the bank also beside one that it booked back; the tariff when zero.

	// How the order is answered.
	Answer string        // AnswersPlain when empty.
	Hold   time.Duration // How long the answer takes.

	// How the bank tells of it.
	Twice          bool          // Whether webhooks come twice,
	Silent         bool          // or not at all.
	HookLate       time.Duration // How much later webhooks come.
	AskedLate      time.Duration // How long after the order it says that it knows of none.
	LineLate       time.Duration // How much later the statement has the payout, its fee and its return.
	FeeTold        string        // Where it tells of its fee.
	Tells          string        // How it tells of payouts and returns; empty for the truth.
	Timeless       bool          // Whether it does not say when a payout was paid,
	ReturnTimeless bool          // or says neither that nor when it came back, of one that did.
	Skew           time.Duration // How far the times that it tells are from the true ones: years, or back when negative.

	DeadUntil time.Time // Nobody is answered until then: about this account, or at all.
	Calls     string    // Of which calls that is true; all when empty.
	Refuses   int       // What everybody is answered until DeadUntil instead: one of Refusals.

	// FirstMissing is how long the bank takes to tell the first who asks about the account that there is none; it knows
	// of it again once a payout to it is ordered. It takes no time to tell all others that there is one. Zero for all
	// alike.
	FirstMissing time.Duration
}

// Wrong names the first field that has a value which no bank here knows; empty when all are known.
func (m Manner) Wrong() string {
	switch {
	case m.Code != "" && !slices.ContainsFunc(Outcomes, func(o Choice) bool { return o.Value == m.Code }):
		return "code"
	case !slices.Contains(Answers, m.Answer):
		return "answer"
	case !slices.Contains(Tells, m.Tells):
		return "tells"
	case !slices.Contains(Refusals, m.Refuses):
		return "refuses"
	case !slices.Contains(Calls, m.Calls):
		return "calls"
	case !slices.Contains(FeesTold, m.FeeTold):
		return "fee_told"
	case m.ReturnAs != "" && m.ReturnAs != ReturnAsTransfer:
		return "return_as"
	case !slices.Contains([]string{"", VFD, Paystack}, m.Rail):
		return "rail"
	case m.Fee < 0 || m.Keeps < 0:
		return "fee"
	}
	return ""
}

// Choice is a value in words.
type Choice struct{ Value, Words string }

// Succeeded is the outcome of a payout that was paid, and Unlisted a code that the bank does not publish.
const (
	Succeeded = "00"
	Unlisted  = "77"
)

// Outcomes are the codes of payouts, in words.
var Outcomes = []Choice{
	{Succeeded, "are paid"},
	{"26", "are paid (26)"},
	{"09", "stay pending for ever (09)"},
	{"01", "stay pending for ever (01)"},
	{"02", "stay pending for ever (02)"},
	{"25", "stay pending for ever (25)"},
	{"94", "stay pending for ever (94)"},
	{"96", "stay pending for ever (96)"},
	{"500", "stay pending for ever (500)"},
	{"51", "fail: insufficient funds (51)"},
	{"98", "fail: limit reached (98)"},
	{"99", "fail: not carried out (99)"},
	{"34", "fail: suspected fraud (34)"},
	{"35", "fail: contact the bank (35)"},
	{"63", "fail: security violation (63)"},
	{"91", "fail: the other bank did not answer (91)"},
	{"07", "fail: invalid account (07)"},
	{Unlisted, "end with a code that the bank does not publish (77)"},
}
