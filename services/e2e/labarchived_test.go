package e2e

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/base/lagos"
	"adashi.ng/ledger/base/money"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/savings"
	"adashi.ng/ledger/infra/history"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
)

// What was before the group is archived, its owner's verified BVN among it. A lab says so, and the hourly check is
// silent.
func TestALabDoesNotTakeAnArchivedAccountForAnEmptyOne(t *testing.T) {
	t.Parallel()
	i, ctx := own(t), context.Background()
	_, err := i.Pool.Exec(ctx, "SELECT ledger_extend(1, 40)")
	require.NoError(t, err)
	ada, bisi, vera, tola := somebody(t, i, "Ada"), somebody(t, i, "Bisi"), somebody(t, i, "Vera"), somebody(t, i, "Tola")
	ada.known()
	bisi.funded(20_000)
	for head := int64(0); head <= 40; {
		longAgo(t, i, time.Now(), account.Act{Staff: tola.id, Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: uuid.NewString(), Case: "Something else"})
		_, head, err = history.Head(ctx, i.Pool)
		require.NoError(t, err)
	}
	require.Eventually(t, func() (ran bool) {
		const done = "SELECT EXISTS (SELECT FROM river_job WHERE args->>'name' = 'decide history again' AND state = 'completed')"
		return assert.NoError(t, i.Pool.QueryRow(ctx, done).Scan(&ran)) && ran
	}, time.Minute, 20*time.Millisecond)
	group, sub, now := uuid.NewString(), uuid.NewString(), time.Now()
	longAgo(t, i, now, savings.CreateGroup{GroupID: group, Owner: ada.id, Name: "Balogun Traders", Amount: 5000 * money.Naira, Capacity: 10, StartMonth: int(now.In(lagos.Zone).Month()), Now: now})
	longAgo(t, i, now, ledgertest.Activated(group, ada.id, vera.id, tola.id)[1:]...) // Her BVN is verified.
	longAgo(t, i, now, savings.JoinGroup{GroupID: group, User: bisi.id}, savings.ApproveMember{GroupID: group, User: bisi.id, By: ada.id},
		savings.OpenSubAccount{
			GroupID: group, SubAccountID: sub, By: ada.id, Name: "Dues", Type: nairav1.PaymentType_PAYMENT_TYPE_ONE_OFF, Frequency: nairav1.PaymentFrequency_PAYMENT_FREQUENCY_ONE_TIME, Amount: 500 * money.Naira, FirstDay: savings.Day(now), Now: now,
		})
	require.Eventually(t, func() bool { return bisi.pays(sub, 500).status == 200 }, time.Minute, 50*time.Millisecond)
	sade, at := caseOf(t, i, bisi, object{"kind": "WRONG_MONTH", "words": "It went to the wrong month.", "groupId": group, "subAccountId": sub})
	lab := func() reply { return sade.ask("POST", at+"/labs", object{"subject": "GROUP", "edits": []object{}}) }
	r := lab()
	require.Equal(t, 200, r.status, r.Message)
	require.Empty(t, r.object(t)["lines"], "healthy, with all of the ledger here")
	require.NoError(t, i.App.TimeMachine.DecideAgain(ctx))
	_, err = i.Pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	require.NoError(t, store.Detach(ctx, i.Pool, ledger.Aggregates(), "events_000001", nil))
	r = lab()
	require.Equal(t, 409, r.status)
	require.Contains(t, r.Message, "are archived. Ask an operator to attach their archive")
	require.NoError(t, i.App.TimeMachine.DecideAgain(ctx), "healthy, with what was before the group archived")
}
