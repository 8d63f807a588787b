package savings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/wallet"
	"adashi.ng/ledger/event"
	. "adashi.ng/ledger/ledgertest"
)

// bisi pays November, leaves and is let in again, and owes November again.
func TestAWaiverOfAnEarlierMembershipLetsNothingOff(t *testing.T) {
	t.Parallel()
	at := on(time.November, 20)
	out := leaves("bisi")
	out.Forfeit, out.Now = true, at
	w := Given(t, roomy, opens(fixed, monthly), verifies("femi"), funded("bisi", 50_000_00), at, asks("ada", "bisi", "2026-11-01", at), pays("bisi", due, 0, at),
		at.Add(time.Hour), out, joins("bisi"), at.Add(2*time.Hour), approves("ada", "bisi"))
	refused(t, w, decides("femi", true, at.Add(3*time.Hour)), fault.Conflict, "has left the group and come back since this was asked for")
	require.Equal(t, due, duesOf(w, "bisi").Open(savings.Day(at)))
	w.And(decides("femi", false, at.Add(3*time.Hour)))
}

// Asking for a waiver is the first word of two.
func TestAWaiverOfAnApproverWhoLostTheirOfficeLetsNothingOff(t *testing.T) {
	t.Parallel()
	at := on(time.November, 20)
	asked := func() *World {
		return Given(t, roomy, admits("gozie"), empowers("ada", "gozie"), opens(fixed, monthly), verifies("femi"), verifies("gozie"), at, asks("gozie", "bisi", "2026-11-01", at))
	}
	w := asked().And(at.Add(time.Hour), dismisses("ada", "gozie"))
	refused(t, w, decides("femi", true, at), fault.Conflict, "Who asked for this has lost their office since")
	w.And(empowers("ada", "gozie"))
	refused(t, w, decides("femi", true, at), fault.Conflict, "Who asked for this has lost their office since")
	w.And(decides("femi", false, at))
	asked().And(decides("femi", true, at))
}

func TestMoneyInTimeThatIsToldOfDuringASuspensionIsInTime(t *testing.T) {
	t.Parallel()
	suspended, inTime := on(time.December, 6), on(time.December, 4)
	w := strict(t).And(suspended, savings.SuspendGroup("g", "admin", "We look at it"))
	refused(t, w, pays("bisi", due, 0, suspended), fault.Conflict, "The group is suspended")
	w.And(pays("bisi", due, 0, inTime), on(time.December, 8), savings.ResumeGroup("g", "admin", "All is well"))
	refused(t, w, penalises("bisi", on(time.December, 20)), fault.Conflict, "Nothing is late")
	require.Equal(t, due, duesOf(w, "bisi").Owed(0))

	closing := strict(t).And(pays("chidi", due, 0, Epoch), suspended, ends)
	refused(t, closing, pays("bisi", due, 0, suspended), fault.Conflict, "closing")
	closing.And(pays("bisi", due, 0, suspended.Add(-time.Second)))
	founding := Given(t, found, opens(flexible, monthly), funded("ada", due))
	refused(t, founding, pays("ada", due, 0, Epoch.AddDate(0, 0, -1)), fault.Conflict, "not active yet")
}

func TestWhoLeftBeforeTheirMoneyCameIsToldWhyItWaits(t *testing.T) {
	t.Parallel()
	w := Given(t, roomy, opens(flexible, monthly), admits("gozie"),
		wallet.StartPayment{PaymentID: "p", User: "gozie", Channel: transfer, Provider: event.Vfd, Amount: due, ExpiresAt: Epoch.AddDate(0, 0, 1), For: &nairav1.ContributionPurpose{GroupId: "g", SubAccountId: "s"}},
		leaves("gozie"))
	decided := w.When(dues.ContributeByPayment{
		Confirm:    wallet.ConfirmPayment{PaymentID: "p", User: "gozie", Provider: event.Vfd, Gross: due, ProviderRef: "s", PaidAt: Epoch},
		Contribute: dues.Contribute{GroupID: "g", SubAccountID: "s", User: "gozie", Amount: due, Channel: transfer, PaymentID: "p", At: Epoch},
	}).Decided
	require.Equal(t, "You are no longer a member of the group.", decided[len(decided)-1].Message.(*nairav1.ContributionRefused).GetReason())
	require.Equal(t, due, w.Balance("wallet:gozie"))
}

// An approver opens a levy of millions, and nobody could leave any more.
func TestALevyThatNobodyAgreedToHoldsNobodyBack(t *testing.T) {
	t.Parallel()
	levy := changed(opens(oneOff, oneTime), func(c *savings.OpenSubAccount) { c.Amount = 10_000_000_00 })
	later := Epoch.Add(time.Hour)
	w := Given(t, roomy, later, levy)
	require.Positive(t, duesOf(w, "bisi").Open(savings.Day(Epoch)), "they are asked for it")
	w.And(leaves("bisi"))
	require.Equal(t, savings.None, member(w, "bisi").Status)

	refused(t, Given(t, roomy, later, levy, later.Add(time.Hour), admits("dayo")), leaves("dayo"), fault.Conflict, "You owe") // They knew of it.
	refused(t, Given(t, roomy, later, opens(fixed, monthly)), leaves("bisi"), fault.Conflict, "You owe ₦5,000.00.")
}
