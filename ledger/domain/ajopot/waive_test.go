package ajopot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger/base/fault"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajopot"
	"adashi.ng/ledger/event"
)

func TestACorrectionUndoesAPenaltyAndWhoGotItOwesItBack(t *testing.T) {
	t.Parallel()
	for _, meanwhile := range []string{"", "paid", "forgiven"} {
		l := five(t, nil).paid(1, 4, 5).over().out(1)
		require.EqualValues(t, share+400_00, l.owes(3))
		d := l.debts().All[0]
		switch meanwhile {
		case "paid":
			l.repay(3)
		case "forgiven":
			l.do(ajopot.Forgive{AjoID: ajoID, DebtID: d.ID, By: person(2)})
		}
		held := l.wallet(2)
		c := ajopot.WaivePenalty{AjoID: ajoID, DebtID: d.ID, User: person(3), DisputeID: "d", PlanID: "p"}
		another := c
		another.User = person(2)
		l.refuses(another, fault.NotFound, "There is no such debt")
		l.do(c)
		require.Equal(t, held, l.wallet(2), "nothing is taken from who got it")
		refund := l.debts().Open(person(2))
		switch meanwhile {
		case "":
			require.EqualValues(t, share, l.owes(3))
			require.Empty(t, refund)
		case "paid":
			require.Zero(t, l.owes(3))
			require.Len(t, refund, 1)
			require.EqualValues(t, 400_00, refund[0].Left())
			require.Equal(t, nairav1.AjoDebtKind_AJO_DEBT_KIND_REFUND, refund[0].Kind)
		case "forgiven":
			require.Empty(t, refund, "nobody refunds what nobody paid")
		}
		l.refuses(c, fault.Conflict, "No penalty stands for this debt")
	}
}

func TestAFrozenAccountForgivesNoDebt(t *testing.T) {
	t.Parallel()
	l := five(t, nil).paid(1, 4, 5).over()
	d := l.debts().All[0]
	require.Equal(t, person(2), d.Creditor)
	l.do(account.Freeze{User: person(2), HoldID: "h", Now: l.now})
	l.refuses(ajopot.Forgive{AjoID: ajoID, DebtID: d.ID, By: person(2)}, fault.Conflict, "Your money is frozen")
}

func TestAPotDoesNotWaitForAnApproverWhoClosedTheirAccount(t *testing.T) {
	t.Parallel()
	l := small(t, 3)
	l.paying()
	l.over()
	collects := l.ajo().Seats[l.ajo().Order[0]-1].Places[0].User
	var others []int
	for n := 1; n <= 3; n++ {
		if person(n) != collects {
			others = append(others, n)
		}
	}
	require.Equal(t, person(others[0]), l.ajo().Owner)
	l.And(event.On(account.Stream(person(others[1])), &nairav1.AccountClosed{UserId: person(others[1])}))
	l.do(ajopot.RequestPayout(ajoID, 1, collects, nairav1.AjoDestination_AJO_DESTINATION_WALLET, l.split(1).Of(collects), l.people()))
	l.do(l.approve(1, others[0]))
	require.True(t, l.cycle(1).PaidOut)
}
