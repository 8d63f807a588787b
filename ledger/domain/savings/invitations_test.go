package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

// The link is in the invitation's letter.
func TestAnInvitationThatLapsedLetsNobodyInByTheLink(t *testing.T) {
	t.Parallel()
	at := func(now time.Time) savings.Status {
		w := Given(t, roomy, invites("ada", "gozie"), savings.JoinGroup{GroupID: "g", User: "gozie", Now: now})
		return member(w, "gozie").Status
	}
	lapses := Epoch.Add(savings.InvitationFor)
	require.Equal(t, savings.Active, at(lapses.Add(-time.Second)))
	require.Equal(t, savings.Pending, at(lapses), "they wait for an approver, as everybody does who follows the link")
	require.Equal(t, savings.Pending, at(time.Time{}))
	late := accepts("gozie")
	late.Now = lapses
	refused(t, Given(t, roomy, invites("ada", "gozie")), late, fault.Conflict, "This invitation lapsed on")
}

func TestAnInvitationOfOneWhoGotTheirOfficeBackOnlyPutsOnTheList(t *testing.T) {
	t.Parallel()
	later := Epoch.Add(time.Hour)
	w := Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), invites("femi", "dayo"), later, dismisses("ada", "femi"), empowers("ada", "femi"), accepts("dayo"))
	require.Equal(t, savings.Pending, member(w, "dayo").Status)
}
