package dues

import (
	"slices"
	"strings"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
)

// ContributeByPayment confirms a payment and contributes its money in one step. Should the group refuse the
// contribution by then, the payment stands, its money waits in the wallet, and an event says why.
type ContributeByPayment struct {
	Confirm    wallet.ConfirmPayment
	Contribute Contribute
}

// Streams implements event.Command.
func (c ContributeByPayment) Streams() []string {
	return slices.Concat(c.Confirm.Streams(), c.Contribute.Streams())
}

// Accounts implements event.Command.
func (c ContributeByPayment) Accounts() []string {
	return slices.Concat(c.Confirm.Accounts(), c.Contribute.Accounts())
}

// Decide implements event.Command.
func (c ContributeByPayment) Decide(v event.View) ([]event.Draft, error) {
	confirmed, err := c.Confirm.Decide(v)
	if err != nil {
		return nil, err
	}
	contributed, err := c.Paid(wallet.With(v, c.Contribute.User, c.Contribute.Amount))
	return append(confirmed, contributed...), err
}

// Paid is what a payment comes to in the group once it is confirmed.
func (c ContributeByPayment) Paid(v event.View) ([]event.Draft, error) {
	contributed, err := []event.Draft(nil), wallet.Disowned(v, c.Confirm.PaymentID)
	if err == nil {
		contributed, err = c.Contribute.Decide(v)
	}
	if refusal := fault.As(err); refusal != nil {
		return []event.Draft{event.On(wallet.Stream(c.Confirm.PaymentID), &nairav1.ContributionRefused{ //nolint:nilerr // The refusal is recorded; the money stays in the wallet.
			PaymentId: c.Confirm.PaymentID, UserId: c.Contribute.User, GroupId: c.Contribute.GroupID, SubAccountId: c.Contribute.SubAccountID,
			AmountKobo: int64(c.Contribute.Amount), Reason: strings.TrimSuffix(refusal.Message, " You have not been charged."),
		})}, nil
	}
	return contributed, err
}

// Prospect is a contribution as it would be decided if its money were in the wallet already. It is for asking, before
// a payment is started, whether the group would take it.
type Prospect struct{ Contribute }

// Decide implements event.Command.
func (c Prospect) Decide(v event.View) ([]event.Draft, error) {
	return c.Contribute.Decide(wallet.With(v, c.User, c.Amount))
}
