package account

import (
	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/event"
)

// Conduct is the state of what one member of staff has done.
type Conduct struct{ Acts int }

// Staff folds the stream of what a member of staff has done.
var Staff = event.Of("staff", 1, func(c Conduct, e event.Happened) Conduct {
	if _, ok := e.Message.(*nairav1.StaffActed); ok {
		c.Acts++
	}
	return c
})

// StaffStream is the stream of what a member of staff has done.
func StaffStream(staffID string) string { return "staff:" + staffID }

// Act records that staff looked at, or changed, a member's data. It is recorded before the data is shown.
type Act struct {
	Staff   string
	Action  nairav1.StaffAction
	Subject string // The member, group or document.
	Case    string // What it is done for.
}

// Streams implements event.Command.
func (c Act) Streams() []string { return []string{StaffStream(c.Staff)} }

// Accounts implements event.Command.
func (Act) Accounts() []string { return nil }

// Decide implements event.Command.
func (c Act) Decide(event.View) ([]event.Draft, error) {
	switch {
	case c.Action == nairav1.StaffAction_STAFF_ACTION_UNSPECIFIED || c.Subject == "":
		return nil, fault.Field("action", "Say what is to be done, and about what.")
	case c.Case == "":
		return nil, fault.Field("case", "Give the case that this is for.")
	}
	return []event.Draft{{Stream: StaffStream(c.Staff), Message: &nairav1.StaffActed{
		StaffId: c.Staff, Action: c.Action, Subject: c.Subject, CaseId: c.Case,
	}}}, nil
}
