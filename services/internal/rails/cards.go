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
	Of          string     // The rail's own of the payment, as in Status.ProviderRef.
	Gross       money.Kobo // What the payer got back.
	FeeBack     money.Kobo // What the rail gave back of its fee.
	At          time.Time  // UTC.
	Reason      string     // In words; may be empty.
}

// Reverser tells what was taken back of payments.
type Reverser interface {
	// Reversals answers those of one reference that are done. Of a transaction that the rail does not know it is
	// ErrNoTransaction, and of a rail that cannot be reached, or has no time to answer, fault.Unavailable.
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

// CardAnswer is what the bank of a card is told of a dispute that it has.
type CardAnswer struct {
	ProviderRef string     // Of the CardDispute.
	Accept      bool       // Whether the payer gets money back.
	Amount      money.Kobo // What they get back; 0 where it is declined.
	Message     string     // In words, other than those of every other answer.
	Payer       CardPayer  // Who paid, as we know them.
	Facts       string     // What was paid, and what became of it.
	File        CardFile   // What goes with it. Some gateways take no answer without one.
}

// CardPayer is who paid by a card.
type CardPayer struct{ Name, Email, Phone string }

// CardFile is a file for the bank of a card.
type CardFile struct {
	Name, ContentType string
	Data              []byte
}

// AnswerState is where an answer stands at the rail.
type AnswerState int

// The states. AnswerPending is also the answer to everything that is not known for sure.
const (
	AnswerPending AnswerState = iota
	AnswerWaits               // The rail has no answer, and waits for one.
	AnswerTaken               // The rail has this answer.
	AnswerRefused             // The rail does not have it, and takes none any more.
)

// AnswerStatus is what the rail says of an answer. Amount stands when money went back by it.
type AnswerStatus struct {
	State  AnswerState
	Amount money.Kobo
	Reason string // In words, when AnswerRefused.
	Said   string // What was answered, for who looks into it.
}

// SendAnswer gives the rail an answer. It is called at most once for one, whatever comes of it: everything that is not
// known for sure is AnswerPending, and the rail is asked. Only a refusal of the rail's own is AnswerRefused.
type SendAnswer func(ctx context.Context) AnswerStatus

// CardAnswerer is a rail that takes answers to disputes about payments by card.
type CardAnswerer interface {
	CardDisputer
	// PrepareAnswer gives the rail what an answer stands on. Nothing is answered by it, so it may be done again. A rail
	// that cannot be reached, or does not take it, is fault.Unavailable.
	PrepareAnswer(ctx context.Context, answer CardAnswer) (SendAnswer, error)
	// AnswerStatus says where an answer stands. A rail that cannot be reached is fault.Unavailable; one that answers
	// too late or in a way that we do not understand leaves it pending.
	AnswerStatus(ctx context.Context, answer CardAnswer) (AnswerStatus, error)
}
