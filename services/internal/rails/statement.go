package rails

import (
	"context"
	"strconv"
	"time"

	"adashi.ng/ledger/base/money"
)

// Line is one movement on our account as the rail's own statement has it.
type Line struct {
	ProviderRef string     // The rail's own, unique in its direction but for parts of one movement: see Own.
	Also        []string   // Other names that the rail has for the movement.
	Nameless    bool       // Nothing but the statement knows it by ProviderRef: whether it is told of elsewhere is not known.
	Reference   string     // What it was made under, ours where we made it; may be empty.
	Of          string     // For a refund: the ProviderRef of the payment that went back.
	Out         bool       // Money left the account.
	Amount      money.Kobo // What the other side paid or got.
	Fee         money.Kobo // What the rail kept: of what came in, or beside what went out.
	ChargeOf    string     // For the rail's charge that has a line of its own: the ProviderRef of the payout that it is for.
	At          time.Time  // By the rail's clock, UTC.
}

// Moved is what the line did to the account: above zero for money that came in.
func (l Line) Moved() money.Kobo {
	if l.Out {
		return -(l.Amount + l.Fee)
	}
	return l.Amount - l.Fee
}

// Own is the name that the line alone has: a rail may move money in parts, each a line under one ProviderRef.
func (l Line) Own() string {
	if len(l.Also) > 0 {
		return l.Also[0]
	}
	own := l.ProviderRef + " " + strconv.FormatInt(int64(l.Amount), 10)
	if l.Out { // What came in under one name and in one amount came once.
		own += " " + l.At.UTC().Format(time.RFC3339Nano)
	}
	return own
}

// Names are all names that the rail, or we, have for the line.
func (l Line) Names() []string { return append([]string{l.ProviderRef, l.Own()}, l.Also...) }

// Teller tells what a rail holds for us. A rail that cannot be reached, or that answers in a way we do not understand,
// is fault.Unavailable: a statement is whole or it is none.
type Teller interface {
	Balance(ctx context.Context) (money.Kobo, error)
	// Statement answers every movement since a moment, in any order.
	Statement(ctx context.Context, since time.Time) ([]Line, error)
}
