package dispute

import (
	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/liquidation"
	"adashi.ng/ledger/event"
)

// HoldUpheld puts the payout on hold that a case was about which was decided for its member, until the group's
// approvers answer. It comes behind Resolve, which frees what the dispute held. It refuses where the bank has the
// payout already.
type HoldUpheld struct {
	DisputeID string
	Of        liquidation.Of
}

// Streams implements event.Command.
func (c HoldUpheld) Streams() []string {
	return []string{Stream(c.DisputeID), liquidation.Stream(c.Of.LiquidationID)}
}

// Accounts implements event.Command.
func (HoldUpheld) Accounts() []string { return nil }

// Decide implements event.Command.
func (c HoldUpheld) Decide(v event.View) ([]event.Draft, error) {
	d := event.StateOf[Dispute](v, Stream(c.DisputeID))
	l := event.StateOf[liquidation.Liquidation](v, liquidation.Stream(c.Of.LiquidationID))
	if d.Status != Upheld || d.Payout() != c.Of.LiquidationID || liquidation.About(c.Of.LiquidationID, l) != c.Of {
		return nil, errNone()
	}
	held := liquidation.HeldForCase(c.Of, l)
	if held == nil {
		return nil, fault.New(fault.Conflict, "This payment waits no more, or is on hold already. Please look again.")
	}
	return []event.Draft{event.On(liquidation.Stream(c.Of.LiquidationID), held)}, nil
}
