package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"adashi.ng/ledger/domain/savings"
)

func TestADailySubAccountOwesFromTheDayItIsOpened(t *testing.T) {
	t.Parallel()
	c := settled(t, product(t)) // Its people have been members for three days.
	for _, rhythm := range []string{"DAILY", "WEEKLY", "BIWEEKLY", "MONTHLY"} {
		sub := must[object](c.owner, "POST", "/api/GroupSavings/CreateSubAccount", object{
			"groupSavingsId": c.group, "name": "Thrift " + rhythm, "paymentType": "FIXED", "paymentFrequency": rhythm, "amountPayable": 500,
			"penaltyType": "FLAT", "penaltyAmount": 50, "userId": c.owner.id,
		})["id"].(string)
		at := "/api/GroupSavings/sub-account/" + sub + "/" + c.member.id
		require.Eventually(t, func() bool { return c.member.ask("GET", at, nil).status == 200 }, time.Minute, 10*time.Millisecond)
		require.NoError(t, shared.App.Dues.ApplyPenalties(context.Background()))
		view := must[object](c.member, "GET", at, nil)
		owed := []object{}
		for _, due := range view["dues"].([]any) {
			if due := due.(object); due["status"] != "SCHEDULED" {
				owed = append(owed, due)
			}
		}
		require.Len(t, owed, 1, "%s: %v", rhythm, owed)
		require.Equal(t, "DUE", owed[0]["status"], rhythm)
		require.GreaterOrEqual(t, owed[0]["dueDate"], savings.Day(time.Now()).Format(time.DateOnly), rhythm)
		require.Zero(t, eventsOf(t, shared.Pool, sub, "PenaltyApplied"))
	}
	r := c.owner.ask("POST", "/api/GroupSavings/CreateSubAccount", object{
		"groupSavingsId": c.group, "name": "Thrift", "paymentType": "FIXED", "paymentFrequency": "DAILY", "amountPayable": 500, "userId": c.owner.id, "firstDay": "2020-01-01",
	})
	require.Equal(t, 400, r.status)
	require.Contains(t, r.Message, "first day from today")
}

func TestAnInactiveMemberSeesTheirMoneyAndAsksForIt(t *testing.T) {
	t.Parallel()
	c := newChest(t, product(t))
	c.owner.acts("PATCH", "/api/GroupSavings/DeactivateGroupMember", object{"groupId": c.group, "memberId": c.member.id, "reason": "Travels"})
	require.Eventually(t, func() bool {
		return must[object](c.member, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)["memberStatus"] == "INACTIVE"
	}, time.Minute, 20*time.Millisecond)
	info := must[object](c.member, "GET", "/api/GroupSavings/GetGroupSavingsInfo/"+c.group, nil)
	require.Equal(t, []any{40_000.0, true}, []any{info["userTotalSavings"], info["totalHidden"]})
	subs := must[object](c.member, "GET", "/api/GroupSavings/GetGroupSubAccounts/"+c.group, nil)["SubAccounts"].([]any)
	found := false
	for _, sub := range subs {
		sub := sub.(object)
		require.NotContains(t, sub, "balance", "their own money alone")
		for _, payment := range sub["memberPayments"].([]any) {
			require.Equal(t, c.member.id, payment.(object)["userId"])
		}
		if sub["id"] == c.sub {
			found = true
			require.Equal(t, 40_000.0, sub["mySavings"])
		}
	}
	require.True(t, found)
	id := c.member.ask("POST", asksFor, c.savings(c.member, 40_000)).id(t)
	c.approved(id)
	c.becomes(id, "PAID")
	c.member.saves(0)
}
