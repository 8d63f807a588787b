package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/savings"
	. "adashi.ng/ledger/ledgertest"
)

var ends = savings.CloseGroup{GroupID: "g", By: "ada", Reason: "It is done", SubAccounts: []string{"s"}}

// An owner who hears of an inquiry closes the group at once.
func TestAGroupThatIsClosingCanBeSuspendedAndGoesOnClosing(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(fixed, monthly), funded("bisi", due), funded("femi", due), pays("bisi", due, 0, Epoch), ends)
	require.True(t, group(w).PaysOut())
	w.And(Epoch.AddDate(0, 0, 3), savings.SuspendGroup("g", "admin", "The money is disputed"))
	require.False(t, group(w).PaysOut())
	refused(t, w, ends, fault.Conflict, "The group is suspended")
	later := Epoch.AddDate(0, 3, 0)
	w.And(later).When(savings.ResumeGroup("g", "admin", "All is well")).Then(
		&nairav1.GroupResumed{GroupId: "g", By: "admin", Reason: "All is well"}, &nairav1.GroupClosing{GroupId: "g", By: "admin", Reason: "All is well"})
	require.Equal(t, savings.Closing, group(w).Status)
	w.When(pays("femi", due, 0, later)).ThenFault(fault.Conflict)
	require.Zero(t, duesOf(w, "femi").Shut(group(w).Shut).Open(savings.Day(later)), "nothing fell due since it began to close")
	refused(t, w, savings.ResumeGroup("g", "admin", "All is well"), fault.Conflict, "Only a suspended one")
}

func TestNobodyOfTheDeskDecidesAboutAGroupThatTheyAreOrWereIn(t *testing.T) {
	t.Parallel()
	why := "All is well"
	w := Given(t, roomy, admits("gozie"), savings.SuspendGroup("g", "admin", "The money is disputed"))
	for _, by := range []string{"ada", "bisi", "gozie"} {
		refused(t, w, savings.ResumeGroup("g", by, why), fault.Forbidden, "You are, or were, in this group.")
	}
	w.And(leaves("gozie"))
	refused(t, w, savings.ResumeGroup("g", "gozie", why), fault.Forbidden, "You are, or were, in this group.")
	require.False(t, group(w).PaysOut())
	w.And(savings.ResumeGroup("g", "admin", why), invites("ada", "admin"), savings.SuspendGroup("g", "admin", "Who is invited was not asked"))
	waits := Given(t, found)
	refused(t, waits, savings.RejectGroup("g", "ada", why), fault.Forbidden, "You are, or were, in this group.")
}

// "Leaving takes that nothing is owed", and a closing group takes no contributions.
func TestNothingFallsDueInAGroupThatIsClosing(t *testing.T) {
	t.Parallel()
	november := on(time.November, 20)
	w := Given(t, roomy, opens(fixed, monthly), funded("bisi", 50_000_00), november, pays("bisi", due, 0, november), on(time.November, 25), ends)
	out := leaves("bisi")
	out.Forfeit, out.Now = true, on(time.January, 3)
	w.And(out.Now)
	w.When(pays("bisi", 2*due, 0, out.Now)).ThenFault(fault.Conflict)
	w.And(out)

	owed := func(closes time.Time, kind nairav1.PaymentType, rhythm nairav1.PaymentFrequency) any {
		w := Given(t, roomy, opens(kind, rhythm), funded("femi", due), pays("femi", 1_00, 0, Epoch), closes, ends)
		return duesOf(w, "bisi").Shut(group(w).Shut).Open(savings.Day(closes.AddDate(0, 6, 0)))
	}
	require.Equal(t, due, owed(on(time.December, 31), fixed, monthly), "November fell due before; December falls due on that day")
	require.Equal(t, 2*due, owed(on(time.January, 1), fixed, monthly))
	require.Zero(t, owed(on(time.November, 30), oneOff, oneTime))
	require.Equal(t, due, owed(on(time.December, 1), oneOff, oneTime))
}

// What a bank had while the group was closing already is not taken in because Adashi suspended and resumed it since.
func TestAResumedClosingGroupTakesNothingThatCameWhileItClosed(t *testing.T) {
	t.Parallel()
	during := on(time.January, 3)
	w := Given(t, roomy, opens(fixed, monthly), funded("bisi", due), funded("femi", due), pays("bisi", due, 0, Epoch), on(time.January, 1), ends)
	w.And(on(time.January, 5))
	w.When(pays("femi", due, 0, during)).ThenFault(fault.Conflict) // The group is closing and takes no more contributions.
	w.And(savings.SuspendGroup("g", "admin", "The money is disputed"), on(time.January, 10), savings.ResumeGroup("g", "admin", "All is well"))
	w.When(pays("femi", due, 0, during)).ThenFault(fault.Conflict)
}
