package dispute

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/event"
)

// Look records that one of Support looks at something of a case, before it is shown: at what was said in it, at a file
// of it, or at what the ledger holds of its member, its group or its ajo. No party looks at anything of it.
type Look struct {
	Case
	Action  nairav1.StaffAction
	Subject string // The member, the group, the ajo or the file.
	InHand  bool   // It is shown only to the person who has the case, while it is open.
	Reason  string // Why somebody else than its member is looked at, whom an event of the case names; empty for its own.
}

// Streams implements event.Command.
func (c Look) Streams() []string { return append(c.streams(), c.act().Streams()...) }

// Accounts implements event.Command.
func (Look) Accounts() []string { return nil }

func (c Look) act() account.Act {
	number := Number(c.DisputeID)
	if c.Reason != "" {
		number += ": " + c.Reason
	}
	return account.Act{Staff: c.Staff, Action: c.Action, Subject: c.Subject, Case: number}
}

// Decide implements event.Command.
func (c Look) Decide(v event.View) ([]event.Draft, error) {
	d, err := c.known(v)
	switch {
	case err != nil:
		return nil, err
	case c.InHand && (d.Waits() || d.Staff != c.Staff):
		return nil, fault.New(fault.Forbidden, "Take the case first: what members do is shown to whoever has an open case about it.")
	case c.InHand && !d.IsOpen():
		return nil, fault.New(fault.Forbidden, "This case is over, so nothing more is shown of it.")
	case c.Reason == "" && !c.names(d):
		return nil, fault.New(fault.NotFound, "This case is about no such thing.")
	}
	return c.act().Decide(v)
}

// names reports whether the case is about what is looked at.
func (c Look) names(d Dispute) bool {
	switch c.Action {
	case nairav1.StaffAction_STAFF_ACTION_READ_GROUP:
		return c.Subject != "" && (c.Subject == d.Group || c.Subject == d.Ajo)
	case nairav1.StaffAction_STAFF_ACTION_READ_DOCUMENT:
		return true // The caller holds that it is a file of the case.
	default:
		return c.Subject == d.User
	}
}
