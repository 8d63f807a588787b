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
	Amount    money.Kobo // What arrives.
	Bank      Bank
	Account   string
	Name      string // The account's, as its bank has it.
	Note      string // For the receiver's statement; may be empty.
}

// PayoutStatus is what the rail says of one payout. Amount, Fee, Currency, ProviderRef and PaidAt stand when Paid.
type PayoutStatus struct {
	State       State
	Reversed    bool       // The receiving bank has sent it back: all of it where Paid, and Amount of it where Failed.
	ProviderRef string     // The rail's own, such as the NIP session id.
	Amount      money.Kobo // What arrived.
	Fee         money.Kobo // What the rail took for it beside the amount.
	Currency    string
	PaidAt      time.Time // By the rail's clock, UTC; the zero time where it does not say.
	Reason      string    // In words, when Failed or Reversed.
	Answer      string    // What was answered, for who looks into it,
	Meaning     string    // and what to make of it, in a sentence, where that does not follow from the State.
}

// Send tells the rail to pay. It is called at most once for a payout, whatever comes of it: everything that is not
// known for sure is Pending, and the rail is asked.
type Send func(ctx context.Context) PayoutStatus

// ErrAnswer is an answer that does not fit the question: it names another reference, or an amount or a time that cannot
// be. It says nothing about what was asked.
var ErrAnswer = errors.New("rails: the answer does not fit the question")

// Payer sends money out. A payout is Failed only where the rail itself says so, of our reference and in a way that it
// publishes; Unknown only where it says that it has no such payout; and Reversed only where it says that a return
// under our reference is done. Everything else is Pending, and the rail is asked again: that it has this order
// already, that something else was not found, that we may not ask or ask too often, that it is away, a code that it
// does not publish, a return that is still worked on or of a part of the money.
type Payer interface {
	Enquirer
	// Reference is under which the rail knows a payout of ours.
	Reference(withdrawalID string) string
	// Prepare asks what the rail must be told with a payout. No money moves, so it may be done again. An account of
	// which its bank says that there is none is ErrNoAccount, a rail that cannot be reached or cannot say
	// fault.Unavailable.
	Prepare(ctx context.Context, payout Payout) (Send, error)
	// PayoutStatus answers for one reference. A rail that cannot be reached is fault.Unavailable; one that answers
	// about another reference is ErrAnswer; one that answers too late or in a way that we do not understand leaves
	// the payout Pending.
	PayoutStatus(ctx context.Context, reference string) (PayoutStatus, error)
}

// PayoutNotice is a webhook about a payout. It only says where to look.
type PayoutNotice struct {
	Reference string
	Amount    money.Kobo
	Currency  string
}

// PayoutHook reads webhooks about payouts. One that is about something else is ErrNoPayment.
type PayoutHook interface {
	ParsePayout(header http.Header, body []byte) (PayoutNotice, error)
}
