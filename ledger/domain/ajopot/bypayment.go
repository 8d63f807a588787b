package ajopot

import (
	"errors"
	"slices"
	"strings"
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// ByPayment confirms a payment and pays an ajo with its money in one step. Should the ajo refuse it by then, the
// payment stands, its money waits in the wallet, and an event says why.
type ByPayment struct {
	Confirm wallet.ConfirmPayment
	AjoID   string
	Amount  money.Kobo
	Pay     event.Command // A Pay or a PayDeposit.
}

// Streams implements event.Command.
func (c ByPayment) Streams() []string { return slices.Concat(c.Confirm.Streams(), c.Pay.Streams()) }

// Accounts implements event.Command.
func (c ByPayment) Accounts() []string { return slices.Concat(c.Confirm.Accounts(), c.Pay.Accounts()) }

// Decide implements event.Command.
func (c ByPayment) Decide(v event.View) ([]event.Draft, error) {
	confirmed, err := c.Confirm.Decide(v)
	if err != nil {
		return nil, err
	}
	paid, err := c.Paid(wallet.With(v, c.Confirm.User, c.Amount))
	if err != nil {
		return nil, err
	}
	return append(confirmed, paid...), nil
}

// Paid is what the payment comes to in the ajo, once its money is in the wallet.
func (c ByPayment) Paid(v event.View) ([]event.Draft, error) {
	paid, err := []event.Draft(nil), wallet.Disowned(v, c.Confirm.PaymentID)
	if err == nil {
		paid, err = c.Pay.Decide(v)
	}
	if errors.Is(err, errMadeReady) {
		return nil, err // Nothing is confirmed yet: it is told again.
	}
	if refusal := fault.As(err); refusal != nil {
		return []event.Draft{event.On(wallet.Stream(c.Confirm.PaymentID), &nairav1.AjoContributionRefused{ //nolint:nilerr // The refusal is recorded; the money stays in the wallet.
			PaymentId: c.Confirm.PaymentID, UserId: c.Confirm.User, AjoId: c.AjoID, AmountKobo: int64(c.Amount),
			Reason: strings.TrimSuffix(refusal.Message, " You have not been charged."),
		})}, nil
	}
	return paid, err
}

// Prospect is a payment to an ajo as it would be decided if its money were in the wallet already. It is for asking
// whether the ajo would take it.
type Prospect struct {
	event.Command
	User   string
	Amount money.Kobo
}

// DecidesAt implements event.Dated.
func (c Prospect) DecidesAt() time.Time { return event.DecidesAt(c.Command) }

// Decide implements event.Command.
func (c Prospect) Decide(v event.View) ([]event.Draft, error) {
	return c.Command.Decide(wallet.With(v, c.User, c.Amount))
}

// TakenBack reverses a payment that went to an ajo's pot, and what it paid there.
type TakenBack struct {
	Reversal wallet.ReversePayment
	Pot      Reverse
}

// Streams implements event.Command.
func (c TakenBack) Streams() []string { return slices.Concat(c.Reversal.Streams(), c.Pot.Streams()) }

// Accounts implements event.Command.
func (c TakenBack) Accounts() []string { return slices.Concat(c.Reversal.Accounts(), c.Pot.Accounts()) }

// Decide implements event.Command. A part that is taken back comes out of the payer's wallet first, and only what that
// lacks out of what the payment put in.
func (c TakenBack) Decide(v event.View) ([]event.Draft, error) {
	p := event.StateOf[wallet.Payment](v, wallet.Stream(c.Reversal.PaymentID))
	most := max(0, p.Amount-p.Returned)
	if c.Reversal.Gross != 0 && c.Reversal.Gross < p.Gross()-p.Returned {
		part, err := c.Reversal.Decide(v)
		if err != nil || wallet.Short(part) == 0 {
			return part, err
		}
		most = wallet.Short(part)
	}
	out, back := c.Pot.takes(v, most)
	reversed, err := c.Reversal.Decide(wallet.With(v, c.Reversal.User, back))
	if err != nil {
		return nil, err
	}
	if lacks := wallet.Short(reversed); lacks > 0 && wallet.Lent(reversed) == 0 { // An earlier build had them owe it in the ajo.
		reversed = append(reversed, c.Pot.owed(v, lacks)...)
	}
	return append(out, reversed...), nil
}
