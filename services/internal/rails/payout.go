package rails

import (
	"context"
	"errors"
	"net/http"
	"time"

	"adashi.ng/ledger/base/money"
)

// Payout is money to be sent to a bank account.
type Payout struct {
	Reference string     // As Payer.Reference makes it.
	Amount    money.Kobo // The amount that arrives.
	Bank      Bank
	Account   string
	Name      string // The account's name, as its bank has it.
	Note      string // For the receiver's statement; may be empty.
}

// PayoutStatus is the rail's report about one payout. Amount, Fee, Currency, ProviderRef and PaidAt are set when Paid.
type PayoutStatus struct {
	State       State
	Reversed    bool       // The receiving bank has sent it back: all of it when Paid, and Amount of it when Failed.
	ProviderRef string     // The rail's own, such as the NIP session id.
	Amount      money.Kobo // The amount that arrived.
	Fee         money.Kobo // The rail's fee, on top of the amount.
	Currency    string
	PaidAt      time.Time // By the rail's clock, UTC; the zero time when the rail does not say.
	Reason      string    // In words, when Failed or Reversed.
	Answer      string    // The rail's reply, for the person who investigates,
	Meaning     string    // and its meaning in a sentence, when that does not follow from the State.
}

// Send orders the rail to pay. It is called at most once for a payout, whatever the result: everything that is not
// known for sure is Pending, and we ask the rail.
type Send func(ctx context.Context) PayoutStatus

// ErrAnswer is an answer that does not fit the question: it names another reference, or an impossible amount or time.
// It says nothing about the payout or payment that we asked about.
var ErrAnswer = errors.New("rails: the answer does not fit the question")

// Payer sends money out. A payout is Failed only when the rail itself says so about our reference, with a code that it
// publishes. It is Unknown only when the rail says that it has no such payout, and Reversed only when the rail says
// that a return under our reference is finished. Everything else is Pending, and we ask the rail again: it already has
// this order, it did not find something else, we may not ask or ask too often, it is down, it gives an unpublished
// code, or a return is unfinished or covers only a part of the money.
type Payer interface {
	Enquirer
	// Reference is the reference of our payout at the rail.
	Reference(withdrawalID string) string
	// Prepare collects from the rail the data that the order needs. No money moves, so it may be repeated. It returns
	// ErrNoAccount when the receiving bank says that there is no such account, and fault.Unavailable when the rail
	// cannot be reached or cannot say.
	Prepare(ctx context.Context, payout Payout) (Send, error)
	// PayoutStatus returns the status of one reference. It returns fault.Unavailable when the rail cannot be reached,
	// and ErrAnswer when the rail answers about another reference; an answer that comes too late or that we do not
	// understand leaves the payout Pending.
	PayoutStatus(ctx context.Context, reference string) (PayoutStatus, error)
}

// PayoutNotice is a webhook about a payout. It only says which payout to ask about.
type PayoutNotice struct {
	Reference string
	Amount    money.Kobo
	Currency  string
}

// PayoutHook reads webhooks about payouts. It returns ErrNoPayment for a webhook about something else.
type PayoutHook interface {
	ParsePayout(header http.Header, body []byte) (PayoutNotice, error)
}
