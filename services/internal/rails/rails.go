// Package rails moves money in from outside and out: an adapter for each bank or gateway, and a registry of what each
// can do. An adapter only reports what happened at the rail. Its caller posts to the ledger, after checking amount,
// currency and reference against the payment that was started.
package rails

import (
	"context"
	"errors"
	"net/http"
	"time"

	"adashi.ng/ledger/base/money"
)

// Naira is the only currency.
const Naira = "NGN"

// StartRequest asks to collect a payment.
type StartRequest struct {
	Reference   string     // Ours, unique.
	Amount      money.Kobo // The full amount that the payer pays, charges included.
	Email       string     // The payer's.
	CallbackURL string     // Where a checkout page sends the payer back to.
	ExpiresAt   time.Time
}

// Instructions tell the payer where to pay: an account for a transfer, or a checkout page for a card.
type Instructions struct {
	AccountNumber string
	AccountName   string
	BankName      string
	CheckoutURL   string
}

// State is a payment's state at the rail.
type State int

// The states. Pending also covers everything that is not known for sure.
const (
	Pending State = iota
	Paid
	Failed
	Unknown // The rail knows no such transaction.
)

func (s State) String() string {
	switch s {
	case Pending:
		return "PENDING"
	case Paid:
		return "PAID"
	case Failed:
		return "FAILED"
	case Unknown:
		return "UNKNOWN"
	default:
		return "INVALID"
	}
}

// Status is the rail's report about one reference. Amount, Fee, Currency, ProviderRef and PaidAt are set when Paid.
type Status struct {
	State       State
	Reference   string
	ProviderRef string     // The rail's own, unique to the payment.
	Also        []string   // Other names that the rail has for the money.
	Amount      money.Kobo // The amount that the payer paid.
	Fee         money.Kobo // The part of it that the rail keeps.
	Currency    string
	PaidAt      time.Time // By the rail's clock, UTC.
	Reason      string    // In words, when Failed.
	WentBack    bool      // When Paid: some or all of it went back to the payer later. A Reverser says how much.
	Card        *Card     // The card, when it may be charged again.
	From        Sender    // Where a transfer came from, if the rail says.
}

// Sender is the bank account that a transfer came from. Fields that the rail did not give are empty.
type Sender struct {
	Bank    string // The CBN's code or the network's.
	Account string
	Name    string // The account's name.
}

// Known reports whether we can send money there.
func (s Sender) Known() bool { return s.Bank != "" && s.Account != "" }

// Notice is a webhook that was read. It only says what to ask about: call Status before posting anything.
type Notice struct {
	Reference   string // Empty when the rail names none; then ProviderRef is set.
	ProviderRef string
	Amount      money.Kobo
	Currency    string
}

// ErrNoPayment is a genuine webhook that reports no finished payment. Answer it 200 and do nothing.
var ErrNoPayment = errors.New("rails: the webhook tells of no payment")

// ErrNoTransaction means that the rail says it knows no such transaction. It may not know it yet.
var ErrNoTransaction = errors.New("rails: the rail knows no such transaction")

// Collector takes payments in.
type Collector interface {
	// Start is idempotent by reference. It returns fault.Unavailable when the rail cannot be reached.
	Start(ctx context.Context, request StartRequest) (Instructions, error)
	// Status returns the status of one reference. It returns fault.Unavailable when the rail cannot be reached; an
	// answer that comes too late or that we do not understand leaves the payment Pending.
	Status(ctx context.Context, reference string) (Status, error)
	// Arrived is Status for the exact money of a webhook, because several payments may come under one reference. It
	// asks the rail and never trusts the webhook's text. For a notice without a reference the rail says what the money
	// was for.
	Arrived(ctx context.Context, notice Notice) (Status, error)
}

// PaymentHook reads webhooks about payments.
type PaymentHook interface {
	// ParseWebhook reads a webhook's raw body. It returns fault.Forbidden for a wrong signature, fault.Invalid for a
	// body that cannot be read, and ErrNoPayment for one that reports no payment.
	ParseWebhook(header http.Header, body []byte) (Notice, error)
}

// SecretPath is a provider that does not sign its webhooks: a part of the webhook's path is a secret.
type SecretPath interface {
	SecretIs(given string) bool
}

// Checker signs in, or returns an error.
type Checker interface {
	Check(ctx context.Context) error
}
