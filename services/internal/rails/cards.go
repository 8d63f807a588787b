package rails

import (
	"context"
	"net/http"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/secret"
)

// Card is one that a provider lets us charge again. Only the gateway knows its number.
type Card struct {
	Provider           event.Provider // Who lets us.
	Token              secret.Text    // What it is charged by.
	Email              string         // Whose it is at the gateway; it is charged under no other.
	Last4, Brand, Bank string
	ExpMonth, ExpYear  int
}

// ChargeRequest is a saved card to be charged.
type ChargeRequest struct {
	Reference string     // Ours, unique: the gateway charges one once.
	Amount    money.Kobo // The whole that the payer pays, charges included.
	Card      Card
}

// CardCharger charges saved cards.
type CardCharger interface {
	// ChargeCard answers nil once the gateway may have charged the card: Status tells. A gateway that was never
	// reached is fault.Unavailable, and nothing was taken.
	ChargeCard(ctx context.Context, request ChargeRequest) error
}

// Reversal is money of a payment that went back to its payer: a refund, or a dispute that the payer won.
type Reversal struct {
	ProviderRef string     // The rail's own, unique to the reversal.
	Gross       money.Kobo // What the payer got back.
	FeeBack     money.Kobo // What the rail gave back of its fee.
	At          time.Time  // UTC.
	Reason      string     // In words; may be empty.
}

// Reverser tells what was taken back of payments.
type Reverser interface {
	// Reversals answers those of one reference that are done.
	Reversals(ctx context.Context, reference string) ([]Reversal, error)
	// ParseReversal reads a webhook that says that a payment may have been taken back, and answers the payment's
	// reference: ask Reversals next. One about something else is ErrNoPayment.
	ParseReversal(header http.Header, body []byte) (reference string, err error)
}

// CardDispute is a payment by card that the bank of the card disputes.
type CardDispute struct {
	ProviderRef string // The rail's own, unique to the dispute.
	Reference   string // Of the payment.
	Amount      money.Kobo
	Reason      string    // In the rail's word; may be empty.
	At          time.Time // UTC.
	AnswerBy    time.Time // UTC; zero where the rail does not say.
	Ended       bool
	Upheld      bool // Once it has ended: whether the payer gets the money back. Reversals says when they did.
}

// CardDisputer is a rail that tells of disputes about payments by card.
type CardDisputer interface {
	// CardDisputes answers those that began since a moment, however they stand; with an error those that it could read.
	CardDisputes(ctx context.Context, since time.Time) ([]CardDispute, error)
	// CardDisputesOf answers those of one payment, likewise.
	CardDisputesOf(ctx context.Context, reference string) ([]CardDispute, error)
}
