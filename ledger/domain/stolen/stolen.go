// Package stolen decides which acts of a thief in groups and ajos are undone once the member's account is given back: a
// membership ends if nothing is saved in it, and seats are given up while the list is open. The member checks the rest,
// on which others may rely.
package stolen

import (
	"time"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/event"
)

// Last reports whether a moment is within the last theft. Acts of an earlier thief that stayed are the member's own by
// now.
func Last(a account.Account, at time.Time) bool {
	if len(a.Given) == 0 {
		return false
	}
	a.Given = a.Given[len(a.Given)-1:]
	return a.Stolen(at)
}

// Found records what the member should look at, in a group or an ajo.
type Found struct {
	User, RemedyID string
	Act            nairav1.StolenAct
	GroupID, AjoID string
	Settings       []nairav1.GroupSetting // That were changed.
}

// Streams implements event.Command.
func (c Found) Streams() []string { return []string{account.Stream(c.User)} }

// Accounts implements event.Command.
func (Found) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Found) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[account.Account](v, account.Stream(c.User))
	if _, is := a.GivenBack(); !is || a.Done.ID != c.RemedyID {
		return nil, fault.New(fault.Conflict, "This account was not given back.")
	}
	return []event.Draft{event.On(account.Stream(c.User), &nairav1.StolenActFound{
		UserId: c.User, RemedyId: c.RemedyID, Act: c.Act, GroupId: c.GroupID, AjoId: c.AjoID, Settings: c.Settings,
	})}, nil
}

// LeaveGroup ends a membership that a thief asked for. It refuses if money is saved in it, so that nobody gives away
// money of the member's wallet.
type LeaveGroup struct {
	dues.LeaveGroup
	RemedyID string
}

// Decide implements event.Command.
func (c LeaveGroup) Decide(v event.View) ([]event.Draft, error) {
	a := event.StateOf[account.Account](v, account.Stream(c.User))
	if !Last(a, event.StateOf[savings.Member](v, savings.MemberStream(c.GroupID, c.User)).Asked) {
		return nil, fault.New(fault.Conflict, "The member joined this group themselves.")
	}
	return with(v, c.LeaveGroup, Found{User: c.User, RemedyID: c.RemedyID, Act: nairav1.StolenAct_STOLEN_ACT_MEMBERSHIP_ENDED, GroupID: c.GroupID})
}

// LeaveAjo gives up the seats that a thief took in an ajo whose list is open.
type LeaveAjo struct {
	ajo.Leave // With Stolen.
	RemedyID  string
}

// Decide implements event.Command.
func (c LeaveAjo) Decide(v event.View) ([]event.Draft, error) {
	return with(v, c.Leave, Found{User: c.User, RemedyID: c.RemedyID, Act: nairav1.StolenAct_STOLEN_ACT_SEATS_GIVEN_UP, AjoID: c.AjoID})
}

// with returns the events of a command, and the event by which the member gets a notice of it.
func with(v event.View, c event.Command, found Found) ([]event.Draft, error) {
	out, err := c.Decide(v)
	if err != nil {
		return nil, err
	}
	told, err := found.Decide(v)
	return append(out, told...), err
}
