package wallet

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/posting"
)

// TakeBackArrival says that the gateway took back money that fits no payment, or a part of it. It leaves suspense or,
// once two of us have given it to a member, their wallet: they owe what that no longer has. Adashi bears what goes back
// beyond the money, such as the fee that the gateway keeps.
type TakeBackArrival struct {
	ProviderRef string // The bank's name of the money.
	Provider    event.Provider
	User        string     // Whose wallet has it; empty while it lies in suspense.
	Gross       money.Kobo // What went back.
	BackRef     string     // The gateway's name of what it took back.
	Reason      string
}

// Streams implements event.Command.
func (c TakeBackArrival) Streams() []string {
	if c.User == "" {
		return names(c.Provider, c.ProviderRef)
	}
	return append(names(c.Provider, c.ProviderRef), DebtStream(c.User))
}

// Accounts implements event.Command.
func (c TakeBackArrival) Accounts() []string {
	accounts := []string{posting.Bank(c.Provider), posting.Unmatched, posting.Losses}
	if c.User == "" {
		return accounts
	}
	return append(accounts, posting.Wallet(c.User), posting.Owed(c.User))
}

// OnlyTakes implements incoming.OnlyTakes.
func (TakeBackArrival) OnlyTakes() bool { return true }

// Decide implements event.Command.
func (c TakeBackArrival) Decide(v event.View) ([]event.Draft, error) {
	stream, a := ArrivalAt(v.State, c.Provider, c.ProviderRef)
	amount, has := min(c.Gross, a.Amount), ""
	if a.Status == ArrivalAssigned {
		has = a.For
	}
	switch {
	case !a.ReturnsAlone():
		return nil, fault.New(fault.Conflict, "This money is in no account that it could be taken back from.")
	case c.Gross <= 0 || c.Gross > money.Max:
		return nil, fault.New(fault.Conflict, "The gateway names %s to take back.", c.Gross)
	case has != c.User:
		return nil, fault.New(fault.Unavailable, "Somebody decided just now whose this money is. Please try again.")
	case has == "":
		return []event.Draft{{Stream: stream, Message: &nairav1.UnmatchedTakenBack{
			ProviderRef: c.ProviderRef, Provider: string(c.Provider), AmountKobo: int64(amount), LeftKobo: int64(a.Amount - amount), LostKobo: int64(c.Gross - amount),
			BackRef: c.BackRef, Reason: c.Reason,
		}}}, nil
	}
	var drafts []event.Draft
	if short := amount - max(0, v.Balance(posting.Wallet(c.User))); short > 0 {
		drafts = append(drafts, lend(c.User, c.ProviderRef, short))
	}
	return append(drafts, event.Draft{Stream: stream, Message: &nairav1.AssignedTakenBack{
		ProviderRef: c.ProviderRef, Provider: string(c.Provider), UserId: c.User, Channel: a.Channel, AmountKobo: int64(amount), LostKobo: int64(c.Gross - amount),
		BackRef: c.BackRef, Reason: c.Reason,
	}}), nil
}

// ReturnsAlone reports whether money that a gateway takes back is taken back as this arrival, and not as a payment's.
func (a Arrival) ReturnsAlone() bool {
	return a.parked() || a.Status == ArrivalAssigned || a.Status == ArrivalReturned
}
