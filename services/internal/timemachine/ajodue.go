package timemachine

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
)

// payAjoDue is a payment that the lab adds to the past: a member of an ajo pays a due from their wallet. While the
// cycle is open it pays the due; once the pot is ready it pays the debts that came of the due.
type payAjoDue struct {
	AjoID       string
	Cycle, Seat int
	User        string
	Amount      money.Kobo
	At          time.Time
}

// Streams implements event.Command.
func (c payAjoDue) Streams() []string {
	return []string{ajo.Stream(c.AjoID), ajo.DebtStream(c.AjoID), ajopot.CycleStream(c.AjoID, c.Cycle)}
}

// Accounts implements event.Command.
func (payAjoDue) Accounts() []string { return nil }

// Decide implements event.Command.
func (c payAjoDue) Decide(v event.View) ([]event.Draft, error) {
	if _, ready := event.StateOf[ajo.Ajo](v, ajo.Stream(c.AjoID)).ReadyOf(c.Cycle); ready {
		return c.debts(v)
	}
	return ajopot.Pay{
		AjoID: c.AjoID, Cycle: c.Cycle, Seat: c.Seat, User: c.User, By: c.User, Amount: c.Amount, Channel: nairav1.Channel_CHANNEL_WALLET, At: c.At,
	}.Decide(v)
}

// debts pays what became of the due, the oldest debt first.
func (c payAjoDue) debts(v event.View) (out []event.Draft, err error) {
	left := c.Amount
	for _, d := range event.StateOf[ajopot.Debts](v, ajo.DebtStream(c.AjoID)).Open(c.User) {
		part := min(d.Left(), left)
		if d.Cycle != c.Cycle || d.Seat != c.Seat || part <= 0 {
			continue
		}
		drafts, err := ajopot.PayDebt{AjoID: c.AjoID, DebtID: d.ID, By: c.User, Creditor: d.Creditor, Amount: part, Key: "lab." + d.ID}.Decide(v)
		if err != nil {
			return nil, err
		}
		out, left = append(out, drafts...), left-part
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Conflict, "Nothing was owed of cycle %d by seat %d then.", c.Cycle, c.Seat)
	}
	return out, nil
}
