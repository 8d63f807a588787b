package standingorder_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/domain/standingorder"
	. "adashi.ng/ledger/ledgertest"
	"adashi.ng/ledger/posting"
)

const gbemi = "gbemi"

var (
	gbemiJoins = []any{savings.JoinGroup{GroupID: "g", User: gbemi}, savings.ApproveMember{GroupID: "g", User: gbemi, By: ada}}
	rests      = savings.DeactivateMember{GroupID: "g", User: gbemi, By: ada, Reason: "She travels."}
	hers       = changed(order, func(c *standingorder.Set) { c.User = gbemi })
)

func runsHers(d, now string) standingorder.Run {
	try := run(d, now)
	try.Contribute.User = gbemi
	return try
}

func TestAnInactiveMembersOrderMissesItsDaysAndGoesOn(t *testing.T) {
	t.Parallel()
	w := Given(t, collecting, gbemiJoins, funded(gbemi, 5_000_00), hers, rests)
	w.When(runsHers("2026-12-31", "2026-12-31")).Then(&nairav1.StandingOrderMissed{
		OrderId: "o", UserId: gbemi, Day: "2026-12-31", NextDay: "2027-01-31", AmountKobo: 1_000_00, GroupId: "g", SubAccountId: "flexible",
		Reason: "You are inactive in this group, so you cannot pay. Ask an approver to let you back in.",
	})
	require.Equal(t, standingorder.Active, state(w).Status)
	w.And(savings.ApproveMember{GroupID: "g", User: gbemi, By: ada}, runsHers("2027-01-31", "2027-01-31"))
	require.EqualValues(t, 1_000_00, w.Balance(posting.Pool("flexible")))
}

// A member who left and was let in again before the next day agreed to nothing as the member that they are now.
func TestAnOrderOfAMembershipThatEndedPaysNothingIntoTheNext(t *testing.T) {
	t.Parallel()
	pays := []any{}
	for _, sub := range []string{"fixed", "once"} {
		pays = append(pays, dues.Contribute{GroupID: "g", SubAccountID: sub, User: gbemi, Amount: 5_000_00, Channel: nairav1.Channel_CHANNEL_WALLET, At: Epoch})
	}
	leave := dues.LeaveGroup{GroupID: "g", User: gbemi, Forfeit: true, SubAccounts: []string{"flexible", "fixed", "once"}, Now: Epoch}
	w := Given(t, collecting, gbemiJoins, funded(gbemi, 15_000_00), hers, pays, leave, gbemiJoins)
	w.When(runsHers("2026-12-31", "2026-12-31")).Then(&nairav1.StandingOrderEnded{OrderId: "o", UserId: gbemi, Reason: standingorder.NotAMember})
	require.Zero(t, w.Balance(posting.Pool("flexible")))
	anew := hers
	anew.OrderID = "p"
	again := runsHers("2026-12-31", "2026-12-31")
	again.OrderID = "p"
	w.And(Epoch.AddDate(0, 0, 1), anew, again)
	require.EqualValues(t, 1_000_00, w.Balance(posting.Pool("flexible")))
}

func TestAnInactiveMemberIsNotToldThatTheyWaitToBeApproved(t *testing.T) {
	t.Parallel()
	refusal := Given(t, collecting, gbemiJoins, rests).When(hers).ThenFault(fault.Conflict)
	require.Equal(t, "You are inactive in this group, so you cannot set a standing order. Ask an approver to let you back in.", refusal.Message)
}
