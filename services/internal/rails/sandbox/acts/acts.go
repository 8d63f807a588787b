// Package acts defines the actions that one can request of the sandbox, and how they fail: the vocabulary that its
// tests, its town and its counter share. The zero value of everything here is a bank that works perfectly.
package acts

import (
	"strings"
	"time"

	"adashi.ng/ledger/base/money"
)

// Account is a bank account. The zero value is an unknown account.
type Account struct {
	Bank   string // The CBN's code.
	Number string
}

// Telling is how the bank reports money that arrived.
type Telling struct {
	Silent bool // The bank sends no webhook until Announce is called.
	Twice  bool // The bank sends the webhook twice.

	HookLate        time.Duration // How long after the money the webhook comes.
	HookBare        bool          // The webhook does not name our reference.
	LineBare        bool          // The statement's line does not name it.
	LineSessionless bool          // Nor does it name a session; only a transfer has one.
	LineNumber      string        // The transfer's number on the statement, instead of the transaction's own.
	LineTwice       bool          // The statement has it twice.
	LineLate        time.Duration // How long after the bank's timestamp the statement has it.
	AskedLate       time.Duration // How long from now the status query starts to know it.
}

// Copies is how many times the statement has a line.
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
	From    Account       // The sender's. For an unknown sender the webhook names one of the bank's own accounts, and its answers name none.
	At      time.Time     // The bank's timestamp, which may be in the past or in the future; now when zero.
	Delay   time.Duration // How long the bank takes: the query says pending and the webhook waits.
	Code    string        // The outcome; "00" when empty. Nothing is sent for a failure, or for one that is pending for ever.
	Loose   bool          // The bank takes any amount, late or again: its own check fails.
	Telling               // How the bank reports it.
}

// CardPayment is a charge that its payer pays.
type CardPayment struct {
	Reference string
	At        time.Time // The gateway's timestamp, which may be in the past or in the future; now when zero.
	From      Account   // The account behind the card; unknown when zero.
	Telling
}

// Takeback is money of a card payment that goes back to its payer.
type Takeback struct {
	Reference string
	Amount    money.Kobo // All that remains when zero.
	Loose     bool       // The gateway gives back more than came in: its own check fails.
	Dispute   bool       // The payer's bank took it, after a dispute.

	Delay  time.Duration // How long it is pending and then processing; at once when zero.
	Fails  bool          // It fails in the end.
	Early  bool          // The money leaves on request, and comes back if it fails; otherwise it leaves when the refund is done.
	Turns  bool          // From now on the gateway calls the payment reversed, with its paid time, whatever went back.
	Silent bool          // The gateway sends no webhook.
	Twice  bool          // The gateway sends each webhook twice.

	HookLate time.Duration // How long after the event the webhooks come.
}

// CardDispute is a card payment that the card's bank disputes.
type CardDispute struct {
	Reference string
	Amount    money.Kobo // All of the payment when zero.
	Category  string
	Twice     bool          // The gateway sends the webhook twice.
	Silent    bool          // The gateway sends no webhook.
	HookLate  time.Duration // How long after the dispute the webhook comes.
}

// Truth means the true status in a list of statuses.
const Truth = "truth"

// The statuses that the gateway has for a card payment and for a payout, and those that the bank has for both: the
// published codes, an unpublished one, and the bank's word for a transaction that it does not have.
var (
	CardWords   = []string{Truth, "success", "failed", "abandoned", "reversed", "pending", "processing", "ongoing", "queued"}
	PayoutWords = []string{Truth, "success", "failed", "reversed", "pending", "otp", "processing", "received", "abandoned", "rejected", "blocked"}
	BankWords   = []string{
		Truth, "00", "26", "01", "02", "09", "25", "68", "94", "96", "97", "500", "51", "98", "99", "34", "35", "63", "03", "05", "06", "07", "08", "12", "13", "14", "15",
		"16", "17", "18", "21", "30", "57", "58", "61", "65", "69", "70", "71", "81", "91", "92", Unlisted, NoSuch,
	}
)

// NoSuch is the bank's status for a transaction that it does not have.
const NoSuch = "108"

// How the bank answers about a BVN.
const (
	Plain  = "plain"  // At once.
	Slow   = "slow"   // Pending at first, and the answer SlowFor later.
	Silent = "silent" // Pending forever.
	Other  = "other"  // It belongs to another person.
)

// SlowFor is the delay of a slow answer about a BVN.
const SlowFor = 20 * time.Second

// Person is somebody with a BVN and a bank account.
type Person struct {
	BVN       string // Eleven digits; generated when empty.
	FirstName string
	LastName  string
	Account   string // Ten digits; made when empty.
	BankCode  string // The CBN's or the network's.
	Manner    string // Plain when empty.
	Owner     string // The BVN of the person who really controls the account; the person's own when empty.
	NIP       string // The network's code of the bank; filled in.
	AskedAt   *time.Time
}

// Name is the account's name as the bank has it.
func (p Person) Name() string { return strings.ToUpper(p.LastName + " " + p.FirstName) }
