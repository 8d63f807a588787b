package rails

import (
	"context"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
)

// Line is one movement on our account as the rail's own statement has it.
type Line struct {
	ProviderRef string     // The rail's own, unique in its direction except for parts of one movement: see Own.
	Also        []string   // Other names of the movement at the rail.
	Nameless    bool       // Only the statement uses this ProviderRef, so we cannot tell whether the rail reports the money elsewhere too.
	Reference   string     // The movement's reference, ours if we made it; may be empty.
	Of          string     // For a refund: the ProviderRef of the payment that went back.
	Out         bool       // Money left the account.
	Amount      money.Kobo // The amount that the other side paid or got.
	Fee         money.Kobo // The rail's fee: taken from incoming money, or on top of outgoing money.
	ChargeOf    string     // For a charge of the rail with its own line: the ProviderRef of the charged payout.
	At          time.Time  // By the rail's clock, UTC.
}

// Moved is the change of the account's balance: above zero for money that came in.
func (l Line) Moved() money.Kobo {
	if l.Out {
		return -(l.Amount + l.Fee)
	}
	return l.Amount - l.Fee
}

// Own is the name that only this line has: a rail may move money in parts, each a line under one ProviderRef.
func (l Line) Own() string {
	if len(l.Also) > 0 {
		return l.Also[0]
	}
	own := l.ProviderRef + " " + strconv.FormatInt(int64(l.Amount), 10)
	if l.Out { // Incoming money under one name and in one amount came only once.
		own += " " + l.At.UTC().Format(time.RFC3339Nano)
	}
	return own
}

// Names returns all names that the rail or we have for the line.
func (l Line) Names() []string { return append([]string{l.ProviderRef, l.Own()}, l.Also...) }

// Teller reads a rail's balance and statement. It returns fault.Unavailable when the rail cannot be reached or its
// answer cannot be understood: it never returns a part of a statement.
type Teller interface {
	Balance(ctx context.Context) (money.Kobo, error)
	// Statement returns every movement since a moment, in any order.
	Statement(ctx context.Context, since time.Time) ([]Line, error)
}
