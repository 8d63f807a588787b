// Package acts is what one can have the sandbox do, and how badly: the words that its tests, its town and its counter
// share. The zero value of everything here is a bank at its best.
package acts

import (
	"strings"
	"time"

	"adashi.ng/ledger/base/money"
)

// Account is a bank account. The zero value is one that nobody knows.
type Account struct {
	Bank   string // The CBN's code.
	Number string
}

// Telling is how the bank tells of money that arrived.
type Telling struct {
	Silent bool // No webhook is sent, until Announce has it sent.
	Twice  bool // The webhook is sent twice.

	HookLate        time.Duration // The webhook comes only so long after the money.
	HookBare        bool          // The webhook names no reference of ours.
	LineBare        bool          // The statement's line names none.
	LineSessionless bool          // Nor a session; a transfer alone has one.
	LineNumber      string        // The number that the statement has for a transfer instead of the transaction's own.
	LineTwice       bool          // The statement has it twice.
	LineLate        time.Duration // The statement has it only so long after the bank's timestamp.
	AskedLate       time.Duration // The status query knows of it only so long after now.
}

// Copies is how often the statement has a line.
func (t Telling) Copies() int {
	if t.LineTwice {
		return 2
	}
	return 1
}

// Transfer is money that somebody sends to a virtual account.
type Transfer struct {
	Account string
	Amount  money.Kobo
	Sender  string
	From    Account       // The sender's. Of an unknown one the webhook names an account of the bank's own, and its answers none.
	At      time.Time     // The bank's timestamp, which may lie in the past or in the future; now when zero.
	Delay   time.Duration // How long the bank takes: the query says pending and the webhook waits.
	Code    string        // The outcome; "00" when empty. Nothing is sent for a failure, or for one that is pending for ever.
	Loose   bool          // The bank takes any amount, late or again: its own check fails.
	Telling               // How the bank tells of it.
}

// CardPayment is a charge that its payer pays.
type CardPayment struct {
	Reference string
	At        time.Time // The gateway's timestamp, which may lie in the past or in the future; now when zero.
	From      Account   // The account behind the card; unknown when zero.
	Telling
}

// Takeback is money of a card payment that goes back to its payer.
type Takeback struct {
	Reference string
	Amount    money.Kobo // All that is left when zero.
	Loose     bool       // The gateway gives back more than came in: its own check fails.
	Dispute   bool       // The payer's bank took it, after a dispute.

	Delay  time.Duration // How long it is pending and then processing; at once when zero.
	Fails  bool          // It fails in the end.
	Early  bool          // The money leaves when it is asked for, and comes back if it fails; else it leaves once it is done.
	Turns  bool          // The gateway calls the payment reversed from now on, with its paid time, whatever went back.
	Silent bool          // No webhook is sent.
	Twice  bool          // Whether the webhooks are sent twice.

	HookLate time.Duration // Webhooks come only so long after what they tell.
}

// CardDispute is a card payment that the card's bank disputes.
type CardDispute struct {
	Reference string
	Amount    money.Kobo // All of the payment when zero.
	Category  string
	Twice     bool          // Whether the webhook is sent twice.
	Silent    bool          // Whether none is.
	HookLate  time.Duration // The webhook comes only so long after.
}

// Truth among the statuses that are told is the true one.
const Truth = "truth"

// The statuses that the gateway has for a card payment and for a payout, and those that the bank has for both: the
// codes that it publishes, one that it does not, and its word for a transaction that it does not have.
var (
	CardWords   = []string{Truth, "success", "failed", "abandoned", "reversed", "pending", "processing", "ongoing", "queued"}
	PayoutWords = []string{Truth, "success", "failed", "reversed", "pending", "otp", "processing", "received", "abandoned", "rejected", "blocked"}
	BankWords   = []string{
		Truth, "00", "26", "01", "02", "09", "25", "68", "94", "96", "97", "500", "51", "98", "99", "34", "35", "63", "03", "05", "06", "07", "08", "12", "13", "14", "15",
		"16", "17", "18", "21", "30", "57", "58", "61", "65", "69", "70", "71", "81", "91", "92", Unlisted, NoSuch,
	}
)

// NoSuch is the bank's status of a transaction that it does not have.
const NoSuch = "108"

// How the bank answers about somebody's BVN.
const (
	Plain  = "plain"  // At once.
	Slow   = "slow"   // Pending at first, and the answer SlowFor later.
	Silent = "silent" // Pending for ever.
	Other  = "other"  // It is another person's.
)

// SlowFor is how long a slow answer about a BVN takes.
const SlowFor = 20 * time.Second

// Person is somebody with a BVN and a bank account.
type Person struct {
	BVN       string // Eleven digits; made when empty.
	FirstName string
	LastName  string
	Account   string // Ten digits; made when empty.
	BankCode  string // The CBN's or the network's.
	Manner    string // Plain when empty.
	Owner     string // The BVN of the person who truly controls the account; their own when empty.
	NIP       string // The network's code of the bank; filled in.
	AskedAt   *time.Time
}

// Name is the account's name as the bank has it.
func (p Person) Name() string { return strings.ToUpper(p.LastName + " " + p.FirstName) }
