package acts

import (
	"net/http"
	"slices"
	"time"

	"adashi.ng/ledger/base/money"
)

// The dialects, as the tables name them.
const (
	VFD      = "vfd"
	Paystack = "paystack"
)

// How the bank answers a payout order.
const (
	AnswersPlain   = "plain"
	AnswersSilent  = "silent"  // It pays, and the answer is lost.
	AnswersLost    = "lost"    // The order is lost: it does nothing and answers nothing.
	AnswersXML     = "xml"     // It pays, and its answer is not JSON.
	AnswersExists  = "exists"  // It pays, and answers that it already has this order.
	AnswersAway    = "403"     // It pays, and answers that we are not allowed to,
	AnswersMissing = "missing" // that something of ours was not found,
	AnswersOften   = "429"     // that we ask too often,
	AnswersDown    = "503"     // or that it is down.
)

// Answers lists all of them. Empty means AnswersPlain.
var Answers = []string{"", AnswersPlain, AnswersSilent, AnswersLost, AnswersXML, AnswersExists, AnswersAway, AnswersMissing, AnswersOften, AnswersDown}

// How the bank answers a question about a payout. This moves no money.
const (
	TellsAnother       = "another"        // It answers about another payout.
	TellsPart          = "part"           // It has a return of half of the money.
	TellsUnfinished    = "unfinished"     // It has a return that is not finished. The gateway reports none before it is done.
	TellsUndone        = "undone"         // It has a return that was not carried out. The gateway has no such status.
	TellsAnotherReturn = "another-return" // It has the return of another payout. The gateway answers about the payout itself.
	TellsNaira         = "naira"          // It has a return of ₦1.
	TellsList          = "list"           // Asked for the return (the gateway: for the payout), it answers an empty list,
	TellsNothing       = "nothing"        // or an empty object.
	TellsNoReturn      = "no-return"      // It does not report a return that was made.
)

// Tells lists all of them. Empty means the truth.
var Tells = []string{
	"", TellsAnother, TellsPart, TellsUnfinished, TellsUndone, TellsAnotherReturn, TellsNaira, TellsList, TellsNothing, TellsNoReturn,
}

// BankAway is the code of a receiving bank that is down, in addition to the HTTP statuses of Manner.Refuses.
const BankAway = 91

// Refusals are the answers that Manner.Refuses may name. 0 is no answer: the connection ends, as after a time-out.
var Refusals = []int{
	0, BankAway, http.StatusForbidden, http.StatusNotFound, http.StatusRequestTimeout, http.StatusTooManyRequests,
	http.StatusInternalServerError, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// The calls that DeadUntil of a Manner applies to. Empty means all of them.
const (
	CallsNames   = "names"   // Name enquiries and BVN checks.
	CallsOrders  = "orders"  // Payout orders.
	CallsQueries = "queries" // Status queries of payments and payouts.
	CallsBooks   = "books"   // The balance, the statement and the gateway's lists.
)

// Calls lists all of them.
var Calls = []string{"", CallsNames, CallsOrders, CallsQueries, CallsBooks}

// Where the bank reports its fee for a payout. Empty means everywhere: in its answers and on the payout's line.
const (
	FeeOnLine = "line"  // Only on the statement: its answers do not name the fee.
	FeeApart  = "apart" // As a separate line on the statement, under its own reference. The gateway never reports it.
)

// FeesTold lists all of them.
var FeesTold = []string{"", FeeOnLine, FeeApart}

// ReturnAsTransfer is a return that comes as a transfer to our own account, with its own session, without our
// reference, and with a webhook. Asked about the return, the bank reports it as well. The gateway has no such return.
const ReturnAsTransfer = "transfer"

// Manner is how payouts to an account go wrong; without an account it applies to all accounts that have no manner of
// their own. The zero value is a bank that works perfectly. Fields about the money apply to orders from then on; fields
// about the bank's reports apply to all payouts while the manner lasts.
type Manner struct {
	Account string
	Rail    string // VFD or Paystack; both when empty.

	// The result of an order.
	Delay      time.Duration  // How long they are pending.
	Code       string         // The outcome in VFD's codes; "00" when empty. Paystack's words follow from it.
	Reverse    *time.Duration // How long after it was paid the money comes back; nil for never.
	Keeps      money.Kobo     // The amount that the receiving bank keeps of a return,
	Rest       time.Duration  // and how long after the rest it sends that too; never when zero. The gateway returns only the whole.
	ReturnAs   string         // Empty or ReturnAsTransfer.
	BookedBack bool           // Whether the bank debits a payout that is not paid all the same, and credits it back once it settles.
	Fee        money.Kobo     // The fee for each payout, which the bank also takes for one that it credited back; the tariff when zero.

	// How the bank answers the order.
	Answer string        // AnswersPlain when empty.
	Hold   time.Duration // How long the answer takes.

	// How the bank reports it.
	Twice          bool          // Whether webhooks come twice,
	Silent         bool          // or not at all.
	HookLate       time.Duration // How much later webhooks come.
	AskedLate      time.Duration // For how long after the order it says that it knows none.
	LineLate       time.Duration // How much later the statement has the payout, its fee and its return.
	FeeTold        string        // Where it reports its fee.
	Tells          string        // How it answers about payouts and returns; empty for the truth.
	Timeless       bool          // Whether it omits when a payout was paid,
	ReturnTimeless bool          // or, for a returned payout, both that and when it came back.
	Skew           time.Duration // How far its times are from the true ones: years, or back when negative.

	DeadUntil time.Time // It answers no question until then: about this account, or at all.
	Calls     string    // The calls that this applies to; all when empty.
	Refuses   int       // The answer to everybody until DeadUntil: one of Refusals.

	// FirstMissing is how long the bank takes to tell the first person who asks about the account that it does not
	// exist; a payout order to the account ends the wait. The bank tells everybody else at once that the account
	// exists. Zero treats everybody alike.
	FirstMissing time.Duration
}

// Wrong names the first field with a value that no bank here knows; empty when all are known.
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

// Choice is a value with its text.
type Choice struct{ Value, Words string }

// Succeeded is the code of a payout that was paid, and Unlisted a code that the bank does not publish.
const (
	Succeeded = "00"
	Unlisted  = "77"
)

// Outcomes are the codes of payouts, with their texts.
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
