package disputes_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	nairav1 "adashi.ng/proto/gen/naira/v1"

	"adashi.ng/ledger"
	"adashi.ng/ledger/domain/account"
	"adashi.ng/ledger/domain/ajo"
	"adashi.ng/ledger/domain/correction"
	"adashi.ng/ledger/domain/dues"
	"adashi.ng/ledger/event"
	"adashi.ng/ledger/infra/audit"
	"adashi.ng/ledger/infra/store"
	"adashi.ng/ledger/ledgertest"
	"adashi.ng/services/internal/disputes"
)

// The correction is applied in the command that adjusts, so both are archived or neither is.
func TestAnAdjustmentOfNoCorrectionIsFoundAlsoOnceSomethingIsArchived(t *testing.T) {
	t.Parallel()
	ctx, pool := context.Background(), ledgertest.Pool(t)
	require.NoError(t, store.Migrate(ctx, pool))
	_, err := pool.Exec(ctx, "SELECT ledger_extend(1, 10)")
	require.NoError(t, err)
	book := store.Open(store.Postgres(pool, 0), ledger.Aggregates(), store.Options{})
	t.Cleanup(book.Close)
	given := func(c event.Command) {
		_, err := book.Append(ctx, store.Command{ID: uuid.New(), Actor: "system", Command: c})
		require.NoError(t, err)
	}
	found := func() int64 {
		c := &audit.Check{}
		require.NoError(t, disputes.Check(pool).Run(ctx, c))
		return c.Violations
	}
	adjusts := func(plan string) accounted {
		return accounted{plant(correction.Stream("d"), &nairav1.AdjustmentPosted{DisputeId: "d", PlanId: plan, UserId: "u", AmountKobo: int64(correction.AdjustmentMost)})}
	}
	for range 12 {
		given(account.Act{Staff: "sade", Action: nairav1.StaffAction_STAFF_ACTION_READ_ACCOUNT, Subject: "u", Case: "Something else"})
	}
	given(adjusts("never proposed"))
	require.EqualValues(t, 1, found(), "with all of the ledger here")
	_, err = pool.Exec(ctx, "SELECT ledger_settle()")
	require.NoError(t, err)
	require.NoError(t, store.Detach(ctx, pool, ledger.Aggregates(), "events_000001", nil))
	assert.EqualValues(t, 1, found(), "the same, with ten old events archived")
	given(adjusts("never proposed either"))
	given(plant(dues.Stream("s", "u"), &nairav1.PenaltyWaived{GroupId: "g", SubAccountId: "s", UserId: "u", Period: "2026-01-01", AmountKobo: 1, DisputeId: "d", PlanId: "nor this"}))
	given(plant(ajo.DebtStream("a"), &nairav1.AjoPenaltyWaived{AjoId: "a", DebtId: "x", DebtorId: "u", AmountKobo: 1, DisputeId: "d", PlanId: "nor that"}))
	assert.EqualValues(t, 4, found(), "and what is planted long after")
}
