// Package ajoconsent decides what a member lets Adashi take from their wallet for an ajo by itself: dues on their day,
// and their debts out of what comes in.
//
//	none ──Set──▶ given ──Set──▶ none       or End: it was given while somebody else used the account
package ajoconsent

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
)

// Set records what a member lets Adashi take from their wallet by itself. A member who left takes back what they let
// it, and lets it nothing more.
type Set struct {
	AjoID, User string
	Dues, Sweep bool
}

// Streams implements event.Command.
func (c Set) Streams() []string {
	return []string{ajo.Stream(c.AjoID), ajo.BookStream(c.AjoID, c.User), account.Stream(c.User)}
}

// Accounts implements event.Command.
func (Set) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Set) Decide(v event.View) ([]event.Draft, error) {
	b := event.StateOf[ajopot.Book](v, ajo.BookStream(c.AjoID, c.User))
	if _, err := ajo.Read(v, c.AjoID, c.User); err != nil && (!b.Dues && !b.Sweep || c.Dues && !b.Dues || c.Sweep && !b.Sweep) {
		return nil, err
	}
	if ajopot.Agreed(v, c.AjoID, c.User, "due") == c.Dues && ajopot.Agreed(v, c.AjoID, c.User, "sweep") == c.Sweep {
		return nil, fault.New(fault.Conflict, "This is set so already.")
	}
	return []event.Draft{event.On(ajo.BookStream(c.AjoID, c.User), &nairav1.AjoConsentSet{AjoId: c.AjoID, UserId: c.User, Dues: c.Dues, Sweep: c.Sweep})}, nil
}

// End ends a consent that was given while somebody else used the account, once the account is given back. It counts no
// more from then on, ended or not: see ajopot.Agreed.
type End struct{ AjoID, User string }

// Streams implements event.Command.
func (c End) Streams() []string {
	return []string{ajo.BookStream(c.AjoID, c.User), account.Stream(c.User)}
}

// Accounts implements event.Command.
func (End) Accounts() []string { return nil }

// Decide implements event.Command.
func (c End) Decide(v event.View) ([]event.Draft, error) {
	b := event.StateOf[ajopot.Book](v, ajo.BookStream(c.AjoID, c.User))
	a := event.StateOf[account.Account](v, account.Stream(c.User))
	if !b.Dues && !b.Sweep || !a.Stolen(b.SetAt) {
		return nil, fault.New(fault.Conflict, "Nobody else gave this consent.")
	}
	return []event.Draft{event.On(ajo.BookStream(c.AjoID, c.User), &nairav1.AjoConsentEnded{AjoId: c.AjoID, UserId: c.User})}, nil
}
