package rails

import (
	"context"
	"net/http"
	"time"

	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/services/internal/secret"
)

// Card is a card that a provider lets us charge again. Only the gateway knows its number.
type Card struct {
	Provider           event.Provider // The provider that lets us charge it.
	Token              secret.Text    // The gateway's authorization to charge it.
	Email              string         // The payer's e-mail at the gateway, which charges the card under no other.
	Last4, Brand, Bank string
	ExpMonth, ExpYear  int
}

// ChargeRequest asks to charge a saved card.
type ChargeRequest struct {
	Reference string     // Ours, unique: the gateway charges one once.
	Amount    money.Kobo // The full amount that the payer pays, charges included.
	Card      Card
}

// CardCharger charges saved cards.
type CardCharger interface {
	// ChargeCard returns nil once the gateway may have charged the card; Status gives the result. It returns
	// fault.Unavailable when the gateway was never reached: then nothing was taken.
	ChargeCard(ctx context.Context, request ChargeRequest) error
}

// Reversal is money of a payment that went back to its payer: a refund, or a dispute that the payer won.
type Reversal struct {
	ProviderRef string     // The rail's own, unique to the reversal.
	Of          string     // The rail's reference of the payment, as in Status.ProviderRef.
	Gross       money.Kobo // The amount that the payer got back.
	FeeBack     money.Kobo // The part of its fee that the rail gave back.
	At          time.Time  // UTC.
	Reason      string     // In words; may be empty.
}

// Reverser reports the money that went back to payers.
type Reverser interface {
	// Reversals returns the finished reversals of one reference. It returns ErrNoTransaction when the rail does not
	// know the transaction, and fault.Unavailable when the rail cannot be reached or is too slow.
	Reversals(ctx context.Context, reference string) ([]Reversal, error)
	// ParseReversal reads a webhook which says that a payment may have been reversed, and returns the payment's
	// reference: call Reversals next. It returns ErrNoPayment for a webhook about something else.
	ParseReversal(header http.Header, body []byte) (reference string, err error)
}

// CardDispute is a card payment that the card's bank disputes.
type CardDispute struct {
	ProviderRef string // The rail's own, unique to the dispute.
	Reference   string // Of the payment.
	Amount      money.Kobo
	Reason      string    // In the rail's word; may be empty.
	At          time.Time // UTC.
	AnswerBy    time.Time // UTC; zero where the rail does not say.
	Ended       bool
	Upheld      bool // After it has ended: whether the payer gets the money back. Reversals says when.
}

// CardDisputer is a rail that reports disputes about card payments.
type CardDisputer interface {
	// CardDisputes returns all disputes that began since a moment, in any state. With an error it returns those that it
	// could read.
	CardDisputes(ctx context.Context, since time.Time) ([]CardDispute, error)
	// CardDisputesOf returns the disputes of one payment, in the same way.
	CardDisputesOf(ctx context.Context, reference string) ([]CardDispute, error)
}

// CardAnswer is our answer to a dispute of a card's bank.
type CardAnswer struct {
	ProviderRef string     // Of the CardDispute.
	Accept      bool       // Whether the payer gets money back.
	Amount      money.Kobo // The amount that the payer gets back; 0 when we decline.
	Message     string     // Our message, different from that of every other answer.
	Payer       CardPayer  // The payer, as we know them.
	Facts       string     // What was paid for, and the result.
	File        CardFile   // The evidence file. Some gateways take no answer without one.
}

// CardPayer is the person who paid by card.
type CardPayer struct{ Name, Email, Phone string }

// CardFile is a file for the bank of a card.
type CardFile struct {
	Name, ContentType string
	Data              []byte
}

// AnswerState is the state of our answer at the rail.
type AnswerState int

// The states. AnswerPending also covers everything that is not known for sure.
const (
	AnswerPending AnswerState = iota
	AnswerWaits               // The rail has no answer yet, and waits for one.
	AnswerTaken               // The rail has accepted our answer.
	AnswerRefused             // The rail does not have it, and no longer takes one.
)

// AnswerStatus is the rail's report about an answer. Amount is set when the answer gave money back.
type AnswerStatus struct {
	State  AnswerState
	Amount money.Kobo
	Reason string // In words, when AnswerRefused.
	Said   string // The rail's reply, for the person who investigates.
}

// SendAnswer gives the rail an answer. It is called at most once for each answer, whatever the result: everything that
// is not known for sure is AnswerPending, and we ask the rail. Only the rail's own refusal is AnswerRefused.
type SendAnswer func(ctx context.Context) AnswerStatus

// CardAnswerer is a rail that takes answers to disputes about payments by card.
type CardAnswerer interface {
	CardDisputer
	// PrepareAnswer gives the rail the evidence. It does not answer the dispute, so it may be repeated. It returns
	// fault.Unavailable when the rail cannot be reached or does not accept the evidence.
	PrepareAnswer(ctx context.Context, answer CardAnswer) (SendAnswer, error)
	// AnswerStatus returns the state of an answer. It returns fault.Unavailable when the rail cannot be reached; a
	// reply that comes too late or that we do not understand leaves the answer pending.
	AnswerStatus(ctx context.Context, answer CardAnswer) (AnswerStatus, error)
}
