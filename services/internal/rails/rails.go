// Package rails is how money comes in from outside and goes out: an adapter for each bank or gateway, and a registry
// that says which of them can do what. An adapter only says what happened out there; nothing is posted but by whoever
// asks it, after checking amount, currency and reference against the payment that was started.
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

// StartRequest is a payment to be collected.
type StartRequest struct {
	Reference   string     // Ours, unique.
	Amount      money.Kobo // The whole that the payer pays, charges included.
	Email       string     // The payer's.
	CallbackURL string     // Where a checkout page returns the payer to.
	ExpiresAt   time.Time
}

// Instructions tell the payer where to pay: an account for a transfer, or a checkout page for a card.
type Instructions struct {
	AccountNumber string
	AccountName   string
	BankName      string
	CheckoutURL   string
}

// State is how a payment stands at the rail.
type State int

// The states. Pending is also the answer to everything that is not known for sure.
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

// Status is what the rail says of one reference. Amount, Fee, Currency, ProviderRef and PaidAt stand when Paid.
type Status struct {
	State       State
	Reference   string
	ProviderRef string     // The rail's own, unique to the payment.
	Also        []string   // Other names that the rail has for the money.
	Amount      money.Kobo // What the payer paid.
	Fee         money.Kobo // What the rail keeps of it.
	Currency    string
	PaidAt      time.Time // By the rail's clock, UTC.
	Reason      string    // In words, when Failed.
	WentBack    bool      // When Paid: some of it went back to the payer since, or all. A Reverser says how much.
	Card        *Card     // What it was paid with, when the card may be charged again.
	From        Sender    // Where a transfer came from, as far as the rail says.
}

// Sender is the bank account that a transfer came from. What the rail did not say is empty.
type Sender struct {
	Bank    string // The CBN's code or the network's.
	Account string
	Name    string // The account's.
}

// Known reports whether money can be sent there.
func (s Sender) Known() bool { return s.Bank != "" && s.Account != "" }

// Notice is a webhook that was read. It only says where to look: ask Status before anything is posted.
type Notice struct {
	Reference   string // Empty when the rail names none; ProviderRef is there then.
	ProviderRef string
	Amount      money.Kobo
	Currency    string
}

// ErrNoPayment is a genuine webhook that tells of no finished payment. Answer it 200 and do nothing.
var ErrNoPayment = errors.New("rails: the webhook tells of no payment")

// ErrNoTransaction is a rail's own word that it knows no such transaction. It may not know it yet.
var ErrNoTransaction = errors.New("rails: the rail knows no such transaction")

// Collector takes payments in.
type Collector interface {
	// Start is idempotent by reference. A rail that cannot be reached is fault.Unavailable.
	Start(ctx context.Context, request StartRequest) (Instructions, error)
	// Status answers for one reference. A rail that cannot be reached is fault.Unavailable; one that answers
	// too late or in a way that we do not understand leaves the payment Pending.
	Status(ctx context.Context, reference string) (Status, error)
	// Arrived is Status for the very money that a webhook told of: several may come under one reference. A webhook's
	// words are never repeated. Of a notice without a reference the rail says what the money came for.
	Arrived(ctx context.Context, notice Notice) (Status, error)
}

// PaymentHook reads webhooks about payments.
type PaymentHook interface {
	// ParseWebhook reads a webhook's raw body. A wrong signature is fault.Forbidden, a body that cannot be read
	// fault.Invalid, and one that tells of no payment ErrNoPayment.
	ParseWebhook(header http.Header, body []byte) (Notice, error)
}

// SecretPath is a provider that does not sign its webhooks: a part of the path that it sends them to is a secret.
type SecretPath interface {
	SecretIs(given string) bool
}

// Checker signs in, or fails.
type Checker interface {
	Check(ctx context.Context) error
}
