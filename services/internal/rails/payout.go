package rails

import (
	"context"
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
	Reversed    bool       // It was paid, and the receiving bank has sent it back.
	ProviderRef string     // The rail's own, such as the NIP session id.
	Amount      money.Kobo // What arrived.
	Fee         money.Kobo // What the rail took for it beside the amount.
	Currency    string
	PaidAt      time.Time // By the rail's clock, UTC.
	Reason      string    // In words, when Failed or Reversed.
	Answer      string    // What was answered, for who looks into it.
}

// Send tells the rail to pay. It is called at most once for a payout, whatever comes of it: everything that is not
// known for sure is Pending, and the rail is asked.
type Send func(ctx context.Context) PayoutStatus

// Payer sends money out.
type Payer interface {
	Enquirer
	// Reference is under which the rail knows a payout of ours.
	Reference(withdrawalID string) string
	// Prepare asks what the rail must be told with a payout. No money moves, so it may be done again. An account that
	// its bank does not know is ErrNoAccount, a rail that cannot be reached fault.Unavailable.
	Prepare(ctx context.Context, payout Payout) (Send, error)
	// PayoutStatus answers for one reference. A rail that cannot be reached is fault.Unavailable; one that answers too
	// late or in a way that we do not understand leaves the payout Pending; one that knows of none says Unknown.
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
